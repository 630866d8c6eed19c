import Foundation

/// Receives the answer to a call of StoreKit 2.
typealias AnswerHandler = @Sendable (SimulatedAnswer) -> Void
/// Returns whether a purchase continues in another storefront.
typealias StorefrontPolicy = @Sendable (SimulatedStorefront) -> Bool

/// An unanswered call of StoreKit 2.
struct CallState {
    let handler: AnswerHandler
    var policy: StorefrontPolicy?
    /// The entry of the queue that the call is waiting for.
    var entry: Int?
}

extension EngineState {
    /// The time after which a finished purchase of a subscription arrives as an update.
    static let ownUpdateDelay: TimeInterval = 0.5

    mutating func makeCall(_ handler: @escaping AnswerHandler) -> UInt64 {
        lastCall += 1
        device.calls[lastCall] = CallState(handler: handler)
        return lastCall
    }

    /// Adds a payment that a call waits for.
    mutating func purchase(_ payment: SimulatedPayment, _ policy: StorefrontPolicy?, _ handler: @escaping AnswerHandler)
        -> UInt64
    {
        let call = makeCall(handler)
        guard Self.quantities.contains(payment.quantity) else {
            answer(call, .failed(.invalidQuantity))
            return call
        }
        let index = makeEntry(for: payment)
        queue[index].isFromStoreKit2 = true
        queue[index].call = call
        device.calls[call]?.policy = policy
        device.calls[call]?.entry = index
        device.waitingPayments.append(index)
        processNextPayment()
        return call
    }

    /// Applies ``SimulatorBehavior/cancelledPurchase`` to a purchase whose task was canceled.
    mutating func cancelPurchase(_ call: UInt64) {
        guard let index = device.calls[call]?.entry else { return }
        switch behavior.cancelledPurchase {
        case .isAwaited:
            return
        case .comesAsUpdate:
            answer(call, .abandoned)
        case .isWithdrawn:
            queue[index].phase = .gone
            answer(call, .userCancelled)
        }
        queue[index].call = nil
    }

    /// Answers the call of an entry with the entry's paid row, or with another row. If no call is waiting, announces
    /// the paid row as an update.
    mutating func answerCall(of index: Int, row: Int? = nil) {
        guard queue[index].isFromStoreKit2, let row = row ?? queue[index].row else { return }
        guard let call = queue[index].call, device.calls[call] != nil else {
            if row == queue[index].row { announce(row: row) }
            return
        }
        queue[index].call = nil
        if row == queue[index].row { account.rows[row].isAnswer = true }
        if behavior.duplicateUpdateTiming == .beforeAnswer { announce(row: row) }
        answer(call, .purchased(signed(row)))
        if behavior.duplicateUpdateTiming == .afterAnswer { announce(row: row) }
    }

    /// Answers the call that is waiting for an entry, if any.
    mutating func answerCall(of index: Int, with answer: SimulatedAnswer) {
        guard let call = queue[index].call else { return }
        queue[index].call = nil
        self.answer(call, answer)
    }

    /// Answers a purchase with an existing transaction. The customer isn't charged.
    mutating func answerPurchase(_ index: Int, withExisting row: Int) {
        queue[index].phase = .gone
        answerCall(of: index, row: row)
    }

    mutating func answer(_ call: UInt64, _ answer: SimulatedAnswer) {
        guard let state = device.calls.removeValue(forKey: call) else { return }
        if let policy = state.policy { discard(policy) }
        deliver(.answer(answer, handler: state.handler))
    }

    /// Presents the sheet for offer codes, in which the customer redeems the scripted code or closes the sheet.
    mutating func presentCodeSheet(_ handler: @escaping AnswerHandler) -> UInt64 {
        let call = makeCall(handler)
        device.launch.sheets.append(.codeRedemption)
        if let error = behavior.offerCodeError {
            answer(call, error == .paymentCancelled ? .userCancelled : .failed(error))
            return call
        }
        let returns = behavior.offerCodeSheetReturnsTransaction
        guard let index = scriptedCodes.takeFirst().map({ payOutsideApp($0.payment, offerCode: $0.offerID) }) else {
            answer(call, returns ? .userCancelled : .completed)
            return call
        }
        if returns, let row = queue[index].row {
            account.rows[row].isAnswer = true
            answer(call, .purchased(signed(row)))
        } else {
            announce(entry: index)
            answer(call, .completed)
        }
        return call
    }

    /// Synchronizes with the App Store. The call ends as a restore does.
    mutating func synchronize(_ call: UInt64) {
        if let offlineError { return answer(call, .failed(offlineError)) }
        switch behavior.restoreEnding {
        case .neverAnswers: return
        case .fails(.paymentCancelled, _): answer(call, .userCancelled)
        case .fails(let error, _): answer(call, .failed(error))
        case .finishes:
            device.receipt.restore(at: now)
            if behavior.syncRepeatsFinishedRenewals {
                for row in account.rows.indices where account.rows[row].isRenewal && account.rows[row].isFinished {
                    announce(row: row)
                }
            }
            answer(call, .completed)
        }
    }

    /// Signs the app transaction again. The call ends as a receipt refresh does.
    mutating func refreshAppTransaction(_ call: UInt64) {
        if behavior.receiptRefreshesAreNeverAnswered { return }
        switch behavior.receiptRefreshError ?? offlineError {
        case nil: answer(call, .completed)
        case .paymentCancelled?: answer(call, .userCancelled)
        case let error?: answer(call, .failed(error))
        }
    }

    /// Fails every call, because its entry was removed.
    mutating func failCalls() {
        for call in device.calls.keys.sorted() { answer(call, .failed(.unknown)) }
    }

    /// Moves the handlers of an ended launch to `endHandlers`, which run after the lock is released.
    mutating func endCalls() {
        for (_, call) in device.calls.sorted(by: { $0.key < $1.key }) {
            endHandlers.append { call.handler(.abandoned) }
            if let policy = call.policy { discard(policy) }
        }
        device.calls = [:]
        for (_, listener) in device.launch.listeners.sorted(by: { $0.key < $1.key }) {
            endHandlers.append { listener.handler(.launchEnded) }
        }
        device.launch.listeners = [:]
    }

    /// Finishes a transaction, so that neither API reports it again.
    mutating func finish(number: UInt64) {
        guard let row = account.row(number: number) else { return }
        if !behavior.finishingFails { account.unacknowledged.remove(row) }
        guard !account.rows[row].isFinished else { return }
        let index = queue.index(of: account.rows[row].id)
        if behavior.finishingFails {
            guard let index, isPresent(index) else { return }
            return hide(index)
        }
        if let index, queue[index].phase != .gone {
            remove([index])
            redeliverAtNextLaunch(index)
        } else {
            finishRow(row)
        }
        guard behavior.duplicateUpdateTiming == .afterSubscriptionIsFinished, account.rows[row].isAnswer,
            account.rows[row].kind == .autoRenewableSubscription
        else { return }
        schedule.add(
            .updateFollows(row: row, launch: device.launch.number), at: now.addingTimeInterval(Self.ownUpdateDelay))
    }

    mutating func finishRow(_ row: Int) {
        account.finish(row, at: now)
        if account.rows[row].kind == .consumable {
            onEveryDevice { $0.device.receipt.recordFinishedConsumable(row) }
        }
    }
}
