import AppReceipt
import Foundation

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
            _ = work.task(priority: .utility) { [weak self] in
                guard let self else { return }
                await readPast()
                entitlementsMayHaveChanged()
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
        get async {
            var trust = environment.trust
            // StoreKit has verified it, so it takes precedence over the name of the receipt. Nothing is requested here.
            if let app = appTransactionRequest.knownAppTransaction {
                trust.environment = app.environment ?? trust.environment
            }
            return trust
        }
    }

    package func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? {
        await environment.isEligibleForIntroductoryOffer(groupID)
    }

    private func read(_ knownGroups: Set<String>) async -> PurchaseListing {
        var reading = HistoryReading(memo: statements)
        // Unfinished transactions first: one that is finished in the meantime is listed by then.
        let unfinished = await environment.unfinished()
        for result in await environment.currentEntitlements() { reading.addCurrent(result) }
        let unfinishedGroups = unfinished.compactMap { statements.info(of: $0)?.value.facts.subscriptionGroupID }
        let groups = past.addGroups(reading.groups.union(unfinishedGroups).union(knownGroups)).union(loadedGroups)
        for group in groups.inOrder(by: <) {
            do throws(StoreError) {
                for status in try await environment.statuses(group) { reading.addStatus(status, inGroup: group) }
            } catch {
                reading.history.failure = error
            }
        }
        for result in unfinished { reading.addUnfinished(result) }
        (reading.history.past, reading.history.hasReadPast) = (past.statements, past.isRead)
        // The latest transaction of a product says why the product is no longer listed.
        for productID in past.addListed(reading.products, unfinished: reading.unfinishedProducts) {
            if let result = await environment.latest(productID) { reading.addLatest(result) }
        }
        return reading.history
    }

    /// The current entitlements, and the transactions of subscription statuses that give access. StoreKit sometimes
    /// leaves transactions out of the current entitlements.
    func ownedTransactions() async -> [StoreKit2Statement] {
        var owned = await environment.currentEntitlements()
        var known = Set(owned.map(\.id))
        let groups = Set(owned.compactMap { statements.info(of: $0)?.value.facts.subscriptionGroupID })
        for group in past.addGroups(groups).union(loadedGroups).inOrder(by: <) {
            // A status that can't be read adds nothing.
            for status in (try? await environment.statuses(group)) ?? []
            where (status.state == .subscribed || status.state == .inGracePeriod)
                && known.insert(status.transaction.id).inserted
            {
                owned.append(status.transaction)
            }
        }
        return owned
    }

    private func readPast() async {
        var reading = HistoryReading(memo: statements)
        for result in await environment.allTransactions() { reading.addPast(result) }
        past.set(reading.history.past)
    }
}

extension AppTransactionRequest {
    /// A request to StoreKit.
    convenience init(_ environment: any StoreKit2Environment) {
        self.init(StoreFunction { () async throws(StoreError) in try await environment.appTransaction() })
    }
}

/// The results of a read so far.
private struct HistoryReading {
    let memo: StatementMemo
    var history = PurchaseListing()
    private var seen: Set<StoreKit2Statement.Version> = []

    init(memo: StatementMemo) {
        self.memo = memo
    }

    /// The groups of the current entitlements.
    var groups: Set<String> { Set(history.transactions.compactMap(\.facts.subscriptionGroupID)) }
    /// The products of the unfinished transactions, without consumables.
    var unfinishedProducts: Set<String> {
        Set(history.unfinished.lazy.filter { $0.facts.productKind != .consumable }.map(\.facts.productID))
    }
    /// The products of the current entitlements and the subscription statuses.
    var products: Set<String> { Set([history.transactions, history.subscriptions].joined().map(\.facts.productID)) }

    mutating func addCurrent(_ transaction: StoreKit2Statement) {
        if let statement = evidence(transaction) { history.transactions.append(statement) }
    }

    mutating func addUnfinished(_ transaction: StoreKit2Statement) {
        if let statement = evidence(transaction) { history.unfinished.append(statement) }
    }

    /// Adds a transaction of the history. One that doesn't verify is left out, and isn't named, because it decides
    /// nothing.
    mutating func addPast(_ transaction: StoreKit2Statement) {
        if let statement = statement(transaction) { history.past.append(statement) }
    }

    /// Adds StoreKit's latest transaction of a product that is no longer listed.
    mutating func addLatest(_ transaction: StoreKit2Statement) {
        if let statement = statement(transaction) { history.latest.append(statement) }
    }

    /// Returns a transaction that verifies, once. The product of one that doesn't verify is named.
    private mutating func evidence(_ transaction: StoreKit2Statement) -> VerifiedTransaction? {
        guard seen.insert(transaction.version).inserted else { return nil }
        guard let statement = statement(transaction) else {
            history.unverifiedProductIDs.insert(transaction.productID)
            return nil
        }
        return statement
    }

    private func statement(_ transaction: StoreKit2Statement) -> VerifiedTransaction? {
        guard transaction.isVerified, let info = memo.info(of: transaction) else { return nil }
        return VerifiedTransaction(info, text: transaction.jws)
    }

    mutating func addStatus(_ status: StoreKit2Status, inGroup groupID: String) {
        if let report = report(status, inGroup: groupID) { history.statuses.append(report) }
        if let statement = evidence(status.transaction) { history.subscriptions.append(statement) }
        let signed = status.renewal
        guard signed.isVerified, let info = try? SignedRenewalInfo(payload: signed.payload()),
            let renewal = ReceiptRenewal(info)
        else {
            history.unverifiedProductIDs.insert(status.transaction.productID)
            return
        }
        history.renewals.append(SignedStatement(renewal, text: signed.jws))
    }

    /// Returns the state of a subscription whose transaction verifies.
    private func report(_ status: StoreKit2Status, inGroup groupID: String) -> SubscriptionStatusReport? {
        guard let row = statement(status.transaction)?.facts else { return nil }
        return SubscriptionStatusReport(
            groupID: groupID, state: status.state, productID: row.productID, transactionID: row.transactionID,
            originalTransactionID: row.originalTransactionID, isFamilyShared: row.isFamilyShared)
    }
}

/// What a launch remembers of its reads: the history, which is read once for entitlements, and what the other
/// listings had.
final class PastPurchases: Sendable {
    private struct State: Sendable {
        var hasBegun = false
        var isRead = false
        var statements: [VerifiedTransaction] = []
        var groups: Set<String> = []
        var listed: Set<String> = []
    }

    private let state = Locked(State())

    /// The history, if it has been read.
    var statements: [VerifiedTransaction] { state.withLock { $0.statements } }

    /// Whether the history has been read.
    var isRead: Bool { state.withLock { $0.isRead } }

    /// Returns `true` once: to the caller that reads the history.
    func beginReading() -> Bool {
        state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    func set(_ statements: [VerifiedTransaction]) {
        let groups = Set(statements.compactMap(\.facts.subscriptionGroupID))
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

    /// Adds products that are listed or unfinished, and returns those of this read and earlier ones that this read
    /// doesn't list, in order. The list can lack a purchase that is unfinished, and that is finished a moment later.
    func addListed(_ products: Set<String>, unfinished: Set<String>) -> [String] {
        state.withLock { state in
            state.listed.formUnion(products.union(unfinished))
            return state.listed.subtracting(products).inOrder(by: <)
        }
    }
}
