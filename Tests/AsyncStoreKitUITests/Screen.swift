import AsyncStoreKitUI

@testable import AsyncStoreKit

/// A view in a window.
@MainActor final class Screen {
    final class Window: Sendable {}

    let place = ConfirmationPlace()
    var window: Window?

    init(_ window: Window? = Window()) {
        self.window = window
        place.find = { [weak self] in self?.window.map { PresentationAnchor(object: $0) } }
        place.window = { [weak self] in self?.window }
    }
}
