import Foundation

@testable import AsyncStoreKit

extension StoreStateMachine {
    init(paymentResponseTimeout: TimeInterval = 30, mode: StoreMode = .finishing) {
        var timeouts = Timeouts()
        timeouts.payment = paymentResponseTimeout
        self.init(mode: mode, timeouts: timeouts, now: .seconds(0))
    }

    /// Returns the actions after payments were submitted to a queue whose newest entry has this number, without those
    /// that only inform the backend.
    mutating func perform(newest: UInt64 = 10) -> [StoreAction] {
        var next = 0
        while next < actions.count {
            if case .submit(let payment) = actions[next] {
                willSubmit(payment, mark: .entry(newest))
                submissionSucceeded(payment)
            }
            next += 1
        }
        defer { actions = [] }
        return actions.filter { action in
            switch action {
            case .startRestore, .forget, .returnBackgroundTime: false
            default: true
            }
        }
    }

    /// Buys, and performs the actions.
    mutating func buy(
        _ id: CallID, _ productID: String = "coins", style: Deliverer.CallStyle = .plain, timeout: TimeInterval? = nil,
        newest: UInt64 = 10
    ) -> [StoreAction] {
        let request = PaymentRequest(productID: productID, options: PurchaseOptions(timeout: timeout))
        purchase(id, PaymentStateMachine.Call(request: request, style: style))
        return perform(newest: newest)
    }

    /// Reports transactions while no restore is running.
    mutating func report(_ batch: StoreTransaction..., newest: UInt64 = 10) -> [StoreAction] {
        _ = transactionsReported(batch)
        return perform(newest: newest)
    }

    /// Fires a timer.
    mutating func fire(_ timer: StoreTimer, at moment: Date, newest: UInt64 = 10) -> [StoreAction] {
        now = moment
        fire(timer)
        return perform(newest: newest)
    }
}

extension [StoreAction] {
    /// The products of the submitted payments.
    var submitted: [String] {
        compactMap { if case .submit(let payment) = $0 { payment.request.productID } else { nil } }
    }

    /// Returns the response to a call of `purchase`.
    func response(to id: CallID) -> PaymentResult? {
        lazy.compactMap { action in
            if case .respond(id, let result) = action { result } else { nil }
        }.first
    }

    /// Returns the purchase in the response to a call.
    func purchase(by id: CallID) -> PurchaseRecord? {
        guard case .success(.paid(let record)) = response(to: id) else { return nil }
        return record
    }

    /// Returns the error of a call.
    func failure(of id: CallID) -> StoreError? {
        guard case .failure(let error) = response(to: id) else { return nil }
        return error
    }

    var finished: [TransactionToken] {
        compactMap { if case .finish(let token) = $0 { token } else { nil } }
    }

    var reports: [StoreReport] {
        flatMap { action -> [StoreReport] in if case .report(let reports) = action { reports } else { [] } }
    }

    var offered: [PurchaseRecord] {
        reports.compactMap { if case .purchase(let record) = $0 { record } else { nil } }
    }

    var deliveries: [(job: DeliveryStateMachine.Job, records: [PurchaseRecord])] {
        compactMap { if case .deliver(let job, let records) = $0 { (job, records) } else { nil } }
    }

    var failures: [PurchaseFailure] {
        reports.compactMap { if case .failure(let failure, _) = $0 { failure } else { nil } }
    }

    /// Returns the seconds until a timer fires.
    func seconds(of timer: StoreTimer) -> TimeInterval? {
        lazy.compactMap { action in
            if case .start(timer, let seconds) = action { seconds } else { nil }
        }.first
    }

    var logged: [StoreLogEvent] {
        compactMap { if case .log(let event) = $0 { event } else { nil } }
    }
}
