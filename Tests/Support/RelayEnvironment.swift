package import AsyncStoreKit
import AsyncStoreKitTesting

/// An environment that forwards every requirement to another one. A conforming type implements the requirements that
/// it changes.
package protocol RelayEnvironment: StoreKit2Environment {
    var next: any StoreKit2Environment { get }
}

extension RelayEnvironment {
    package func listen(_ receive: @escaping @Sendable (StoreKit2Event) -> Void) -> StoreKit2Listening {
        next.listen(receive)
    }
    package func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product] {
        try await next.products(ids)
    }
    package func unfinished() async -> [StoreKit2SignedTransaction] { await next.unfinished() }
    package func currentEntitlements() async -> [StoreKit2SignedTransaction] { await next.currentEntitlements() }
    package func latest(_ productID: String) async -> StoreKit2SignedTransaction? { await next.latest(productID) }
    package func statuses(_ groupID: String) async throws(StoreError) -> [StoreKit2Status] {
        try await next.statuses(groupID)
    }
    package func allTransactions() async -> [StoreKit2SignedTransaction] { await next.allTransactions() }
    package func appTransaction() async throws(StoreError) -> String? { try await next.appTransaction() }
    package func isEligibleForIntroductoryOffer(_ groupID: String) async -> Bool {
        await next.isEligibleForIntroductoryOffer(groupID)
    }
    package var trust: HistoryTrust { next.trust }
    package func sync() async throws(StoreError) { try await next.sync() }
    package var canMakePayments: Bool { next.canMakePayments }
    package func storefront() async -> AppStorefront? { await next.storefront() }
    package func messages(_ receive: @escaping @Sendable (StoreMessage) -> Void) -> StoreKit2Listening {
        next.messages(receive)
    }
    package var receipt: DeviceReceipt { next.receipt }
    package func present(
        _ sheet: StoreSheet, in anchor: PresentationAnchor?
    ) async throws(StoreError) -> StoreKit2SignedTransaction? {
        try await next.present(sheet, in: anchor)
    }
    package var clock: any StoreClock { next.clock }
}
