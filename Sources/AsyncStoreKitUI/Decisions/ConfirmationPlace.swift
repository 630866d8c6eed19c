package import AsyncStoreKit

/// The place of a view on the screen, for purchases and sheets. A `ConfirmationPlaceReader` behind the view finds it.
@MainActor package final class ConfirmationPlace {
    /// Finds the place. The reader sets it on systems that have places.
    package var find: @MainActor () -> PresentationAnchor? = { nil }
    /// Returns the window or scene of the view. The reader sets it on systems that have several.
    package var window: (@MainActor () -> AnyObject?)?
    /// When the view uses its model.
    package var activation = ViewActivation()

    package nonisolated init() {}

    /// Whether the view is in this window or scene.
    package func isIn(_ window: AnyObject) -> Bool { self.window?() === window }

    /// Whether the views of two places are in the same window. A system without windows has one screen.
    package func sharesWindow(with other: ConfirmationPlace) -> Bool {
        guard self !== other, let window, let theirs = other.window else { return true }
        return window().map { $0 === theirs() } ?? false
    }

    /// Whether the view can show something now. A view below a full-screen cover can't.
    package var isOnScreen: Bool { window.map { $0() != nil } ?? true }

    /// The place on the screen; `nil` while the view isn't in a window, and on systems without places.
    package var anchor: PresentationAnchor? { find() }

    /// Returns the options with this place, unless they name an anchor.
    package func anchored(_ options: PurchaseOptions) -> PurchaseOptions {
        var options = options
        options.anchor = options.anchor ?? anchor
        return options
    }
}

extension ConfirmationPlace: nonisolated Hashable {
    package nonisolated static func == (left: ConfirmationPlace, right: ConfirmationPlace) -> Bool { left === right }

    package nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
