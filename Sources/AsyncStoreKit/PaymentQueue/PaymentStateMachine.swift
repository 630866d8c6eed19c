import Foundation

/// Which payments are with StoreKit, which calls wait for their turn, and which transaction answers which payment.
///
/// A call goes from its place in line to the slot, is answered, may be waiting for an installed delivery, and ends. Calls wait in the
/// order in which they were made; a place may be reserved before its product is known, and a slow look-up holds nobody back. One payment
/// at a time has the slot. A payment of which StoreKit says nothing gives it up after a while to a call for another product, and is
/// still answered when its transaction comes: then several are under way.
struct PaymentStateMachine: Sendable {
    /// A call of `purchase`.
    struct Call: Sendable, Hashable {
        let request: PaymentRequest
        let style: Deliverer.CallStyle
    }

    /// A payment that is with StoreKit.
    struct Submitted: Sendable, Hashable {
        let id: CallID
        let call: Call
        /// The newest token when the payment was added: transactions up to here cannot be its answer.
        var mark: TransactionToken?
        /// The transaction that answers this payment, once it has been seen.
        var bound: TransactionToken?
        /// An older transaction of the product that has been reported anew since.
        var older: StoreTransaction?
        /// When StoreKit was last heard of it: when it was submitted, or last reported as being purchased.
        fileprivate(set) var lastResponse: Date
        /// Whether the slot has gone on without it.
        fileprivate(set) var isUnresponsive = false

        var request: PaymentRequest { call.request }

        /// StoreKit has said something of it that is no answer.
        mutating func hear(_ now: Date) {
            lastResponse = now
            isUnresponsive = false
        }
    }

    /// How many times as long a payment may be silent before another for the same product is submitted, if the queue doesn't have it. A
    /// second sheet for the same thing would charge a customer who is still reading the first.
    static let patienceForSameProduct = 10.0

    /// How long calls for the same product wait behind a silent payment at most, in seconds. They would have to wait for its sheet, which
    /// the customer can't close while the app takes taps.
    static let longestPatienceOfSameProduct = 30.0

    /// What dates may differ by and still mean the same moment, in seconds.
    static let tolerance = 0.000_5

    /// How long a payment may be silent while a call for another product waits, in seconds.
    let patience: TimeInterval
    /// How long a payment may be silent while a call for the same product waits, in seconds.
    var patienceOfSameProduct: TimeInterval { min(patience, Self.longestPatienceOfSameProduct) }
    private var line = PaymentLine()
    /// In the order of their submission.
    var submitted: [Submitted] = []
    /// Calls whose transaction the installed delivery has.
    private var delivering: Set<CallID> = []
    var pendingApprovals: [TransactionToken: PendingPurchase] = [:]

    init(patience: TimeInterval) {
        self.patience = patience.isNaN ? 0 : max(0, patience)
    }

    /// How many calls wait for their turn, places included that are only reserved.
    var waitingCount: Int { line.count }

    /// The payment that has the slot.
    var inFlight: PaymentRequest? { submitted.last { !$0.isUnresponsive }?.request }

    /// Payments that are with StoreKit and have been silent for so long that the slot went on.
    var silent: [PaymentRequest] { submitted.filter(\.isUnresponsive).map(\.request) }
}

// The line.
extension PaymentStateMachine {
    /// Takes a place in line for a payment whose product is not known yet.
    mutating func reserve(_ id: CallID) {
        line.reserve(id)
    }

    /// Takes a place in line.
    mutating func enqueue(_ id: CallID, _ call: Call) {
        line.append(id, call)
    }

    /// Fills a reserved place. False when it has been given up: the call was cancelled.
    mutating func fill(_ id: CallID, _ call: Call) -> Bool {
        line.fill(id, call)
    }

    /// Gives up a reserved place.
    mutating func withdraw(_ id: CallID) {
        guard line.isReserved(id) else { return }
        _ = line.remove(id)
    }

    enum CancelAction: Equatable {
        /// Only a place was reserved, which held nobody back: nobody waits for an answer.
        case release
        /// The payment was never submitted: answer the call.
        case withdraw
        /// The payment is with StoreKit: answer the call; whatever comes of the payment goes to the stream.
        case abandon
        /// The installed delivery has its transaction: answer the call; the delivery goes on.
        case leaveDelivery
        /// The call has ended: there is nothing to do.
        case none
    }

    /// Cancels the call. The restore continues.
    mutating func cancel(_ id: CallID) -> CancelAction {
        let wasReserved = line.isReserved(id)
        if line.remove(id) { return wasReserved ? .release : .withdraw }
        if delivering.remove(id) != nil { return .leaveDelivery }
        guard isSubmitted(id) else { return .none }
        end(id)
        return .abandon
    }

    /// The call is over, or its payment no longer waited for.
    mutating func end(_ id: CallID) {
        delivering.remove(id)
        if let place = submitted.firstIndex(where: { $0.id == id }) { submitted.remove(at: place) }
    }

    /// The installed delivery has the transaction that answers a call.
    mutating func beginDelivery(for id: CallID) {
        end(id)
        delivering.insert(id)
    }

    /// Whether the payment of a call is with StoreKit, and not answered.
    func isSubmitted(_ id: CallID) -> Bool {
        submitted.contains { $0.id == id }
    }
}

// The slot.
extension PaymentStateMachine {
    /// A payment that is to be submitted.
    struct Submission: Sendable {
        let payment: Submitted
        /// The payments that had the slot, of which nothing has been heard for so long that it goes on without them.
        let overtaken: [Submitted]
    }

    /// The payment to be submitted now, if there is a place for one; it has the slot from then on.
    mutating func submitNext(now: Date) -> Submission? {
        // A clock that was set back must not make the wait longer.
        for index in submitted.indices where submitted[index].lastResponse > now { submitted[index].lastResponse = now }
        guard submitted.allSatisfy({ hasBeenSilent($0, for: patience, now: now) }) else { return nil }
        let held = submitted.filter { holdsBackSameProduct($0, now: now) }
        guard let next = line.takeFirst(except: Set(held.map(\.request.productID))) else { return nil }
        var overtaken: [Submitted] = []
        for index in submitted.indices where !submitted[index].isUnresponsive {
            submitted[index].isUnresponsive = true
            overtaken.append(submitted[index])
        }
        let payment = Submitted(id: next.id, call: next.call, lastResponse: now)
        submitted.append(payment)
        return Submission(payment: payment, overtaken: overtaken)
    }

    /// Takes out the calls that wait behind a silent payment for the same product: its sheet may still be open.
    mutating func takeCallsBehindSilence(now: Date) -> [CallID] {
        guard waitingCount > 0 else { return [] }
        let silent = submitted.filter {
            hasBeenSilent($0, for: patienceOfSameProduct, now: now) && holdsBackSameProduct($0, now: now)
        }
        return Set(silent.map(\.request.productID)).sorted().flatMap { line.takeAll($0) }
    }

    /// Whether no other payment for the product is submitted beside this one: as long as the queue has it, or it hasn't been silent for long.
    private func holdsBackSameProduct(_ payment: Submitted, now: Date) -> Bool {
        patience > 0 && (payment.bound != nil || !hasBeenSilent(payment, for: patience * Self.patienceForSameProduct, now: now))
    }

    /// Everything in the queue up to the mark was there before the payment.
    mutating func markSubmission(of id: CallID, _ mark: TransactionToken) {
        guard let place = submitted.firstIndex(where: { $0.id == id }) else { return }
        submitted[place].mark = mark
    }

    /// When everything under way will have been silent for long enough, or a payment for the product of a waiting call will have been;
    /// `nil` when no call waits, or everything has been.
    func nextTurn(now: Date) -> Date? {
        guard waitingCount > 0, let last = submitted.map({ deadline(of: $0, after: patience) }).max(), last > now + Self.tolerance else {
            return nil
        }
        guard patienceOfSameProduct < patience else { return last }
        let behind = submitted.filter { !hasBeenSilent($0, for: patienceOfSameProduct, now: now) && line.waits(for: $0.request.productID) }
        return behind.map { deadline(of: $0, after: patienceOfSameProduct) }.min().map { min($0, last) } ?? last
    }

    private func hasBeenSilent(_ payment: Submitted, for seconds: TimeInterval, now: Date) -> Bool {
        deadline(of: payment, after: seconds) <= now + Self.tolerance
    }

    /// When a payment will have been silent for so long.
    private func deadline(of payment: Submitted, after patience: TimeInterval) -> Date {
        payment.lastResponse + patience
    }
}
