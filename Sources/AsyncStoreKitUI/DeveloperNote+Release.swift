#if canImport(SwiftUI) && !DEBUG
    import SwiftUI

    /// A release build shows customers no warning for developers. The log has it.
    struct DeveloperNote: View {
        let text: String

        var body: some View { EmptyView() }
    }
#endif
