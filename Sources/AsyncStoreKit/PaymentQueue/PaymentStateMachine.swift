import Foundation

/// Decides which payment is submitted next, and which transaction answers which payment.
///
/// A call waits in the queue, has the slot while StoreKit processes its payment, receives its answer, may wait for an
/// installed delivery, and ends. Calls wait in the order in which they were made. One payment at a time has the slot.
/// If StoreKit stays silent about a payment, a call for another product gets the slot. The silent payment is still
/// answered when its transaction arrives.
struct PaymentStateMachine: Sendable {
    struct Call: Sendable, Hashable {
        let request: PaymentRequest
        /// `nil` if no task waits for the call: the customer has started the purchase in the App Store. Its answer is
        /// an unsolicited transaction.
        let style: Deliverer.CallStyle?
    }

    /// A payment that StoreKit is processing.
    struct Submitted: Sendable, Hashable {
        let id: CallID
        let call: Call
        /// The newest token before the payment was added. Transactions up to this token aren't its answer. `nil` if the
        /// queue says which transaction is.
        var mark: TransactionToken?
        /// The transaction of this payment, once it was reported.
        var bound: TransactionToken?
        /// An older transaction of the product that StoreKit has repeated since.
        var older: StoreTransaction?
        /// The time of StoreKit's last response: the submission, or the last `.purchasing` report.
        fileprivate(set) var lastResponse: Date
        /// Whether the next payment has got the slot.
        fileprivate(set) var isUnresponsive = false

        var request: PaymentRequest { call.request }

        /// Records a report that isn't an answer.
        mutating func recordResponse(at now: Date) {
            lastResponse = now
            isUnresponsive = false
        }
    }

    /// The factor for the silence before another payment for the same product is submitted, if the queue doesn't have
    /// the first one. A second sheet could charge a customer twice who is still reading the first.
    static let sameProductFactor = 10.0

    /// How long calls for the same product wait behind a silent payment at most, in seconds.
    static let longestSameProductTimeout = 30.0

    /// The difference up to which two dates are treated as the same, in seconds.
    static let tolerance = 0.000_5

    /// How long a payment may be silent while a call for another product waits, in seconds.
    let responseTimeout: TimeInterval
    /// How long a payment may be silent while a call for the same product waits, in seconds.
    var sameProductTimeout: TimeInterval { min(responseTimeout, Self.longestSameProductTimeout) }
    /// How long a payment that StoreKit answered with an older transaction can still get another one, in seconds.
    let preexistingAnswerDelay: TimeInterval
    /// The calls that wait to submit their payments, in the order in which they were made. A customer makes few at a
    /// time. Shared, so that a removal moves few bytes.
    private var waiting: [(id: CallID, call: Shared<Call>)] = []
    /// The payments in the order of their submission.
    var submitted: [Submitted] = []
    /// The calls whose transactions the installed delivery is delivering.
    private var delivering: Set<CallID> = []
    var pendingApprovals = [TransactionToken: PendingPurchase]()
    var promotions = PromotionStateMachine()

    init(responseTimeout: TimeInterval, preexistingAnswerDelay: TimeInterval = 3) {
        self.preexistingAnswerDelay = preexistingAnswerDelay
        self.responseTimeout = responseTimeout.isNaN ? 0 : max(0, responseTimeout)
    }

    /// The number of waiting calls.
    var waitingCount: Int { waiting.count }

    /// The payment that has the slot.
    var inFlight: PaymentRequest? { submitted.last { !$0.isUnresponsive }?.request }

    /// The silent payments that have lost the slot.
    var silent: [PaymentRequest] { submitted.filter(\.isUnresponsive).map(\.request) }
}

// The queue of calls.
extension PaymentStateMachine {
    mutating func enqueue(_ id: CallID, _ call: Call) {
        waiting.append((id, Shared(call)))
    }

    enum CancelAction: Equatable {
        /// The payment was never submitted: answer the call.
        case withdraw
        /// StoreKit is processing the payment: answer the call. The transaction goes to the stream.
        case abandon
        /// The installed delivery has the transaction: answer the call. The delivery continues.
        case leaveDelivery
        /// The call has ended.
        case none
    }

    /// Cancels the call. A payment that StoreKit has continues.
    mutating func cancel(_ id: CallID) -> CancelAction {
        if let place = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: place)
            return .withdraw
        }
        if delivering.remove(id) != nil { return .leaveDelivery }
        guard isSubmitted(id) else { return .none }
        endWait(of: id)
        return .abandon
    }

    /// Ends a call, or its wait for the payment.
    mutating func endWait(of id: CallID) {
        delivering.remove(id)
        if let place = submitted.firstIndex(where: { $0.id == id }) { submitted.remove(at: place) }
    }

    mutating func beginDelivery(for id: CallID) {
        endWait(of: id)
        delivering.insert(id)
    }

    /// Whether StoreKit is processing the payment of a call.
    func isSubmitted(_ id: CallID) -> Bool {
        submitted.contains { $0.id == id }
    }
}

// The slot.
extension PaymentStateMachine {
    struct Submission: Sendable {
        let payment: Submitted
        /// Takes the slot from payments that have been silent for too long.
        let overtaken: [Submitted]
    }

    /// Returns the payment to submit now, and gives it the slot. `nil` if the slot is taken or no call can go.
    mutating func submitNext(now: Date) -> Submission? {
        // Setting the clock back must not extend the wait.
        for index in submitted.indices where submitted[index].lastResponse > now { submitted[index].lastResponse = now }
        // Every payment has to be silent, including those that have lost the slot: a late report of one makes it
        // current again.
        guard submitted.allSatisfy({ hasBeenSilent($0, for: responseTimeout, now: now) }) else { return nil }
        let held = Set(submitted.filter { holdsBackSameProduct($0, now: now) }.map(\.request.productID))
        guard let place = waiting.firstIndex(where: { !held.contains($0.call.value.request.productID) }) else {
            return nil
        }
        let next = waiting.remove(at: place)
        var overtaken: [Submitted] = []
        for index in submitted.indices where !submitted[index].isUnresponsive {
            submitted[index].isUnresponsive = true
            overtaken.append(submitted[index])
        }
        let payment = Submitted(id: next.id, call: next.call.value, lastResponse: now)
        submitted.append(payment)
        return Submission(payment: payment, overtaken: overtaken)
    }

    /// Removes the calls that have waited too long behind a silent payment, whose sheet may still be open.
    mutating func takeCallsBehindSilence(now: Date) -> [(id: CallID, call: Call)] {
        let silent = submitted.filter {
            hasBeenSilent($0, for: sameProductTimeout, now: now) && holdsBackSameProduct($0, now: now)
        }
        guard waitingCount > 0, !silent.isEmpty else { return [] }
        let products = Set(silent.map(\.request.productID))
        defer { waiting.removeAll { products.contains($0.call.value.request.productID) } }
        return waiting.map { ($0.id, $0.call.value) }.filter { products.contains($0.call.request.productID) }
    }

    /// Whether the payment blocks others for its product: the queue still has it, or it hasn't been silent for long.
    private func holdsBackSameProduct(_ payment: Submitted, now: Date) -> Bool {
        // Without a timeout no call waits, not even for the same product.
        responseTimeout > 0
            && (payment.bound != nil
                || !hasBeenSilent(payment, for: responseTimeout * Self.sameProductFactor, now: now))
    }

    /// Records the newest token from before the payment.
    mutating func markSubmission(of id: CallID, _ mark: TransactionToken?) {
        guard let place = submitted.firstIndex(where: { $0.id == id }) else { return }
        submitted[place].mark = mark
    }

    /// The next date at which a silent payment loses the slot or stops blocking its product; `nil` if nothing waits.
    func nextTurn(now: Date) -> Date? {
        guard waitingCount > 0, let last = submitted.map({ deadline(of: $0, after: responseTimeout) }).max(),
            last > now + Self.tolerance
        else {
            return nil
        }
        // The slot is free when the last payment has been silent for long enough. Calls for a product that is being
        // paid for give up earlier.
        guard sameProductTimeout < responseTimeout else { return last }
        let behind = submitted.filter { payment in
            !hasBeenSilent(payment, for: sameProductTimeout, now: now)
                && waiting.contains { $0.call.value.request.productID == payment.request.productID }
        }
        return behind.map { deadline(of: $0, after: sameProductTimeout) }.min().map { min($0, last) } ?? last
    }

    private func hasBeenSilent(_ payment: Submitted, for seconds: TimeInterval, now: Date) -> Bool {
        deadline(of: payment, after: seconds) <= now + Self.tolerance
    }

    /// The date at which a payment has been silent for a duration.
    private func deadline(of payment: Submitted, after seconds: TimeInterval) -> Date {
        payment.lastResponse + seconds
    }
}

/// Tracks the payments from the App Store that are held, and the calls that have claimed them.
struct PromotionStateMachine: Sendable {
    private var held: Set<PromotedPayment.ID> = []
    private var claimed = [CallID: PromotedPayment.ID]()

    mutating func paymentPromoted(_ promotion: PromotedPayment) {
        if !promotion.isContinuedByQueue { held.insert(promotion.id) }
    }

    /// Claims a payment for a call. Returns `false` if another call has claimed it.
    mutating func claim(_ id: PromotedPayment.ID, for call: CallID) -> Bool {
        guard held.contains(id), !claimed.values.contains(id) else { return false }
        claimed[call] = id
        return true
    }

    /// Removes the payment of a call that was submitted to StoreKit.
    mutating func submitted(by call: CallID) {
        guard !claimed.isEmpty, let id = claimed.removeValue(forKey: call) else { return }
        held.remove(id)
    }

    /// Releases the payment of a call that ended before it was submitted. Another call can claim it.
    mutating func release(by call: CallID) {
        claimed[call] = nil
    }
}
