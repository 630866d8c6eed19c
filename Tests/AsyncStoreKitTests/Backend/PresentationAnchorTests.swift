import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PresentationAnchorTests {
    /// A substitute for a window.
    private final class Window: Sendable {}

    private let world = StoreWorld(selling: .shop, engine: .storeKit1)
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
        let store = store
        _ = try await store.purchase(StoreWorld.coins, options: PurchaseOptions(anchor: anchor))
        try await store.settled()
        expectEqual(warnings.count, 1)
        #expect(warnings.first?.contains("\"\(StoreWorld.coins)\" was deallocated") == true)
    }

    @Test func `an anchor whose object exists is not logged`() async throws {
        let window = Window()
        let anchor = PresentationAnchor(object: window)
        let store = store
        try await store.present(.codeRedemption, in: anchor)
        try await store.present(.codeRedemption)
        _ = try await store.purchase(StoreWorld.coins, options: PurchaseOptions(anchor: anchor))
        try await store.settled()
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

    /// A substitute for a view controller that presents another one, and for a view with subviews.
    private final class Node {
        let name: String
        let below: [Node]
        var presented: Node?

        init(_ name: String, below: [Node] = []) {
            self.name = name
            self.below = below
        }
    }

    @Test @MainActor func `a sheet appears over the controller that no other one covers`() {
        let (root, sheet, second) = (Node("root"), Node("sheet"), Node("second"))
        func topmost() -> String { PresentationSearch.topmost(of: root, covering: \.presented).name }
        expectEqual(topmost(), "root")
        root.presented = sheet
        sheet.presented = second
        expectEqual(topmost(), "second")
        // Nothing that a controller returns may hang the main thread.
        second.presented = root
        expectEqual(topmost(), "second")
        second.presented = nil
    }

    @Test @MainActor func `a window without a controller of its own has that of the nearest view`() {
        let window = Node("window", below: [Node("a", below: [Node("far controller")]), Node("near controller")])
        func nearest(_ node: Node?) -> String? {
            PresentationSearch.nearest(to: node, below: \.below) { $0.name.hasSuffix("controller") ? $0.name : nil }
        }
        expectEqual(nearest(window), "near controller")
        expectEqual(nearest(window.below[0]), "far controller")
        expectEqual(nearest(Node("empty")), nil)
        expectEqual(nearest(nil), nil)
    }

    @Test func `the timestamp of an offer that a 32-bit integer can't have names the other kind of signature`() throws {
        func signature(_ timestamp: Int64) -> PurchaseOffer.Signature {
            PurchaseOffer.Signature(keyID: "key", nonce: UUID(), signature: "c2lnbmVk", timestamp: timestamp)
        }
        let milliseconds: Int64 = 1_700_000_000_000
        let long: Int64 = try signature(milliseconds).integerTimestamp()
        expectEqual(long, milliseconds)
        let short: Int32 = try signature(2_147_483_647).integerTimestamp()
        expectEqual(short, .max)
        for timestamp in [milliseconds, 2_147_483_648, .max, .min] {
            let error = #expect(throws: StoreError.self) { let _: Int32 = try signature(timestamp).integerTimestamp() }
            expectEqual(error?.code, .offerUnavailable)
            #expect(error?.message.contains("promotional(id:jws:)") == true)
        }
    }
}
