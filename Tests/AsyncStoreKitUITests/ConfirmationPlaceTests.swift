import AppStoreSimulator
import AsyncStoreKitUI
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) @MainActor struct ConfirmationPlaceTests {
    private let fixture = PaywallFixture()

    private func anchor() async -> PresentationAnchor? { await fixture.store.core.anchor.anchor(for: nil) }

    @Test func `purchases are presented in the window that was used last, or in another one after it has closed`()
        async
    {
        let (first, second) = (Screen(), Screen())
        await fixture.core.handle(.appeared, at: first.place)
        await fixture.core.handle(.appeared, at: second.place)
        expectEqual(await anchor(), second.place.anchor)
        await fixture.core.handle(.windowUsed, at: first.place)
        expectEqual(await anchor(), first.place.anchor)
        await fixture.core.handle(.windowUsed, at: second.place)
        second.window = nil
        expectEqual(await anchor(), first.place.anchor)
        first.window = nil
        expectEqual(await anchor(), nil)
    }

    @Test func `a view that doesn't exist any longer is no place`() async {
        let first = Screen()
        await fixture.core.handle(.appeared, at: first.place)
        do {
            let second = Screen()
            await fixture.core.handle(.appeared, at: second.place)
        }
        expectEqual(await anchor(), first.place.anchor)
    }

    @Test func `a hosting controller has an anchor, and requests products again when the app becomes active`() async {
        let screen = Screen()
        fixture.appStore.behavior.isOffline = true
        await fixture.core.handle(.appeared, at: screen.place)
        await fixture.core.handle(.scene(isActive: false), at: screen.place)
        await fixture.core.loadProducts(["coins"])
        expectEqual(fixture.state.products.error?.code, .networkError)
        expectEqual(await anchor(), screen.place.anchor)
        fixture.appStore.behavior.isOffline = false
        await fixture.core.handle(.application(isActive: true), at: screen.place)
        expectEqual(fixture.state.products.products.count, 0, "the app was active all the time")
        await fixture.core.handle(.application(isActive: false), at: screen.place)
        await fixture.core.handle(.application(isActive: true), at: screen.place)
        expectEqual(fixture.state.products.products.map(\.id), ["coins"])
    }

    @Test func `a purchase is confirmed in its button's window, unless its options name an anchor`() {
        let (screen, other) = (Screen(), Screen.Window())
        expectEqual(screen.place.anchored([]).anchor, screen.place.anchor)
        let own = PresentationAnchor(object: other)
        expectEqual(screen.place.anchored([.anchor(own)]).anchor, own)
        screen.window = nil
        expectEqual(screen.place.anchored([]).anchor, nil)
    }
}
