import AppStoreSimulator
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PresentationAnchorTests {
    /// Stands for a window.
    private final class Window: Sendable {}

    private let world = BehaviorWorld(behavior: SimulatorBehavior()) {
        SimulatedBackend(launch: $0, engine: .storeKit1)
    }
    private let log = Recorder<StoreLogEvent>()

    private var store: PurchaseStore {
        PurchaseStore(
            backend: SimulatedBackend(world.appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: world.clock, log: { [log] in log.record($0) }))
    }

    private var warnings: [String] { log.elements.filter { $0.level == .warning }.map(\.message) }

    @Test func `a deallocated anchor is logged when a sheet is presented`() async throws {
        let anchor = PresentationAnchor(object: Window())
        try await store.present(.codeRedemption, in: anchor)
        expectEqual(warnings.count, 1)
        #expect(warnings.first?.contains("anchor of a sheet was deallocated") == true)
    }

    @Test func `a deallocated anchor is logged when a payment is submitted`() async throws {
        let anchor = PresentationAnchor(object: Window())
        _ = try await store.purchase(BehaviorWorld.coins, options: PurchaseOptions(anchor: anchor))
        expectEqual(warnings.count, 1)
        #expect(warnings.first?.contains("\"\(BehaviorWorld.coins)\" was deallocated") == true)
    }

    @Test func `an anchor whose object exists is not logged`() async throws {
        let window = Window()
        let anchor = PresentationAnchor(object: window)
        let store = store
        try await store.present(.codeRedemption, in: anchor)
        try await store.present(.codeRedemption)
        _ = try await store.purchase(BehaviorWorld.coins, options: PurchaseOptions(anchor: anchor))
        expectEqual(warnings, [])
        withExtendedLifetime(window) {}
    }

    @Test func `the error of a sheet names the problem with the anchor`() {
        let window = Window()
        let gone = StoreError.noPlace(PresentationAnchor(object: Window()), needs: "a window")
        let other = StoreError.noPlace(PresentationAnchor(object: window), needs: "a window")
        let missing = StoreError.noPlace(nil, needs: "a window")
        expectEqual([gone.code, other.code, missing.code], Array(repeating: .invalidPresentationContext, count: 3))
        expectEqual(Set([gone, other, missing].map(\.message)).count, 3)
        #expect(gone.message.contains("deallocated"))
        withExtendedLifetime(window) {}
    }
}
