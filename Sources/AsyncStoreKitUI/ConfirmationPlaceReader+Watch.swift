#if os(watchOS)
    import SwiftUI

    /// A watch has one screen, and purchases need no place.
    struct ConfirmationPlaceReader: View {
        let place: ConfirmationPlace

        var body: some View { Color.clear }
    }
#endif
