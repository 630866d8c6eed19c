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
    /// the history says why access to a product has ended. It never gives access. If it doesn't end in time, the next
    /// call reads it again.
    ///
    /// A list that doesn't end in time hides nothing that other lists say.
    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        let history = await read(groups)
        if past.withLock({ $0.beginReading() }) {
            _ = work.task(priority: .utility) { [weak self] in
                guard let self, await readPast() == nil else { return }
                entitlementsMayHaveChanged()
            }
        }
        return .signed(history)
    }

    /// Reads `Transaction.all` as well.
    /// - Throws: ``StoreError/Code/timedOut`` if it doesn't end in time.
    package func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory {
        past.withLock { _ = $0.beginReading() }
        if let failure = await readPast() { throw failure }
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
        await lists.read(.eligibility(group: groupID)) { [environment] in
            await environment.isEligibleForIntroductoryOffer(groupID)
        }.value
    }

    private func read(_ knownGroups: Set<String>) async -> PurchaseListing {
        var reading = HistoryReading(memo: decodedTransactions)
        // Unfinished transactions first: one that is finished in the meantime is listed by then.
        let answer = await lists.read(.unfinished) { [environment] in await environment.unfinished() }
        let unfinished = reading.value(of: answer) ?? []
        for result in reading.value(of: await readCurrentEntitlements()) ?? [] {
            reading.addEvidence(result, to: \.transactions)
        }
        let unfinishedGroups = unfinished.compactMap {
            decodedTransactions.info(of: $0)?.value.facts.subscriptionGroupID
        }
        let groups = reading.groups.union(unfinishedGroups).union(knownGroups)
        for (group, answer) in await readStatuses(ofKnown: groups) {
            for status in reading.value(of: answer) ?? [] { reading.addStatus(status, inGroup: group) }
        }
        for result in unfinished { reading.addEvidence(result, to: \.unfinished) }
        (reading.history.past, reading.history.hasReadPast) = past.withLock { ($0.signedTransactions, $0.isRead) }
        // The latest transaction of a product says why the product is no longer listed.
        let (listed, waiting) = (reading.products, reading.unfinishedProducts)
        let unlisted = past.withLock { $0.addListed(listed, unfinished: waiting) }
        for answer in await readLatest(of: unlisted) {
            if let result = reading.value(of: answer) ?? nil { reading.add(result, to: \.latest) }
        }
        return reading.history
    }

    func readLatest(of productIDs: [String]) async -> [StoreKit2Lists.Answer<StoreKit2SignedTransaction?>] {
        await lists.read(productIDs, as: StoreKit2Lists.List.latest) { [environment] in await environment.latest($0) }
    }

    private func readCurrentEntitlements() async -> StoreKit2Lists.Answer<[StoreKit2SignedTransaction]> {
        await lists.read(.currentEntitlements) { [environment] in await environment.currentEntitlements() }
    }

    /// Reads the statuses of subscription groups, and of every other group that is known, in the order of the groups.
    private func readStatuses(
        ofKnown groups: Set<String>
    ) async -> [(group: String, answer: StoreKit2Lists.Answer<[StoreKit2Status]>)] {
        let groups = past.withLock { $0.addGroups(groups) }.union(loadedGroups).inOrder(by: <)
        return zip(groups, await readStatuses(ofEach: groups)).map { ($0, $1) }
    }

    func readStatuses(ofEach groups: [String]) async -> [StoreKit2Lists.Answer<[StoreKit2Status]>] {
        await lists.read(groups, as: StoreKit2Lists.List.statuses) {
            [environment] (group) async throws(StoreError) in try await environment.statuses(group)
        }
    }

    /// The current entitlements, the transactions of subscription statuses that give access, and those of other
    /// products that the customer owns as the entitlements say. StoreKit sometimes leaves transactions out of the
    /// current entitlements.
    /// - Throws: ``StoreError/Code/timedOut`` if the current entitlements don't end in time.
    func ownedTransactions() async throws(StoreError) -> [StoreKit2SignedTransaction] {
        let current = await readCurrentEntitlements()
        if let failure = current.failure { throw failure }
        var owned = current.value ?? []
        var known = Set(owned.map(\.id))
        let groups = Set(owned.compactMap { decodedTransactions.info(of: $0)?.value.facts.subscriptionGroupID })
        for (_, answer) in await readStatuses(ofKnown: groups) {
            // A status that can't be read adds nothing.
            for status in answer.value ?? []
            where (status.state == .subscribed || status.state == .inGracePeriod)
                && known.insert(status.transaction.id).inserted
            {
                owned.append(status.transaction)
            }
        }
        return owned + (await unlisted(ownedProducts.subtracting(owned.map(\.productID))))
    }

    /// Returns the latest transactions of products that the lists lack: StoreKit's, or else those of the history.
    private func unlisted(_ productIDs: Set<String>) async -> [StoreKit2SignedTransaction] {
        let now = clock.now
        func isOwned(_ signedTransaction: StoreKit2SignedTransaction) -> Bool {
            let version = signedTransaction.version
            return signedTransaction.isVerified && version.revocationDate == nil && !version.isUpgraded
                && version.expirationDate.map { $0 > now } ?? true
        }
        var found: [String: StoreKit2SignedTransaction] = [:]
        for answer in await readLatest(of: productIDs.inOrder(by: <)) {
            if let signedTransaction = answer.value ?? nil, isOwned(signedTransaction) {
                found[signedTransaction.productID] = signedTransaction
            }
        }
        guard productIDs.contains(where: { found[$0] == nil }) else { return Array(found.values) }
        let history = await lists.read(.history) { [environment] in await environment.allTransactions() }
        for signedTransaction in history.value ?? []
        where productIDs.contains(signedTransaction.productID) && isOwned(signedTransaction) {
            let known = found[signedTransaction.productID]
            if known.map({ $0.purchaseDate < signedTransaction.purchaseDate }) ?? true {
                found[signedTransaction.productID] = signedTransaction
            }
        }
        return Array(found.values)
    }

    /// Reads `Transaction.all`. Returns why it isn't complete; `nil` if it is.
    private func readPast() async -> StoreError? {
        let answer = await lists.read(.history, within: StoreKit2Lists.historyLimit) { [environment] in
            await environment.allTransactions()
        }
        guard answer.failure == nil else {
            past.withLock { $0.readingFailed() }
            return answer.failure
        }
        var reading = HistoryReading(memo: decodedTransactions)
        for result in answer.value ?? [] { reading.add(result, to: \.past) }
        past.withLock { [history = reading.history.past] in $0.readingEnded(history) }
        return nil
    }
}

extension AppTransactionRequest {
    convenience init(_ environment: any StoreKit2Environment) {
        self.init(StoreFunction { () async throws(StoreError) in try await environment.appTransaction() })
    }
}

/// The results of a read so far.
private struct HistoryReading {
    let memo: DecodedTransactions
    var history = PurchaseListing()
    private var seen: Set<StoreKit2SignedTransaction.Version> = []

    init(memo: DecodedTransactions) {
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

    /// Returns what a list has given, and records why the list isn't complete.
    mutating func value<Value>(of answer: StoreKit2Lists.Answer<Value>) -> Value? {
        if let failure = answer.failure { history.failure = failure }
        return answer.value
    }

    /// Adds a transaction that verifies, once. The product of one that doesn't verify is named.
    mutating func addEvidence(
        _ transaction: StoreKit2SignedTransaction, to list: WritableKeyPath<PurchaseListing, [VerifiedTransaction]>
    ) {
        guard seen.insert(transaction.version).inserted else { return }
        if !add(transaction, to: list) { history.unverifiedProductIDs.insert(transaction.productID) }
    }

    /// Adds a transaction that verifies. Returns `false` for one that doesn't.
    @discardableResult
    mutating func add(
        _ transaction: StoreKit2SignedTransaction, to list: WritableKeyPath<PurchaseListing, [VerifiedTransaction]>
    ) -> Bool {
        guard let signedTransaction = signedTransaction(transaction) else { return false }
        history[keyPath: list].append(signedTransaction)
        return true
    }

    private func signedTransaction(_ transaction: StoreKit2SignedTransaction) -> VerifiedTransaction? {
        guard transaction.isVerified, let info = memo.info(of: transaction) else { return nil }
        return VerifiedTransaction(info, text: transaction.jws)
    }

    mutating func addStatus(_ status: StoreKit2Status, inGroup groupID: String) {
        let report = report(status, inGroup: groupID)
        if let report { history.statuses.append(report) }
        addEvidence(status.transaction, to: \.subscriptions)
        let id = report?.originalTransactionID ?? status.transaction.productID
        if status.renewal.isVerified, let renewal = memo.renewal(status.renewal, of: id) {
            history.renewals.append(renewal)
        } else {
            history.unverifiedProductIDs.insert(status.transaction.productID)
        }
    }

    /// Returns the state of a subscription whose transaction verifies.
    private func report(_ status: StoreKit2Status, inGroup groupID: String) -> SubscriptionStatusReport? {
        guard let row = signedTransaction(status.transaction)?.facts else { return nil }
        return SubscriptionStatusReport(
            groupID: groupID, state: status.state, productID: row.productID, transactionID: row.transactionID,
            originalTransactionID: row.originalTransactionID, isFamilyShared: row.isFamilyShared)
    }
}

/// What a launch remembers of its reads: the history, which is read once, and what the other listings had.
struct PastPurchases: Sendable {
    /// Whether the history has been read.
    private(set) var isRead = false
    private(set) var signedTransactions: [VerifiedTransaction] = []
    private var hasBegun = false
    private var groups: Set<String> = []
    private var listed: Set<String> = []

    /// Returns `true` to the caller that reads the history: the first one, and the next one after a failure.
    mutating func beginReading() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// Has a later caller read the history.
    mutating func readingFailed() {
        hasBegun = isRead
    }

    mutating func readingEnded(_ history: [VerifiedTransaction]) {
        (signedTransactions, isRead) = (history, true)
        groups.formUnion(history.compactMap(\.facts.subscriptionGroupID))
    }

    /// Adds subscription groups, and returns every group that is known.
    mutating func addGroups(_ groups: Set<String>) -> Set<String> {
        self.groups.formUnion(groups)
        return self.groups
    }

    /// Adds products that are listed or unfinished, and returns those of this read and earlier ones that this read
    /// doesn't list, in order. The list can lack a purchase that is unfinished, and that is finished a moment later.
    mutating func addListed(_ products: Set<String>, unfinished: Set<String>) -> [String] {
        listed.formUnion(products.union(unfinished))
        return listed.subtracting(products).inOrder(by: <)
    }
}
