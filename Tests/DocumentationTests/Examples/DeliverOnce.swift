import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The code of the article about delivering once.
private struct LedgerExamples {
    let store: PurchaseStore
    let reports = Recorder<String>()

    init(_ store: PurchaseStore) {
        self.store = store
    }

    func report(_ message: String) { reports.record(message) }

    func makeStore(keepingDeliveriesIn folder: URL) -> PurchaseStore {
        let ledger = DeliveryLedger(url: folder.appendingPathComponent("Deliveries"))
        return PurchaseStore(configuration: StoreConfiguration(deliveryLedger: ledger))
    }

    struct Wallet: Codable {
        private(set) var coins = 0
        private var credited: Set<String> = []

        mutating func credit(_ purchase: StorePurchase, to file: URL) throws {
            var new = self
            guard new.credited.insert(purchase.deliveryKey).inserted else { return }
            new.coins += 100 * purchase.quantity
            try JSONEncoder().encode(new).write(to: file, options: .atomic)
            self = new
        }
    }

    func checkLedger() async throws {
        if let error = try await store.diagnostics().deliveryLedgerError { report(error.message) }
    }
}

/// The code of the article about an app that becomes free.
@MainActor private final class FormerCustomer {
    let store: PurchaseStore
    let switchDate: Date

    init(_ store: PurchaseStore, _ switchDate: Date) {
        self.store = store
        self.switchDate = switchDate
    }

    func makeStore() -> PurchaseStore {
        let paidAppUpgrade = PaidAppUpgrade(
            grants: "com.example.pro", before: switchDate, orBuilds: [.iOS: "412", .macOS: "3.0"])
        return PurchaseStore(configuration: StoreConfiguration(paidAppUpgrade: paidAppUpgrade))
    }

    func boughtTheAppBefore() async -> String {
        do {
            switch try await store.checkPaidAppUpgrade() {
            case .paid: return "Thank you. Pro is yours."
            case .notPaid: return "You got the app when it was free."
            case .undecided: return "Your purchase can't be checked here. Please contact us."
            }
        } catch {
            return "The App Store can't be reached. Try again later."
        }
    }
}

@Suite(.bounded) struct DeliverOnceTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [SimulatedProduct(productID: "coins", kind: .consumable, price: 1)]))
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("once-\(UUID().uuidString)")

    @Test func `a wallet credits a key once after a failed write, and a broken ledger is reported`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let ledger = DeliveryLedger(url: folder)
        let store = PurchaseStore(
            simulating: appStore, configuration: StoreConfiguration(deliveryLedger: ledger, log: { _ in }))
        let examples = LedgerExamples(store)
        var wallet = LedgerExamples.Wallet()
        let wallets = folder.appendingPathComponent("wallets")
        let file = wallets.appendingPathComponent("wallet")
        try await store.purchase("coins") { purchase in
            #expect(throws: (any Error).self, "the folder doesn't exist") { try wallet.credit(purchase, to: file) }
            try FileManager.default.createDirectory(at: wallets, withIntermediateDirectories: true)
            for _ in 1...2 { try wallet.credit(purchase, to: file) }
        }
        expectEqual(try JSONDecoder().decode(LedgerExamples.Wallet.self, from: Data(contentsOf: file)).coins, 100)
        try await examples.checkLedger()
        #expect(examples.reports.elements.count == 1)
        try? FileManager.default.removeItem(at: folder)
    }

    @Test @MainActor func `a former customer is thanked, and has the product`() async throws {
        let switchDate = Date(timeIntervalSince1970: 1_767_225_600)
        let configuration = StoreConfiguration(
            paidAppUpgrade: PaidAppUpgrade(grants: "com.example.pro", before: switchDate, cache: nil))
        let customer = FormerCustomer(PurchaseStore(simulating: appStore, configuration: configuration), switchDate)
        #expect(await customer.boughtTheAppBefore().contains("can't be checked"), "nothing is concluded in the sandbox")
        appStore.behavior.environment = .production
        appStore.appTransaction.originalPurchaseDate = switchDate - 86_400
        let next = FormerCustomer(PurchaseStore(simulating: appStore, configuration: configuration), switchDate)
        expectEqual(await next.boughtTheAppBefore(), "Thank you. Pro is yours.")
        let entitlements = await next.store.entitlements.current
        #expect(entitlements.contains("com.example.pro") && entitlements.paidAppUpgrade != nil)
        appStore.appTransaction.originalPurchaseDate = switchDate
        let late = FormerCustomer(PurchaseStore(simulating: appStore, configuration: configuration), switchDate)
        #expect(await late.boughtTheAppBefore().contains("when it was free"))
    }
}
