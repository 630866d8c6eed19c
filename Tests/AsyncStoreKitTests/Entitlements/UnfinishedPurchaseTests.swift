import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Purchases that the device lists as unfinished, and not as entitlements; and clocks that were ahead.
@Suite(.bounded) struct UnfinishedPurchaseTests {
    private let start = Date(timeIntervalSince1970: 1_767_225_600)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    private func row(
        _ productID: String, id: String, original: String, bought: TimeInterval, ends: TimeInterval?,
        signed: TimeInterval
    ) -> VerifiedTransaction {
        var row = PurchaseFacts(
            productID: productID, transactionID: id, purchaseDate: at(bought), originalTransactionID: original,
            expirationDate: ends.map(at), productKind: ends == nil ? .nonConsumable : .autoRenewable)
        row.signedDate = at(signed)
        row.appTransactionID = "1"
        return VerifiedTransaction(row, text: { "text" })
    }

    private func history(_ rows: [VerifiedTransaction], unfinished: [VerifiedTransaction] = []) -> PurchaseListing {
        PurchaseListing(completing: PurchaseListing(transactions: rows, unfinished: unfinished))
    }

    @Test func `a new purchase stays while complete lists lack it, after it was unfinished for a moment`() {
        let season = row("season", id: "1", original: "1", bought: -100, ends: nil, signed: -100)
        let pro = row("pro", id: "2", original: "2", bought: 0, ends: nil, signed: 0)
        var run = EntitlementRun()
        for second in [-2.0, -1] { run.take(history([season]), begun: at(second), at: at(second)) }
        run.take(reports: [pro], isPaidHere: true, at: at(0))
        run.take(history([season], unfinished: [pro]), begun: at(1), at: at(1))
        for second in [2.0, 5, 60, 290] {
            run.take(history([season]), begun: at(second), at: at(second))
            expectEqual(run.entitlements.productIDs, ["pro", "season"], "\(second)")
            #expect(run.nextWake != nil, "the store reads again")
        }
    }

    @Test(arguments: [(10.0, "premium"), (0, "premium"), (10, "basic")])
    func `an unfinished period gives no access when the device lists a later one of its subscription`(
        bought: TimeInterval, product: String
    ) {
        let old = row("basic", id: "1", original: "1", bought: 0, ends: 1_000, signed: 0)
        let new = row(product, id: "2", original: "1", bought: bought, ends: 2_000, signed: bought)
        var run = EntitlementRun()
        for second in [11.0, 12] { run.take(history([new], unfinished: [old]), begun: at(second), at: at(second)) }
        expectEqual(run.entitlements.productIDs, [product])
        expectEqual(run.entitlements[product]?.accessEndDate, at(2_000))
    }

    @Test func `seats that are added to a period, and aren't finished, give access beside it`() {
        let period = row("team", id: "1", original: "1", bought: 0, ends: 1_000, signed: 0)
        let seats = row("team", id: "2", original: "1", bought: 0, ends: 1_000, signed: 0)
        var run = EntitlementRun()
        for second in [1.0, 2] { run.take(history([period], unfinished: [seats]), begun: at(second), at: at(second)) }
        expectEqual(run.entitlements.productIDs, ["team"])
    }

    @Test func `a period ends a minute after the clock is set right, if Apple's last signature is from its end`() {
        let club = row("club", id: "1", original: "1", bought: -1_000, ends: 0, signed: 0)
        var run = EntitlementRun()
        // The clock is ahead by 40 days.
        let ahead = 40 * 86_400.0
        run.take(history([club]), begun: at(ahead), at: at(ahead))
        for second in [1.0, 2, 30, 62, 70] { run.take(history([club]), begun: at(second), at: at(second)) }
        expectEqual(run.entitlements.productIDs, [])
    }

    @Test func `a purchase that the device never lists stays while StoreKit gives it as the latest of its product`()
        async throws
    {
        let appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(products: [
                .nonConsumable("season", price: 1), .nonConsumable("pro", price: 10),
            ]))
        let launch = appStore.launch()
        let device = EntitlementDevice(seed: 1)
        let store = PurchaseStore(
            over: EntitlementDeviceBackend(
                StoreKit2Backend(environment: device.environment(SimulatedStoreKit2(launch))), device))
        try await store.purchase("season") { _ in }
        try await store.advance(by: 10)
        device.fault = .withoutNewest
        try await store.purchase("pro") { _ in try await store.settled() }
        for _ in 1...4 {
            try await store.advance(by: 600)
            expectEqual(store.entitlements.latest.productIDs, ["pro", "season"])
        }
        device.fault = .none
        try await store.advance(by: 300)
        expectEqual(store.entitlements.latest.productIDs, ["pro", "season"])
        expectEqual(store.entitlements.latest.basis, .confirmed)
    }
}
