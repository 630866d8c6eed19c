import AppReceipt
import Foundation
import StoreKit

extension StoreKit2Backend {
    /// Reads the current entitlements, the unfinished transactions, and the statuses of every subscription group that
    /// is known.
    ///
    /// StoreKit's verification is trusted. A transaction that StoreKit can't verify is left out, and its product is
    /// named.
    ///
    /// The first call also reads `Transaction.all`, once, in the background, and has the store read again afterwards:
    /// the history says why access to a product has ended. It never gives access.
    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        let history = await read(groups)
        if past.beginReading() {
            Task(priority: .utility) { [weak self] in
                guard let self else { return }
                if await readPast() { entitlementsMayHaveChanged() }
            }
        }
        return .signed(history)
    }

    /// Reads `Transaction.all` as well.
    package func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory {
        _ = past.beginReading()
        await readPast()
        return .signed(await read([]))
    }

    /// Returns the signed text of `AppTransaction.shared`.
    package func appTransaction() async throws(StoreError) -> String? {
        try await appTransactionRequest.text()
    }

    package var historyTrust: HistoryTrust {
        get async { environment.history.trust() }
    }

    package func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? {
        await environment.history.isEligibleForIntroductoryOffer(groupID)
    }

    private func read(_ knownGroups: Set<String>) async -> SignedPurchaseHistory {
        var reading = HistoryReading(memo: statements)
        // Unfinished transactions first: one that is finished in the meantime is listed by then.
        let unfinished = await environment.unfinished()
        for result in await environment.currentEntitlements() { reading.addCurrent(result) }
        let unfinishedGroups = unfinished.compactMap(\.unsafePayloadValue.subscriptionGroupID)
        let groups = past.addGroups(reading.groups.union(unfinishedGroups).union(knownGroups)).union(loadedGroups)
        for group in groups.inOrder(by: <) {
            do {
                for status in try await environment.statuses(group) { reading.add(status) }
            } catch {
                reading.history.failure = StoreError(storeKit2Error: error, during: "Reading the subscriptions")
            }
        }
        for result in unfinished { reading.addUnfinished(result) }
        (reading.history.past, reading.history.hasReadPast) = (past.statements, past.isRead)
        // The latest transaction of a product says why the product is no longer listed.
        for productID in past.addListed(reading.products) {
            if let result = await environment.latest(productID) { reading.addLatest(result) }
        }
        return reading.history
    }

    /// Reads the history.
    /// - Returns: Whether there is one.
    @discardableResult
    private func readPast() async -> Bool {
        var reading = HistoryReading(memo: statements)
        for result in await environment.history.transactions() { reading.addPast(result) }
        past.set(reading.history.past)
        return !reading.history.past.isEmpty
    }
}

extension AppTransactionRequest {
    /// A request to StoreKit.
    convenience init(_ environment: StoreKit2Environment) {
        self.init { () async throws(StoreError) -> String? in
            do {
                return try await environment.history.app()
            } catch {
                throw StoreError(storeKit2Error: error, during: "The request for the app transaction")
            }
        }
    }
}

extension ReceiptSubscriptionState {
    /// `nil` for a state that StoreKit adds later.
    fileprivate init?(_ state: Product.SubscriptionInfo.RenewalState) {
        switch state {
        case .subscribed: self = .subscribed
        case .inGracePeriod: self = .inGracePeriod
        case .inBillingRetryPeriod: self = .inBillingRetryPeriod
        case .expired: self = .expired
        case .revoked: self = .revoked
        default: return nil
        }
    }
}

/// What one read has brought so far.
private struct HistoryReading {
    let memo: StatementMemo
    var history = SignedPurchaseHistory()
    private var seen: Set<StatementMemo.Key> = []

    init(memo: StatementMemo) {
        self.memo = memo
    }

    /// The groups of the current entitlements.
    var groups: Set<String> { Set(history.transactions.compactMap(\.value.subscriptionGroupID)) }
    /// The products of the current entitlements and the subscription statuses.
    var products: Set<String> { Set([history.transactions, history.subscriptions].joined().map(\.value.productID)) }

    mutating func addCurrent(_ result: VerificationResult<StoreKit.Transaction>) {
        if let statement = evidence(result) { history.transactions.append(statement) }
    }

    mutating func addUnfinished(_ result: VerificationResult<StoreKit.Transaction>) {
        if let statement = evidence(result) { history.unfinished.append(statement) }
    }

    /// Adds a transaction of the history. One that doesn't verify is left out, and isn't named, because it decides
    /// nothing.
    mutating func addPast(_ result: VerificationResult<StoreKit.Transaction>) {
        guard case .verified(let transaction) = result else { return }
        if let statement = statement(StatementMemo.Key(transaction), result) { history.past.append(statement) }
    }

    /// Adds StoreKit's latest transaction of a product that is no longer listed.
    mutating func addLatest(_ result: VerificationResult<StoreKit.Transaction>) {
        guard case .verified(let transaction) = result else { return }
        if let statement = statement(StatementMemo.Key(transaction), result) { history.latest.append(statement) }
    }

    /// Returns a transaction that verifies, once. The product of one that doesn't verify is named.
    private mutating func evidence(
        _ result: VerificationResult<StoreKit.Transaction>
    ) -> SignedStatement<ReceiptTransaction>? {
        let transaction = result.unsafePayloadValue
        let key = StatementMemo.Key(transaction)
        guard seen.insert(key).inserted else { return nil }
        guard case .verified = result, let statement = statement(key, result) else {
            history.unverifiedProductIDs.insert(transaction.productID)
            return nil
        }
        return statement
    }

    private func statement(
        _ key: StatementMemo.Key, _ result: VerificationResult<StoreKit.Transaction>
    ) -> SignedStatement<ReceiptTransaction>? {
        guard let row = memo.row(key, { result.jwsRepresentation }) else { return nil }
        return SignedStatement(row, text: { result.jwsRepresentation })
    }

    mutating func add(_ status: Product.SubscriptionInfo.Status) {
        if let statement = evidence(status.transaction) { history.subscriptions.append(statement) }
        if case .verified(let transaction) = status.transaction, let state = ReceiptSubscriptionState(status.state),
            let row = statement(StatementMemo.Key(transaction), status.transaction)?.value
        {
            history.statuses.append(SubscriptionStatement(row, state))
        }
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

/// What a launch remembers of its reads: the history, which is read once for entitlements, and what the other
/// listings had.
final class PastPurchases: Sendable {
    private struct State: Sendable {
        var hasBegun = false
        var isRead = false
        var statements: [SignedStatement<ReceiptTransaction>] = []
        var groups: Set<String> = []
        var listed: Set<String> = []
    }

    private let state = Locked(State())

    /// The history, as far as it has been read.
    var statements: [SignedStatement<ReceiptTransaction>] { state.withLock { $0.statements } }

    /// Whether the history has been read.
    var isRead: Bool { state.withLock { $0.isRead } }

    /// Returns `true` once: to the caller that reads the history.
    func beginReading() -> Bool {
        state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    func set(_ statements: [SignedStatement<ReceiptTransaction>]) {
        let groups = Set(statements.compactMap(\.value.subscriptionGroupID))
        state.withLock { state in
            state.statements = statements
            state.isRead = true
            state.groups.formUnion(groups)
        }
    }

    /// Adds subscription groups, and returns every group that is known.
    func addGroups(_ groups: Set<String>) -> Set<String> {
        state.withLock { state in
            state.groups.formUnion(groups)
            return state.groups
        }
    }

    /// Adds products that are listed, and returns those that an earlier read had and this one lacks, in order.
    func addListed(_ products: Set<String>) -> [String] {
        state.withLock { state in
            let missing = state.listed.subtracting(products)
            state.listed.formUnion(products)
            return missing.inOrder(by: <)
        }
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
