import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// What the package keeps on the device, and how an app erases it.
@Suite(.bounded) struct StoredDataTests {
    private let appStore = SimulatedAppStore(catalog: .shop)
    private let folder = TemporaryFolder()

    private var ledger: DeliveryLedger { DeliveryLedger(url: folder.file("Deliveries")) }
    private var cache: EntitlementFile { EntitlementFile(url: folder.file("Entitlements")) }

    private func launch() -> PurchaseStore {
        PurchaseStore(
            simulating: appStore, engine: .storeKit1,
            configuration: StoreConfiguration(deliveryLedger: ledger, entitlementCache: cache))
    }

    private func contents() -> LedgerContents {
        let file = LedgerFile(ledger)
        file.load()
        return file.contents
    }

    /// Everything in the folder, as one text.
    private func text() throws -> String {
        try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
            .map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }.joined()
    }

    private func buy(_ store: PurchaseStore, _ product: String, for name: String) async throws {
        _ = try await store.purchase(
            product, options: [.account(.username(name)), .context("a gift of \(name)")])
    }

    @Test func `an account's contexts are erased in the file and in memory, and another account's stay`() async throws {
        let store = launch()
        try await buy(store, StoreWorld.coins, for: "ann")
        try await buy(store, StoreWorld.pro, for: "bob")
        expectEqual(contents().contexts.count, 2)
        try await store.eraseStoredData(of: .username("ann"))
        expectEqual(contents().contexts.values.map(\.applicationUsername), ["bob"])
        let rest = try text()
        #expect(!rest.contains("ann"))
        // A write would bring back records that are still in memory.
        try await buy(store, StoreWorld.news, for: "bob")
        expectEqual(contents().contexts.values.map(\.applicationUsername), ["bob", "bob"])
        let again = launch()
        let purchases = StreamListener(again.transactions)
        for _ in 0..<3 {
            let purchase = try #require(await purchases.next())
            expectEqual(
                purchase.context(as: String.self), purchase.productID == StoreWorld.coins ? nil : "a gift of bob")
        }
    }

    @Test func `everything is erased, also damaged and temporary files, and access continues`() async throws {
        let store = launch()
        try await store.purchase(StoreWorld.pro) { _ in }
        #expect(await store.entitlements.current.contains(StoreWorld.pro))
        try await store.settled()
        expectEqual(contents().deliveries.count, 1)
        for name in ["Deliveries.damaged", ".Entitlements.\(UUID().uuidString)"] {
            try Data("old".utf8).write(to: folder.file(name))
        }
        try await store.eraseStoredData()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        expectEqual(names, ["Deliveries", "Deliveries.lock"])
        expectEqual(contents().deliveries, [:])
        let before = await store.entitlements.current
        #expect(before.contains(StoreWorld.pro))
        try await store.purchase(StoreWorld.coins) { _ in }
        expectEqual(contents().deliveries.count, 1, "the erased one doesn't come back")
    }

    @Test(arguments: [nil, PurchaseAccount.username("ann")], [false, true])
    func `a damaged copy is erased, also one without the file that it was made of`(
        account: PurchaseAccount?, isDamaged: Bool
    ) async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        if isDamaged { try Data("damaged, of ann".utf8).write(to: folder.file("Deliveries")) }
        try Data("damaged before, of ann".utf8).write(to: folder.file("Deliveries.damaged"))
        try await launch().eraseStoredData(of: account)
        #expect(!FileManager.default.fileExists(atPath: folder.file("Deliveries.damaged").path))
        #expect(try !text().contains("ann"))
    }

    @Test func `what one store erases doesn't come back from the memory of another`() throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func purchase(_ key: String) -> LedgerRecord {
            .delivered(DeliveredPurchase(key: key, purchaseDate: now, deliveryDate: now))
        }
        let (first, second) = (LedgerFile(ledger), LedgerFile(ledger))
        first.append([purchase("1"), purchase("2")], now: now)
        second.load()
        try first.erase(account: nil, now: now)
        second.append(Array(repeating: purchase("3"), count: 500), now: now)
        second.append([purchase("4")], now: now)
        expectEqual(contents().deliveries.keys.sorted(), ["3", "4"])
    }

    @Test func `a save removes what an ended process has left, and nothing that may still be written`() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let now = Int64(Date().timeIntervalSince1970)
        let new = ".Entitlements.\(now - 60)-\(UUID().uuidString)"
        let others = [".Other.1", new]
        for name in [".Entitlements.\(now - 7_200)-1", ".Entitlements.\(UUID().uuidString)"] + others {
            try Data().write(to: folder.file(name))
        }
        try cache.save(Data("signed".utf8))
        expectEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted(),
            (others + ["Entitlements"]).sorted())
        try cache.erase()
        expectEqual(try cache.load(), nil)
        try cache.erase()
    }
}
