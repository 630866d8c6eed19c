import StoreKit

/// StoreKit 2's transactions as entries of a queue: which token each goes by, what has been finished, and what is held back.
///
/// Every transaction goes by its identifier, so what comes twice, as the result of a purchase and as an update, is one entry. What ends
/// without a transaction, cancelled or failed, is an entry of which StoreKit is told nothing. Pure: whoever calls tells the events.
struct StoreKit2Queue: Sendable {
    typealias Signed = VerificationResult<StoreKit.Transaction>

    /// What an entry stands for.
    private enum Entry: Hashable, Sendable {
        case transaction(UInt64)
        /// A payment that has no transaction yet, or none ever.
        case payment(CallID)
        /// A row of a restore: every restore brings its own.
        case restored(UInt64, run: CallID)
        /// A transaction that was taken back: there is nothing to deliver for it, only to acknowledge.
        case revoked(UInt64)
        /// A transaction whose signature does not check out, each time that it is seen.
        case unverified(CallID)
    }

    private var stamper = TransactionStamper<Entry>()
    /// What can be finished.
    private var transactions: [TransactionToken: (entry: Entry, transaction: StoreKit.Transaction)] = [:]
    /// A transaction may be an entry itself, rows of restores, and one that was taken back.
    private var tokens: [UInt64: Set<TransactionToken>] = [:]
    /// Entries that leave when they are finished, and of which StoreKit is told nothing.
    private var bare: [TransactionToken: Entry] = [:]
    /// Finished in this process: StoreKit has been seen to tell of them again, minutes later and signed anew.
    private var finished: Set<UInt64> = []
    /// What one of Apple's views has handed over, and may have finished: StoreKit's list of the unfinished need not have it.
    private var adopted: Set<UInt64> = []
    /// What was taken back, as far as this process has told of it.
    private var revoked: Set<UInt64> = []
    /// The products that are being paid for, by payment.
    private var underWay: [CallID: String] = [:]
    /// What came for a product that is being paid for: it may be the answer. It has its token: what came first is told first.
    private var heldBack: [(id: UInt64, result: Signed)] = []

    var newest: TransactionToken { stamper.newest }
}

// Payments.
extension StoreKit2Queue {
    /// A payment is about to be submitted.
    mutating func begin(_ id: CallID, _ productID: String) {
        underWay[id] = productID
    }

    /// The payment's purchase has returned.
    mutating func end(_ id: CallID, _ payment: PaymentRequest, _ end: PurchaseEnd) -> [QueueEvent] {
        underWay[id] = nil
        let answer: StoreTransaction
        var isEarlier = false
        switch end {
        case .purchased(let result, let ownedBefore):
            switch result {
            case .verified(let transaction):
                isEarlier = ownedBefore.contains(transaction.id)
                answer = stamp(transaction, result.signedText)
            case .unverified(let transaction, let error):
                answer = stamp(bare: .payment(id), payment, .failed, .unverified(transaction.productID, error))
            }
        case .pending: answer = stamp(bare: .payment(id), payment, .deferred, nil)
        case .failed(let error): answer = stamp(bare: .payment(id), payment, .failed, error)
        }
        return [.answeredPayment(id, answer, answersEarlierPayment: isEarlier)] + letGo()
    }

    /// How a call of `purchase` ended.
    enum PurchaseEnd: Sendable {
        /// - Parameter ownedBefore: What the customer had before: StoreKit answers a purchase of what is owned with the old transaction.
        case purchased(Signed, ownedBefore: Set<UInt64>)
        case pending
        case failed(StoreError)
    }

    /// Nobody waits for a payment any more, or its turn is over: what came for its product is told.
    mutating func release(_ id: CallID) -> [QueueEvent] {
        underWay.removeValue(forKey: id) == nil ? [] : letGo()
    }

    private mutating func letGo() -> [QueueEvent] {
        let isHeld: (Signed) -> Bool = { [underWay] in underWay.values.contains($0.unsafePayloadValue.productID) }
        let waiting = heldBack.filter { !isHeld($0.result) }
        heldBack.removeAll { !isHeld($0.result) }
        return waiting.flatMap { take($0.result, wasHeldBack: true) }
    }
}

// What comes by itself.
extension StoreKit2Queue {
    /// What an update, or the list of what is unfinished, has brought.
    /// - Parameter wasHeldBack: Whether it has a token already, and has not been told.
    mutating func take(_ result: Signed, wasHeldBack: Bool = false) -> [QueueEvent] {
        switch result {
        case .unverified(let transaction, let error):
            let payment = PaymentRequest(productID: transaction.productID)
            let failure = stamp(bare: .unverified(CallID()), payment, .failed, .unverified(transaction.productID, error))
            return [.unsolicitedTransactions([failure])]
        case .verified(let transaction):
            if transaction.revocationDate != nil { return revoke(transaction, result.signedText) }
            // Left for a better one: there is nothing to deliver for it.
            guard !transaction.isUpgraded, !finished.contains(transaction.id) else { return [] }
            let known = known(transaction)
            let isTold = known != nil && !wasHeldBack && !heldBack.contains { $0.id == transaction.id }
            // What is unfinished comes as an update and in the list: told again it would only be looked at and put away, ten thousand times.
            if isTold, let known, StatementMemo.Key(known) == StatementMemo.Key(transaction) { return [] }
            let value = stamp(transaction, result.signedText)
            guard isTold || !underWay.values.contains(transaction.productID) else {
                heldBack.removeAll { $0.id == transaction.id }
                heldBack.append((transaction.id, result))
                return []
            }
            return [.unsolicitedTransactions([value])]
        }
    }

    /// What one of Apple's views has sold.
    mutating func adopt(_ result: Signed) -> [QueueEvent] {
        if case .verified(let transaction) = result, !finished.contains(transaction.id) { adopted.insert(transaction.id) }
        return take(result)
    }

    /// All that is unfinished, by StoreKit's list: what is new is one batch. Entries that it does not have any more somebody else has finished.
    /// - Parameter newest: The newest token when the list was asked for: what came since is not missing from it.
    mutating func takeAll(_ unfinished: [Signed], knownBefore newest: TransactionToken) -> [QueueEvent] {
        let present = Set(unfinished.map(\.unsafePayloadValue.id))
        let gone = transactions.filter { token, known in
            guard token <= newest, case .transaction(let id) = known.entry else { return false }
            return !present.contains(id) && !adopted.contains(id)
        }.map(\.key).sorted()
        gone.forEach { remove($0) }
        var events: [QueueEvent] = gone.isEmpty ? [] : [.removedTransactions(gone)]
        var news: [StoreTransaction] = []
        for event in Self.oldestFirst(unfinished).flatMap({ take($0) }) {
            if case .unsolicitedTransactions(let batch) = event { news += batch } else { events.append(event) }
        }
        if !news.isEmpty { events.append(.unsolicitedTransactions(news)) }
        return events
    }

    /// As the customer bought them.
    private static func oldestFirst(_ results: [Signed]) -> [Signed] {
        results.sorted { one, other in
            let (one, other) = (one.unsafePayloadValue, other.unsafePayloadValue)
            return (one.purchaseDate, one.id) < (other.purchaseDate, other.id)
        }
    }

    private mutating func revoke(_ transaction: StoreKit.Transaction, _ text: SignedText) -> [QueueEvent] {
        guard revoked.insert(transaction.id).inserted else { return [] }
        var events: [QueueEvent] = []
        if let token = stamper.knownToken(for: .transaction(transaction.id), transactionID: nil) {
            remove(token)
            events.append(.removedTransactions([token]))
        }
        let token = stampApart(transaction, as: .revoked(transaction.id))
        let value = StoreTransaction(transaction, text: text, token: token, isRestored: false)
        return events + [.revokedEntitlements(PurchaseRevocation(transactions: [value]))]
    }

    /// The transaction as it was when it was last seen.
    private func known(_ transaction: StoreKit.Transaction) -> StoreKit.Transaction? {
        stamper.knownToken(for: .transaction(transaction.id), transactionID: nil).flatMap { transactions[$0]?.transaction }
    }

    /// What the customer owns, as rows of a restore, oldest first.
    mutating func restore(_ owned: [Signed], for account: PurchaseAccount?) -> [QueueEvent] {
        let run = CallID()
        let values = Self.oldestFirst(owned).compactMap { result -> StoreTransaction? in
            guard case .verified(let transaction) = result, account.map({ transaction.belongs(to: $0) }) ?? true else { return nil }
            let token = stampApart(transaction, as: .restored(transaction.id, run: run))
            return StoreTransaction(transaction, text: result.signedText, token: token, isRestored: true)
        }
        return (values.isEmpty ? [] : [.unsolicitedTransactions(values)]) + [.restoreFinished]
    }
}

// Finishing.
extension StoreKit2Queue {
    /// The transaction that StoreKit is to be told of; `nil` when there is none, and the entry has left.
    mutating func finish(_ token: TransactionToken) -> (transaction: StoreKit.Transaction?, events: [QueueEvent]) {
        if let known = transactions[token] { return (known.transaction, []) }
        guard bare[token] != nil else { return (nil, []) }
        remove(token)
        return (nil, [.removedTransactions([token])])
    }

    /// StoreKit has been told.
    mutating func finished(_ transaction: StoreKit.Transaction) -> [QueueEvent] {
        finished.insert(transaction.id)
        adopted.remove(transaction.id)
        let gone = (tokens[transaction.id] ?? []).sorted()
        gone.forEach { remove($0) }
        return gone.isEmpty ? [] : [.removedTransactions(gone)]
    }

    private mutating func remove(_ token: TransactionToken) {
        if let known = transactions.removeValue(forKey: token) {
            stamper.remove(known.entry, transactionID: nil)
            tokens[known.transaction.id]?.remove(token)
            if tokens[known.transaction.id]?.isEmpty == true { tokens[known.transaction.id] = nil }
        } else if let entry = bare.removeValue(forKey: token) {
            stamper.remove(entry, transactionID: nil)
        }
    }
}

// Tokens.
extension StoreKit2Queue {
    private mutating func stamp(_ transaction: StoreKit.Transaction, _ text: SignedText) -> StoreTransaction {
        let entry = Entry.transaction(transaction.id)
        // An approval is known by its payment: a pending one is never among what the queue has.
        let token = stamper.token(
            for: entry, transactionID: "\(transaction.id)", payment: PaymentRequest(answeredBy: transaction),
            queue: { [transactions] in transactions.values.map(\.entry) + [entry] })
        bare[token] = nil
        keep(transaction, as: entry, token)
        return StoreTransaction(transaction, text: text, token: token, isRestored: false)
    }

    private mutating func keep(_ transaction: StoreKit.Transaction, as entry: Entry, _ token: TransactionToken) {
        transactions[token] = (entry, transaction)
        tokens[transaction.id, default: []].insert(token)
    }

    /// An entry beside the transaction's own: a row of a restore, or what was taken back.
    private mutating func stampApart(_ transaction: StoreKit.Transaction, as entry: Entry) -> TransactionToken {
        // No payment is for none: such an entry stands for no approval.
        let token = stamper.token(
            for: entry, transactionID: nil, payment: PaymentRequest(productID: transaction.productID, quantity: 0),
            hasFailed: true, queue: { [entry] })
        keep(transaction, as: entry, token)
        return token
    }

    private mutating func stamp(
        bare entry: Entry, _ payment: PaymentRequest, _ state: StoreTransaction.State, _ error: StoreError?
    ) -> StoreTransaction {
        let token = stamper.token(
            for: entry, transactionID: nil, payment: payment.recognizable, hasFailed: state == .failed,
            queue: { [bare] in bare.values + [entry] })
        bare[token] = entry
        return StoreTransaction(
            token: token, state: state, productID: payment.productID, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, offerID: payment.offer?.id, error: error)
    }
}

extension VerificationResult<StoreKit.Transaction> {
    fileprivate var signedText: SignedText { SignedText(id: "\(unsafePayloadValue.id)") { jwsRepresentation } }
}
