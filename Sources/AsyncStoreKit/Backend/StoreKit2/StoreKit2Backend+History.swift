import AppReceipt
import Foundation
import StoreKit

extension StoreKit2Backend {
    /// Everything that the device has: what is listed as owned, the history, what is unfinished, and how the subscriptions stand. The
    /// listings have been seen to miss what another has, so one makes up for the other.
    ///
    /// What StoreKit has verified is taken at its word; what it has not is left out, and named.
    package func purchaseHistory() async throws(StoreError) -> PurchaseHistory {
        var reading = HistoryReading(memo: statements)
        for listing in [environment.currentEntitlements, environment.history.transactions, environment.unfinished] {
            for result in await listing() { reading.add(result) }
        }
        for group in Set(reading.history.transactions.compactMap(\.value.subscriptionGroupID)).inOrder(by: <) {
            do {
                for status in try await environment.statuses(group) { reading.add(status) }
            } catch {
                reading.history.failure = StoreError(storeKit2Error: error, during: "Reading the subscriptions")
            }
        }
        reading.history.app = await environment.history.app()
        return .signed(reading.history)
    }

    package var historyTrust: HistoryTrust {
        get async { environment.history.trust() }
    }

    package func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? {
        await environment.history.isEligibleForIntroductoryOffer(groupID)
    }
}

/// What has been read so far.
private struct HistoryReading {
    let memo: StatementMemo
    var history = SignedPurchaseHistory()
    private var seen: Set<StatementMemo.Key> = []

    init(memo: StatementMemo) {
        self.memo = memo
    }

    mutating func add(_ result: VerificationResult<StoreKit.Transaction>) {
        let transaction = result.unsafePayloadValue
        let key = StatementMemo.Key(transaction)
        guard seen.insert(key).inserted else { return }
        guard case .verified = result, let row = memo.row(key, { result.jwsRepresentation }) else {
            history.unverifiedProductIDs.insert(transaction.productID)
            return
        }
        history.transactions.append(SignedStatement(row, text: { result.jwsRepresentation }))
    }

    mutating func add(_ status: Product.SubscriptionInfo.Status) {
        add(status.transaction)
        let result = status.renewalInfo
        guard case .verified = result, let info = try? SignedPayload.unverified(jws: result.jwsRepresentation).renewalInfo,
            let renewal = ReceiptRenewal(info)
        else {
            history.unverifiedProductIDs.insert(status.transaction.unsafePayloadValue.productID)
            return
        }
        history.renewals.append(SignedStatement(renewal, text: { result.jwsRepresentation }))
    }
}

/// The transactions that have been decoded, so that each is once: most are the same the next time.
final class StatementMemo: Sendable {
    /// A transaction as it was signed once, and what can change about it.
    struct Key: Hashable, Sendable {
        private let id: UInt64
        private let signedDate: Date
        private let expirationDate: Date?
        private let revocationDate: Date?
        private let isUpgraded: Bool

        init(_ transaction: StoreKit.Transaction) {
            id = transaction.id
            signedDate = transaction.signedDate
            expirationDate = transaction.expirationDate
            revocationDate = transaction.revocationDate
            isUpgraded = transaction.isUpgraded
        }
    }

    private let rows = Locked<[Key: ReceiptTransaction]>([:])

    /// What a signed text says; `nil` when it is no transaction.
    func row(_ key: Key, _ text: () -> String) -> ReceiptTransaction? {
        if let known = rows.withLock({ $0[key] }) { return known }
        guard let info = try? SignedPayload.unverified(jws: text()).transaction else { return nil }
        let row = ReceiptTransaction(info)
        rows.withLock { rows in
            // More than anybody has bought: what has been signed anew many times.
            if rows.count >= 50_000 { rows = [:] }
            rows[key] = row
        }
        return row
    }
}
