import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Two devices of one customer, each with its own store.
@Suite(.bounded) struct SecondDeviceTests {
    private let appStore = SimulatedAppStore(products: [
        SimulatedProduct(productID: "coins", kind: .consumable, price: 1),
        SimulatedProduct(productID: "pro", kind: .nonConsumable, price: 10),
        SimulatedProduct(
            productID: "monthly", kind: .autoRenewableSubscription, price: 3,
            subscription: SimulatedSubscription(groupID: "club", period: .init(1, .month))),
    ])

    @Test func `a purchase, a renewal and a refund on the phone reach the tablet`() async throws {
        let phone = PurchaseStore(simulating: appStore)
        let tablet = PurchaseStore(simulating: appStore.newDevice())
        tablet.setDelivery { _ in .accepted }
        try await phone.purchase("pro") { _ in }
        try await phone.purchase("monthly") { _ in }
        try await tablet.settled()
        expectEqual(tablet.entitlements.latest.map(\.productID).sorted(), ["monthly", "pro"])
        try await tablet.advance(by: .months(1))
        #expect(tablet.entitlements.latest.contains("monthly"))
        try appStore.refund("pro")
        try await tablet.settled()
        try await phone.settled()
        for store in [phone, tablet] { expectEqual(store.entitlements.latest.contains("pro"), false) }
    }

    @Test func `a consumable that the phone delivers isn't delivered on the tablet`() async throws {
        let phone = PurchaseStore(simulating: appStore)
        let device = appStore.newDevice()
        let delivered = Recorder<String>()
        let tablet = device.relaunch()
        tablet.setDelivery { request in
            for purchase in request.purchases { delivered.record(purchase.productID) }
            return .accepted
        }
        try await phone.purchase("coins") { _ in }
        try await tablet.settled()
        let again = device.relaunch()
        again.setDelivery { request in
            for purchase in request.purchases { delivered.record(purchase.productID) }
            return .accepted
        }
        try await again.settled()
        expectEqual(delivered.elements, [])
        #expect(tablet !== again)
    }

    @Test func `over StoreKit 1 the tablet has the purchase after a restore`() async throws {
        let phone = PurchaseStore(simulating: appStore, engine: .storeKit1)
        let tablet = PurchaseStore(simulating: appStore.newDevice(), engine: .storeKit1)
        try await phone.purchase("pro") { _ in }
        try await tablet.settled()
        expectEqual(tablet.entitlements.latest.contains("pro"), false)
        try await tablet.restore { _ in }
        try await tablet.settled()
        #expect(tablet.entitlements.latest.contains("pro"))
    }
}
