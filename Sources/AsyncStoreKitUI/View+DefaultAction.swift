#if os(macOS)
    import SwiftUI

    extension View {
        /// Lets the Return key press the button in this view.
        func defaultAction() -> some View { keyboardShortcut(.defaultAction) }
    }
#elseif canImport(SwiftUI)
    import SwiftUI

    extension View {
        /// Only a Mac has a key for the button that a window expects.
        func defaultAction() -> some View { self }
    }
#endif
