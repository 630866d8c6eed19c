#if canImport(SwiftUI)
    import AsyncStoreKit

    /// The place of a view on the screen, for purchases and sheets. A `ConfirmationPlaceReader` behind the view finds
    /// it.
    @MainActor final class ConfirmationPlace {
        /// Finds the place. The reader sets it on systems that have places.
        var find: @MainActor () -> PresentationAnchor? = { nil }

        /// The window's scene, or the window; `nil` while the view isn't in a window, and on systems without places.
        var anchor: PresentationAnchor? { find() }

        /// Returns the options with this place, unless they name an anchor.
        func anchored(_ options: PurchaseOptions) -> PurchaseOptions {
            var options = options
            options.anchor = options.anchor ?? anchor
            return options
        }
    }
#endif
