import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// Measures entitlement reads: the first read, and a read without changes.
enum EntitlementBenchmarks {
    /// Measures and prints.
    static func run() async {
        print("Entitlements, 10 000 transactions of 50 products")
        let backend = HistoryBackend(transactions: 10_000)
        let first = await milliseconds(runs: 11) {
            let store = PurchaseStore(over: backend)
            if await store.entitlements.current.productIDs.isEmpty { print("  nothing is owned") }
        }
        print(String(format: "  first answer: %.1f ms (goal: 50 ms)", first))
        let store = PurchaseStore(over: backend)
        _ = await store.entitlements.current
        let again = await milliseconds(runs: 51) { _ = await store.entitlements.refresh() }
        print(String(format: "  a read that changes nothing: %.1f ms (goal: 50 ms)", again))
    }

    /// Measures and prints two years of renewals.
    static func runYears() async {
        print("Two years of renewals")
        for count in [12, 25, 50] {
            let weeks = await milliseconds(runs: 1) { await renewWeekly(subscriptions: count, weeks: 104) }
            print(String(format: "  %d weekly subscriptions, with a loop: %.1f s (goal: 5 s)", count, weeks / 1_000))
        }
    }

    /// Simulates weekly subscriptions in separate groups over StoreKit 2, while a loop receives the entitlements.
    private static func renewWeekly(subscriptions count: Int, weeks: Int) async {
        let products = (0..<count).map {
            SimulatedProduct.autoRenewable("paper.\($0)", price: 1, period: .week(1), group: "\($0)")
        }
        var behavior = SimulatorBehavior()
        behavior.signsReceipts = false
        let appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: products, behavior: behavior))
        let store = PurchaseStore(simulating: appStore)
        store.setDelivery { _ in .accepted }
        let entitlements = store.entitlements
        let loop = Task { for await _ in entitlements {} }
        for product in products { try? appStore.buyProduct(productID: product.productID) }
        for _ in 0..<weeks {
            appStore.advance(by: 7 * 86_400)
            try? await store.settled()
        }
        if await entitlements.current.productIDs.count != count { print("  a subscription isn't active") }
        loop.cancel()
    }

    /// Returns the median of the processor time, which other programs don't affect.
    private static func milliseconds(runs: Int, _ work: () async -> Void) async -> Double {
        var times: [Double] = []
        for _ in 0..<runs {
            let start = Machine.processorSeconds
            await work()
            times.append((Machine.processorSeconds - start) * 1_000)
        }
        return times.sorted()[runs / 2]
    }
}

/// A device with a long StoreKit 2 history: one read returns the current entitlements and the full history.
private final class HistoryBackend: RelayBackend {
    let next: any StoreBackend = UnreachableBackend()
    private let history: PurchaseListing

    init(transactions count: Int) {
        let start = Date(timeIntervalSinceNow: -Double(count / 50) * 604_800)
        let all = (0..<count).map { number in
            let period = Double(number / 50)
            var row = PurchaseFacts(
                productID: "com.example.subscription.\(number % 50)", transactionID: "\(1_000_000_000 + number)",
                purchaseDate: start.addingTimeInterval(period * 604_800),
                originalTransactionID: "\(1_000_000_000 + number % 50)", originalPurchaseDate: start,
                expirationDate: start.addingTimeInterval((period + 1) * 604_800 + 3_600),
                productKind: .autoRenewable)
            row.signedDate = row.purchaseDate
            row.subscriptionGroupID = "\(number % 50)"
            row.appTransactionID = "700000000000000000"
            return VerifiedTransaction(row, text: { "" })
        }
        history = PurchaseListing(transactions: all.suffix(50), past: all)
    }

    func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory { .signed(history) }

    func products(for productIDs: Set<String>) -> ProductsResponse {
        ProductsResponse(products: [], invalidProductIDs: productIDs)
    }
}
