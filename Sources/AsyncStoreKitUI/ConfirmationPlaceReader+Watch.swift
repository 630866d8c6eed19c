#if os(watchOS)
    import SwiftUI

    /// A watch shows what it asks on its only screen: there is no place to be found.
    struct ConfirmationPlaceReader: View {
        let place: ConfirmationPlace

        var body: some View { Color.clear }
    }
#endif
