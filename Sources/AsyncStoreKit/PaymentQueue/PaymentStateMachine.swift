import Foundation

/// Which payments are with StoreKit, which calls wait for their turn, and which transaction answers which payment.
///
/// A call goes from its place in line to the slot, is answered, may be waiting for an installed delivery, and ends. Calls wait in the
/// order in which they were made; a place may be reserved before its product is known, so that a slow look-up cannot let others jump
/// ahead. One payment at a time has the slot. A payment of which StoreKit says nothing gives it up after a while to a call for another
/// product, and is still answered when its transaction comes: then several are under way.
struct PaymentStateMachine: Sendable {
    /// A call of `purchase`.
    struct Call: Sendable, Hashable {
        let request: PaymentRequest
        let style: Deliverer.CallStyle
        /// How long the outcome may take, in seconds from the moment the payment is with StoreKit.
        var timeout: TimeInterval?
    }

    /// Where a call stands. A call that has ended has no phase.
    private enum Phase: Sendable {
        /// Its product is being looked up; nobody waits for an answer yet.
        case reserved
        /// In line.
        indirect case waiting(Call)
        /// Its payment is with StoreKit.
        case submitted
        /// The installed delivery has its transaction.
        case delivering
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
        fileprivate(set) var lastHeard: Date
        /// Whether the slot has gone on without it.
        fileprivate(set) var isSilent = false
        /// Whether somebody has been told that it is silent.
        fileprivate var isSaidToBeSilent = false

        var request: PaymentRequest { call.request }

        /// StoreKit has said something of it that is no answer.
        mutating func hear(_ now: Date) {
            lastHeard = now
            isSilent = false
        }
    }

    /// How many times as long a payment may be silent before another for the same product is submitted. A second sheet for the same
    /// thing would charge a customer who is still reading the first.
    static let patienceForSameProduct = 10.0

    /// How long a payment may be silent while a call for another product waits, in seconds.
    let patience: TimeInterval
    private var line = FirstInFirstOut<CallID>()
    private var phases: [CallID: Phase] = [:]
    /// In the order of their submission.
    var submitted: [Submitted] = []
    var pendingApprovals: [TransactionToken: PendingPurchase] = [:]
    /// How many calls wait for their turn, places included that are only reserved.
    private(set) var waitingCount = 0
    /// How many places at the head of the line have been found to be for products that must wait longer.
    private var heldPlaces = 0

    init(patience: TimeInterval) {
        self.patience = patience.isNaN ? 0 : max(0, patience)
    }

    /// The payment that has the slot.
    var inFlight: PaymentRequest? { submitted.last { !$0.isSilent }?.request }

    /// Payments that are with StoreKit and have been silent for so long that the slot went on.
    var silent: [PaymentRequest] { submitted.filter(\.isSilent).map(\.request) }
}

// The line.
extension PaymentStateMachine {
    /// Takes a place in line for a payment whose product is not known yet.
    mutating func reserve(_ id: CallID) {
        enterLine(id, .reserved)
    }

    /// Takes a place in line.
    mutating func enqueue(_ id: CallID, _ call: Call) {
        enterLine(id, .waiting(call))
    }

    /// Fills a reserved place. False when it has been given up: the call was cancelled.
    mutating func fill(_ id: CallID, _ call: Call) -> Bool {
        guard case .reserved = phases[id] else { return false }
        phases[id] = .waiting(call)
        return true
    }

    private mutating func enterLine(_ id: CallID, _ phase: Phase) {
        guard phases[id] == nil else { return }
        phases[id] = phase
        line.append(id)
        waitingCount += 1
    }

    /// Gives up a reserved place.
    mutating func withdraw(_ id: CallID) {
        guard case .reserved = phases[id] else { return }
        leaveLine(id)
    }

    private mutating func leaveLine(_ id: CallID) {
        phases[id] = nil
        waitingCount -= 1
        // Places that were given up leave the line when their turn comes; behind a payment that takes its time they must not
        // pile up until then. Looking through a line of which more than half is given up costs each call one step.
        guard line.count > 2 * waitingCount + 16 else { return }
        let phases = phases
        line.removeAll { id in
            switch phases[id] {
            case .reserved, .waiting: false
            case .submitted, .delivering, nil: true
            }
        }
        heldPlaces = 0
    }

    enum CancelAction: Equatable {
        /// Only a place was reserved, which is free: nobody waits for an answer.
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

    /// The call no longer waits.
    mutating func cancel(_ id: CallID) -> CancelAction {
        switch phases[id] {
        case .reserved:
            leaveLine(id)
            return .release
        case .waiting:
            leaveLine(id)
            return .withdraw
        case .submitted:
            end(id)
            return .abandon
        case .delivering:
            end(id)
            return .leaveDelivery
        case nil:
            return .none
        }
    }

    /// The call is over, or its payment no longer waited for.
    mutating func end(_ id: CallID) {
        phases[id] = nil
        guard let place = submitted.firstIndex(where: { $0.id == id }) else { return }
        submitted.remove(at: place)
        heldPlaces = 0
    }

    /// The installed delivery has the transaction that answers a call.
    mutating func beginDelivery(for id: CallID) {
        end(id)
        phases[id] = .delivering
    }

    /// Whether the payment of a call is with StoreKit, and not answered.
    func isSubmitted(_ id: CallID) -> Bool {
        submitted.contains { $0.id == id }
    }
}

// The slot.
extension PaymentStateMachine {
    /// The payment to be submitted now, if there is a place for one; it has the slot from then on.
    mutating func submitNext(now: Date) -> Submitted? {
        guard let next = takeNext(now: now) else { return nil }
        let payment = Submitted(id: next.id, call: next.call, lastHeard: now)
        phases[next.id] = .submitted
        waitingCount -= 1
        heldPlaces = 0
        for index in submitted.indices { submitted[index].isSilent = true }
        submitted.append(payment)
        return payment
    }

    /// The payments without which the slot has gone on since this was last asked.
    mutating func takeNewlySilent() -> [PaymentRequest] {
        var requests: [PaymentRequest] = []
        for index in submitted.indices where submitted[index].isSilent && !submitted[index].isSaidToBeSilent {
            submitted[index].isSaidToBeSilent = true
            requests.append(submitted[index].request)
        }
        return requests
    }

    /// Everything in the queue up to the mark was there before the payment.
    mutating func markSubmission(of id: CallID, _ mark: TransactionToken) {
        guard let place = submitted.firstIndex(where: { $0.id == id }) else { return }
        submitted[place].mark = mark
    }

    private mutating func takeNext(now: Date) -> (id: CallID, call: Call)? {
        dropGivenUpPlaces()
        guard !line.isEmpty, silence(now: now) else { return nil }
        let held = Set(submitted.filter { isHeldBack(by: $0, now: now) }.map(\.request.productID))
        var offset = held.isEmpty ? 0 : heldPlaces
        while let id = line[offset] {
            switch phases[id] {
            case .reserved:
                return nil
            case .waiting(let call) where !held.contains(call.request.productID):
                if offset == 0 { line.removeFirst() }
                return (id, call)
            case .waiting, .submitted, .delivering, nil:
                offset += 1
                heldPlaces = offset
            }
        }
        return nil
    }

    private mutating func dropGivenUpPlaces() {
        while let first = line.first {
            switch phases[first] {
            case .reserved, .waiting: return
            case .submitted, .delivering, nil:
                line.removeFirst()
                heldPlaces = 0
            }
        }
    }

    /// Whether every payment under way has been silent for so long that the slot may go on.
    private mutating func silence(now: Date) -> Bool {
        for index in submitted.indices {
            // A clock that was set back must not make the wait longer.
            if submitted[index].lastHeard > now { submitted[index].lastHeard = now }
            if now.timeIntervalSince(submitted[index].lastHeard) < patience { return false }
        }
        return true
    }

    /// Whether another payment for the same product has to wait still.
    private func isHeldBack(by payment: Submitted, now: Date) -> Bool {
        now.timeIntervalSince(payment.lastHeard) < patience * Self.patienceForSameProduct
    }

    /// In how many seconds the slot may go on to a call that waits now; `nil` when none does, or when it waits for something else.
    func patienceLeft(now: Date) -> TimeInterval? {
        guard waitingCount > 0, !submitted.isEmpty else { return nil }
        let silences = submitted.map { max(0, now.timeIntervalSince($0.lastHeard)) }
        if let shortest = silences.min(), shortest < patience { return patience - shortest }
        return silences.map { patience * Self.patienceForSameProduct - $0 }.filter { $0 > 0 }.min()
    }
}
