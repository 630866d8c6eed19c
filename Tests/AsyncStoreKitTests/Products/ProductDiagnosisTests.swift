import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct ProductDiagnosisTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [.consumable("coins", price: 2), .nonConsumable("pro", price: 10)]))
    private let log = Recorder<StoreLogEvent>()

    private var store: PurchaseStore {
        PurchaseStore(
            over: SimulatedBackend(appStore), configuration: StoreConfiguration(log: { [log] in log.record($0) }))
    }

    private func product(_ id: String) -> StoreProduct {
        StoreProduct(id: id, displayName: "", description: "", price: 1, priceLocale: Locale(identifier: "en_US"))
    }

    private func findings(
        _ requested: Set<String>, _ result: Result<[StoreProduct], StoreError>, canMakePayments: Bool = true,
        storefront: AppStorefront? = AppStorefront(countryCode: "USA", id: "1")
    ) -> [ProductDiagnosis.Finding] {
        ProductDiagnosis(
            requested, result, engine: "StoreKit 2", canMakePayments: canMakePayments, storefront: storefront
        ).findings
    }

    @Test func `a shop without missing products has no findings, and is logged`() async throws {
        let store = store
        _ = try await store.products(for: ["pro"])
        let diagnosis = await store.diagnose(["pro", "coins"])
        expectEqual(diagnosis.findings.filter { $0.kind != .noStorefront }, [])
        expectEqual(diagnosis.missing, [])
        expectEqual(Set(diagnosis.found.map(\.id)), ["pro", "coins"])
        #expect(diagnosis.description.hasPrefix("2 of 2 products were returned (StoreKit 2"))
        #expect(log.elements.contains { $0.level == .notice && $0.message == diagnosis.description })
    }

    @Test func `an unknown identifier is named, with a similar identifier`() async throws {
        let diagnosis = await store.diagnose(["Pro ", "coins"])
        expectEqual(diagnosis.missing, ["Pro "])
        let kinds = diagnosis.findings.filter { $0.productID == "Pro " }.map(\.kind)
        expectEqual(kinds, [.unknownIdentifier, .malformedIdentifier])
        let similar = findings(["Pro "], .success([product("pro")])).first
        #expect(similar?.hint.hasSuffix("There is a product \"pro\".") == true)
    }

    @Test func `an empty shop has its own hint`() async {
        let diagnosis = await store.diagnose(["none", "nothing"])
        expectEqual(diagnosis.findings.first?.kind, .nothingReturned)
        #expect(diagnosis.findings.first?.hint.contains(".storekit") == true)
        #expect(diagnosis.findings.first?.hint.contains("agreement") == true)
    }

    @Test func `a request that StoreKit never answers ends`() async throws {
        let clock = SimulatedClock(appStore)
        let store = PurchaseStore(
            over: SimulatedBackend(appStore), configuration: StoreConfiguration(clock: clock, log: { _ in }))
        appStore.behavior.productRequestsAreNeverAnswered = true
        async let diagnosis = store.diagnose(["pro"])
        try await clock.waitForSleepers(1, duration: 30)
        appStore.advance(by: 30)
        expectEqual(await diagnosis.findings.first?.kind, .network)
    }

    @Test func `a network failure differs from other failures`() async {
        let store = store
        appStore.behavior.isOffline = true
        expectEqual(await store.diagnose(["pro"]).findings.first?.kind, .network)
        expectEqual(findings(["pro"], .failure(StoreError(.timedOut, "Late."))).map(\.kind), [.network])
        expectEqual(findings(["pro"], .failure(StoreError(.systemError, "Odd."))).map(\.kind), [.requestFailed])
        #expect(findings(["pro"], .failure(StoreError(.systemError, "Odd."))).first?.hint.hasSuffix("Odd.") == true)
    }

    @Test func `restrictions, a missing storefront, and an empty request are findings`() async {
        let restricted = findings(["pro"], .success([product("pro")]), canMakePayments: false, storefront: nil)
        expectEqual(restricted.map(\.kind), [.purchasesNotAllowed, .noStorefront])
        expectEqual(findings([], .success([])).map(\.kind), [.noIdentifiers])
        expectEqual(await store.diagnose([]).findings.first?.kind, .noIdentifiers)
    }

    @Test func `every finding has a hint that ends with a period`() {
        let all: [ProductDiagnosis.Finding] =
            findings([], .success([]))
            + findings([" "], .success([product("x")]), canMakePayments: false, storefront: nil)
            + findings(["a"], .success([])) + findings(["a"], .failure(StoreError(.networkError, "No network.")))
            + findings(["a"], .failure(StoreError(.systemError, "Odd.")))
        expectEqual(Set(all.map(\.kind)).count, 8)
        #expect(all.allSatisfy { $0.hint.hasSuffix(".") && $0.hint.count > 10 })
    }
}
