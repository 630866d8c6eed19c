/// Which payment is with StoreKit, which ones wait for their turn, and which transaction answers which payment.
///
/// Calls wait in line in the order in which they were made; a place may be taken before its product is known, so that a
/// slow look-up cannot let others jump ahead. One payment at a time has the slot.
struct PaymentStateMachine: Sendable {
    /// The payment that has the slot.
    struct InFlight: Sendable, Hashable {
        let id: CallID
        let request: PaymentRequest
        /// The newest token when the payment was added: transactions up to here cannot be its answer.
        let mark: TransactionToken
        /// The transaction that answers this payment, once it has been seen.
        var bound: TransactionToken?
        /// An older transaction of the product that has been reported anew since.
        var older: StoreTransaction?
    }

    private enum Place: Sendable {
        case reserved
        indirect case ready(PaymentRequest)
    }

    private var line = FirstInFirstOut<CallID>()
    private var places: [CallID: Place] = [:]
    private var cancelledEarly: Set<CallID> = []
    private(set) var inFlight: InFlight?
    private(set) var pendingApprovals: [TransactionToken: PendingPurchase] = [:]

    /// How many calls wait for their turn.
    var waitingCount: Int { places.count }
}

// The line.
extension PaymentStateMachine {
    /// Takes a place in line for a payment that is not known yet.
    mutating func reserve(_ id: CallID) {
        guard !cancelledEarly.contains(id), places[id] == nil else { return }
        places[id] = .reserved
        line.append(id)
    }

    /// Fills a place in line, or takes one. False when the call was cancelled before: nothing is submitted then.
    mutating func submit(_ id: CallID, _ request: PaymentRequest) -> Bool {
        guard cancelledEarly.remove(id) == nil else { return false }
        if places[id] == nil { line.append(id) }
        places[id] = .ready(request)
        return true
    }

    /// Gives up a place in line; its call has its answer already.
    mutating func withdraw(_ id: CallID) {
        places[id] = nil
        cancelledEarly.remove(id)
        tidyLine()
    }

    enum CancelAction: Equatable {
        /// The call is not known yet: it will be refused when it comes.
        case remember
        /// The payment was never submitted: answer the call.
        case withdraw
        /// The payment is with StoreKit: answer the call; whatever comes of the payment goes to the stream.
        case abandon
    }

    /// The call no longer waits.
    mutating func cancel(_ id: CallID) -> CancelAction {
        if inFlight?.id == id {
            inFlight = nil
            return .abandon
        }
        defer { tidyLine() }
        switch places.removeValue(forKey: id) {
        case .ready:
            return .withdraw
        case .reserved, nil:
            // A reserved place has no waiter yet: the submission that is still to come is refused.
            cancelledEarly.insert(id)
            return .remember
        }
    }

    /// Forgets a cancellation that came too late, or too early for a call that ended otherwise.
    mutating func forget(_ id: CallID) {
        cancelledEarly.remove(id)
    }

    /// Places that were given up leave the line when their turn comes; behind a payment that takes its time they must not
    /// pile up until then. Looking through a line of which more than half is given up costs each call one step.
    private mutating func tidyLine() {
        guard line.count > 2 * places.count + 16 else { return }
        let places = places
        line.removeAll { places[$0] == nil }
    }

    /// Whether the slot is free and the first in line is ready.
    var canStart: Bool {
        mutating get {
            guard inFlight == nil else { return false }
            while let first = line.first {
                switch places[first] {
                case .ready: return true
                case .reserved: return false
                case nil: line.removeFirst()
                }
            }
            return false
        }
    }

    /// Gives the slot to the first in line. To be submitted at once, after which the mark is out of date.
    mutating func start(mark: TransactionToken) -> InFlight? {
        guard canStart, let id = line.removeFirst(), case .ready(let request) = places.removeValue(forKey: id) else { return nil }
        let payment = InFlight(id: id, request: request, mark: mark)
        inFlight = payment
        return payment
    }

    /// The backend refused the payment, or its time was up: the slot is free. False when it was free of it before.
    mutating func vacate(_ id: CallID) -> Bool {
        guard inFlight?.id == id else { return false }
        inFlight = nil
        return true
    }
}

// The answers.
extension PaymentStateMachine {
    enum ReportAction: Equatable {
        /// The answer to this call.
        case answer(CallID)
        /// The call is told that approval is pending.
        case pending(CallID, PendingPurchase)
        /// It is this payment's, and there is nothing to tell.
        case progress
        /// The approval that somebody was told to wait for, given or refused. Nobody waits.
        case resolved(PendingPurchase)
        /// Not the answer to any payment.
        case stranger
        /// A stranger that will be the answer to this call if the payment gets no transaction of its own.
        case candidate(CallID)
    }

    /// Attributes a report.
    /// - Parameters:
    ///   - isNews: Whether this state has not been reported before: a transaction in somebody's hands answers nothing else.
    ///   - isRestoring: Whether a restore is running: restored transactions that are new belong to it then.
    mutating func report(_ transaction: StoreTransaction, isNews: Bool, isRestoring: Bool) -> ReportAction {
        if let pending = pendingApprovals[transaction.id] {
            guard transaction.state != .deferred, transaction.state != .purchasing else { return .progress }
            pendingApprovals[transaction.id] = nil
            return .resolved(pending)
        }
        guard var payment = inFlight else { return .stranger }
        if payment.bound == nil, isNews, payment.couldBeAnswered(by: transaction, isRestoring: isRestoring) {
            payment.bound = transaction.id
            inFlight = payment
        }
        guard payment.bound == transaction.id else {
            return noteOlder(transaction)
        }
        switch transaction.state {
        case .purchasing:
            return .progress
        case .deferred:
            let pending = PendingPurchase(call: payment.id, productID: payment.request.productID, quantity: payment.request.quantity)
            pendingApprovals[transaction.id] = pending
            inFlight = nil
            return .pending(payment.id, pending)
        case .purchased, .restored, .failed:
            inFlight = nil
            return .answer(payment.id)
        }
    }

    private mutating func noteOlder(_ transaction: StoreTransaction) -> ReportAction {
        guard let payment = inFlight, transaction.id <= payment.mark, transaction.holdsContent,
            transaction.productID == payment.request.productID
        else { return .stranger }
        inFlight?.older = transaction
        return payment.bound == nil ? .candidate(payment.id) : .stranger
    }

    enum RemovalAction: Equatable {
        /// No payment waited for it.
        case none
        /// The payment has no outcome and will have none.
        case lost(CallID, PaymentRequest)
        /// The payment is answered by an older transaction.
        case answer(CallID, StoreTransaction)
        /// The approval will never be given or refused: somebody else finished the transaction.
        case approvalLost(PendingPurchase)
    }

    /// An entry has left the queue.
    mutating func remove(_ token: TransactionToken) -> RemovalAction {
        if let pending = pendingApprovals.removeValue(forKey: token) { return .approvalLost(pending) }
        guard let payment = inFlight, payment.bound == token else { return .none }
        inFlight = nil
        guard let older = payment.older else { return .lost(payment.id, payment.request) }
        return .answer(payment.id, older)
    }

    /// A restore has ended, whose rows may hold the answer to the payment: StoreKit has answered payments for owned products
    /// with `.restored`, and while a restore runs nothing tells such an answer from the restore's own rows, except that one
    /// purchase was then restored twice.
    mutating func takeAnswer(among rows: [StoreTransaction]) -> (CallID, StoreTransaction)? {
        guard let payment = inFlight, payment.bound == nil else { return nil }
        let candidates = rows.filter { payment.couldBeAnswered(by: $0, isRestoring: false) && $0.original != nil }
        guard let answer = candidates.last, candidates.contains(where: { $0.id != answer.id && $0.original == answer.original })
        else { return nil }
        inFlight = nil
        return (payment.id, answer)
    }

    /// The time is over in which a transaction of its own could still have shown up for a payment with a candidate.
    mutating func settle(_ id: CallID) -> StoreTransaction? {
        guard let payment = inFlight, payment.id == id, payment.bound == nil, let older = payment.older else { return nil }
        inFlight = nil
        return older
    }
}

extension PaymentStateMachine.InFlight {
    fileprivate func couldBeAnswered(by transaction: StoreTransaction, isRestoring: Bool) -> Bool {
        transaction.id > mark && request.matches(transaction) && !(transaction.state == .restored && isRestoring)
    }
}
