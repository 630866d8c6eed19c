#if canImport(SwiftUI)
    import AsyncStoreKit

    /// Where on the screen a view is, for what the system shows there. A ``ConfirmationPlaceReader`` behind the view finds it out.
    @MainActor final class ConfirmationPlace {
        /// Finds the place. Set by the reader, where the system has any.
        var find: @MainActor () -> PresentationAnchor? = { nil }

        /// The window's scene, or the window; `nil` while the view is in none, and where the system needs no place.
        var anchor: PresentationAnchor? { find() }

        /// The options with this place, unless they name one.
        func anchored(_ options: PurchaseOptions) -> PurchaseOptions {
            var options = options
            options.anchor = options.anchor ?? anchor
            return options
        }
    }
#endif
