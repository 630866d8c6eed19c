package import AsyncStoreKit
import AsyncStoreKitTesting

/// A backend whose reads of the purchase history are counted, and wait or fail as a test decides.
package final class ReadingDevice: RelayBackend {
    package let next: any StoreBackend
    /// The gate at which reads wait while it is closed.
    package let gate: Gate
    package let reads: Recorder<Void>
    private let code: Locked<StoreError.Code?>

    package init(
        _ next: any StoreBackend, gate: Gate = Gate(isOpen: true), reads: Recorder<Void> = Recorder(),
        fails code: StoreError.Code? = nil
    ) {
        (self.next, self.gate, self.reads, self.code) = (next, gate, reads, Locked(code))
    }

    /// Fails the later reads with a code, or with none.
    package func fails(_ code: StoreError.Code?) { self.code.withLock { $0 = code } }

    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        reads.record(())
        await gate.pass()
        if let code = code.withLock({ $0 }) { throw StoreError(code, "The device doesn't answer.") }
        return try await next.purchaseHistory(groups: groups)
    }
}

/// The lists of StoreKit 2.
package enum StoreKit2List: CaseIterable, Sendable {
    case unfinished, currentEntitlements, latest, statuses, history, eligibility
}

/// An environment that tells a test which list is read, with the product or the group, and waits for the test.
package struct WatchedLists: RelayEnvironment {
    package let next: any StoreKit2Environment
    private let read: @Sendable (StoreKit2List, String) async -> Void

    package init(_ next: any StoreKit2Environment, read: @escaping @Sendable (StoreKit2List, String) async -> Void) {
        (self.next, self.read) = (next, read)
    }

    package func unfinished() async -> [StoreKit2SignedTransaction] {
        await read(.unfinished, "")
        return await next.unfinished()
    }

    package func currentEntitlements() async -> [StoreKit2SignedTransaction] {
        await read(.currentEntitlements, "")
        return await next.currentEntitlements()
    }

    package func latest(_ productID: String) async -> StoreKit2SignedTransaction? {
        await read(.latest, productID)
        return await next.latest(productID)
    }

    package func statuses(_ groupID: String) async throws(StoreError) -> [StoreKit2Status] {
        await read(.statuses, groupID)
        return try await next.statuses(groupID)
    }

    package func allTransactions() async -> [StoreKit2SignedTransaction] {
        await read(.history, "")
        return await next.allTransactions()
    }

    package func isEligibleForIntroductoryOffer(_ groupID: String) async -> Bool {
        await read(.eligibility, groupID)
        return await next.isEligibleForIntroductoryOffer(groupID)
    }
}
