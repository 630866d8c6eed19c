import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import CatalogReview
import Foundation
import TestHarness
import Testing

/// The code of the articles Test your app's purchases, after its first file, and Test dates, customers and faults.
@Suite(.bounded) struct TestYourAppsPurchases {
    private let catalog = SimulatedCatalog(products: [
        .autoRenewable(
            "club.monthly", price: 5, period: .month(1), group: "club", level: 2,
            introductoryOffer: .freeTrial(.week(1)),
            winBackOffers: [.payUpFront(5, for: .months(3), id: "back")], isFamilyShareable: true),
        .autoRenewable("club.yearly", price: 50, period: .year(1), group: "club", level: 1, monthlyPlan: .monthly(5)),
        .autoRenewable("club.basic", price: 2, period: .month(1), group: "club", level: 3),
    ])

    /// A screen that an app shows to customers without access.
    private enum Paywall {
        static func isNeeded(by entitlements: StoreEntitlements) -> Bool {
            !entitlements.contains(AccessLevel(products: ["club.monthly", "club.yearly", "club.basic"]))
        }
    }

    @Test(arguments: Customer.allCases)
    func `a customer who has access sees no paywall`(_ customer: Customer) async throws {
        var isYearly = false
        if case .commitment = customer { isYearly = true }
        let productID = isYearly ? "club.yearly" : "club.monthly"
        let store = try PurchaseStore(customer, of: productID, in: catalog)
        let entitlements = await store.entitlements.current
        #expect(Paywall.isNeeded(by: entitlements) == entitlements.productIDs.isEmpty)
    }

    @Test(arguments: [SimulatorBehavior(), .demanding], [StoreEngine.storeKit2, .storeKit1])
    func `coins are granted once`(behavior: SimulatorBehavior, engine: StoreEngine) async throws {
        let catalog = SimulatedCatalog(products: [.consumable("coins", price: 1)], behavior: behavior)
        let store = PurchaseStore(simulating: SimulatedAppStore(catalog: catalog), engine: engine)
        let server = FakeServer()
        store.setDelivery { request in
            do {
                for purchase in request.purchases { try await server.grant(purchase) }
                return .accepted
            } catch {
                return .retryLater
            }
        }
        _ = try await store.purchase("coins")
        try await store.advance(by: 60)
        #expect(await server.coins == 100)
    }

    @Test func `a listener waits for an element of a stream`() async throws {
        let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
        // Only StoreKit 1 reports that a parent has declined.
        let store = PurchaseStore(simulating: appStore, engine: .storeKit1)
        appStore.behavior.askToBuyEnabled = true
        _ = try await store.purchase("coins")
        let failures = StreamListener(store.purchaseFailures)
        try appStore.declinePurchase(of: "coins")
        #expect(try await failures.next()?.productID == "coins")
    }

    @Test func `the file that Xcode uses is a catalog`() throws {
        let configuration = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/store/Resources/Demo.storekit").standardizedFileURL
        let appStore = SimulatedAppStore(catalog: try SimulatedCatalog(contentsOf: configuration))
        #expect(!appStore.catalog.products.isEmpty)
        let productIDs = appStore.catalog.products.map(\.productID)
        let findings = try SimulatedCatalog.findings(inFile: configuration, for: productIDs)
        #expect(findings.isEmpty)
    }

    /// A debug build's store.
    private func makeStore() throws -> PurchaseStore {
        #if DEBUG
            let arguments = ProcessInfo.processInfo.arguments
            let store = try PurchaseStore(launchArguments: arguments, in: catalog) ?? PurchaseStore()
        #else
            let store = PurchaseStore()
        #endif
        return store
    }

    struct Unexpected: Error {}
}
