import AppReceipt
import Foundation

/// A change that a delivery ledger has to record.
enum LedgerRecord: Sendable, Hashable {
    /// A purchase was delivered.
    case delivered(DeliveredPurchase)
    /// A purchase with a context is about to be requested.
    case requested(PurchaseContext)
    /// A transaction answers the request.
    case answered(UUID, deliveryKey: String)
    /// The purchase of the request was delivered, or there won't be one.
    case ended(UUID)

    /// Whether the record names an account. Every record is about `nil`, which means everything.
    func isAbout(_ account: String?) -> Bool {
        guard case .requested(let context) = self else { return account == nil }
        return account == nil || context.applicationUsername == account
    }
}

/// The contexts of purchases that aren't delivered yet.
///
/// A context belongs to a transaction in three cases: StoreKit answers the call with the transaction; the transaction
/// carries the context's identifier; or an earlier launch recorded either. In every other case, a request is a
/// candidate at best, because another device of the customer can buy the same product with the same account.
struct PurchaseContexts: Sendable {
    private(set) var contexts = [UUID: PurchaseContext]()
    private var calls = [CallID: UUID]()
    /// The changes and deliveries that weren't recorded yet. Always empty without a delivery ledger.
    private(set) var changes: [LedgerRecord] = []
    private var isRecorded = false

    /// Adds the contexts that earlier launches recorded and that aren't too old.
    mutating func load(_ earlier: [UUID: PurchaseContext], now: Date) {
        isRecorded = true
        contexts.merge(earlier.filter { now.timeIntervalSince($0.value.requestDate) <= PurchaseContext.longestAge }) {
            own, _ in own
        }
    }

    /// Removes and returns the changes that weren't recorded yet. Their deliveries get the present date.
    mutating func takeChanges(now: Date) -> [LedgerRecord] {
        defer { changes = [] }
        return changes.map { change in
            guard case .delivered(var purchase) = change else { return change }
            purchase.deliveryDate = now
            return .delivered(purchase)
        }
    }

    /// Records that the payment of a call is about to be added to the queue.
    mutating func request(_ context: PurchaseContext, by call: CallID, now: Date) {
        for old in contexts.values where now.timeIntervalSince(old.requestDate) > PurchaseContext.longestAge {
            endContext(old.id)
        }
        if contexts.count >= PurchaseContext.mostContexts,
            let oldest = contexts.values.min(by: {
                ($0.requestDate, $0.id.uuidString) < ($1.requestDate, $1.id.uuidString)
            })
        {
            endContext(oldest.id)
        }
        contexts[context.id] = context
        calls[call] = context.id
        record(.requested(context))
    }

    /// Records the transaction that answers a call, and returns the transaction with its context.
    mutating func answer(_ call: CallID, with transaction: StoreTransaction) -> StoreTransaction {
        guard let id = calls.removeValue(forKey: call) else { return transaction }
        if transaction.holdsContent {
            bind(id, to: transaction)
        } else if transaction.error?.code != .purchaseInterrupted, transaction.error?.code != .unknown {
            // The customer may still complete an interrupted purchase.
            endContext(id)
        }
        return attach(to: transaction)
    }

    /// Records that a call bought nothing: it was refused, or answered with an older purchase.
    mutating func endRequest(of call: CallID) {
        if let id = calls.removeValue(forKey: call), contexts[id]?.deliveryKey == nil { endContext(id) }
    }

    /// Records that a call doesn't wait any longer. Its payment continues.
    mutating func forget(_ call: CallID) {
        if !calls.isEmpty { calls[call] = nil }
    }

    /// Records that a purchase was delivered. Its context is no longer needed.
    mutating func delivered(_ transaction: StoreTransaction) {
        guard !contexts.isEmpty, transaction.holdsContent, transaction.id != nil else { return }
        for context in contexts.values where context.deliveryKey == transaction.deliveryKey { endContext(context.id) }
    }

    /// Forgets the contexts of an account's purchases, or all of them. The delivery ledger's file is erased separately.
    mutating func erase(account: String?) {
        contexts = contexts.filter { account != nil && $0.value.applicationUsername != account }
        calls = calls.filter { contexts[$0.value] != nil }
        changes.removeAll { $0.isAbout(account) }
    }

    mutating func record(_ change: LedgerRecord) {
        if isRecorded { changes.append(change) }
    }

    private mutating func endContext(_ id: UUID) {
        if contexts.removeValue(forKey: id) != nil { record(.ended(id)) }
    }

    private mutating func bind(_ id: UUID, to transaction: StoreTransaction) {
        guard transaction.id != nil, contexts[id] != nil, contexts[id]?.deliveryKey == nil else { return }
        contexts[id]?.deliveryKey = transaction.deliveryKey
        record(.answered(id, deliveryKey: transaction.deliveryKey))
    }
}

// Attaching.
extension PurchaseContexts {
    /// Returns the transactions with their contexts, if known.
    mutating func attach(to transactions: [StoreTransaction]) -> [StoreTransaction] {
        contexts.isEmpty ? transactions : transactions.map { attach(to: $0) }
    }

    /// Returns a transaction with its context, if known.
    mutating func attach(to transaction: StoreTransaction) -> StoreTransaction {
        guard !contexts.isEmpty, transaction.holdsContent, transaction.id != nil else { return transaction }
        var transaction = transaction
        if let id = transaction.contextID, contexts[id]?.productID == transaction.productID {
            bind(id, to: transaction)
        }
        let key = transaction.deliveryKey
        if let known = contexts.values.first(where: { $0.deliveryKey == key }) {
            transaction.report.context = .known(known)
        } else if transaction.state == .purchased {
            let candidates = candidates(for: transaction)
            if !candidates.isEmpty { transaction.report.context = .candidates(candidates) }
        }
        return transaction
    }

    /// The requests that a transaction may answer, oldest first, without those that it would name.
    private func candidates(for transaction: StoreTransaction) -> [PurchaseContext] {
        let called = Set(calls.values)
        return contexts.values.filter { context in
            context.deliveryKey == nil && context.productID == transaction.productID && !called.contains(context.id)
                && context.applicationUsername != context.id.uuidString
                && context.applicationUsername == transaction.applicationUsername
                && transaction.purchaseDate.map { $0 >= context.requestDate - 60 } ?? true
        }.inOrder { ($0.requestDate, $0.id.uuidString) < ($1.requestDate, $1.id.uuidString) }
    }
}

extension StoreTransaction {
    /// The context's identifier that the transaction carries instead of an account.
    var contextID: UUID? {
        applicationUsername.flatMap(UUID.init(uuidString:)).flatMap { ContextIdentifier.isContext($0) ? $0 : nil }
    }
}
