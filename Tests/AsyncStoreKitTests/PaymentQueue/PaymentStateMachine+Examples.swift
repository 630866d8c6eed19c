import Foundation

@testable import AsyncStoreKit

extension Date {
    /// Returns a date some seconds after the beginning of the state machines' tests.
    static func seconds(_ seconds: TimeInterval) -> Date {
        Date(timeIntervalSince1970: 1_000_000 + seconds)
    }
}

extension PaymentStateMachine.Call {
    /// A call for one piece of a product, which its caller delivers.
    static func plain(_ productID: String = "coins", quantity: Int = 1) -> PaymentStateMachine.Call {
        PaymentStateMachine.Call(request: PaymentRequest(productID: productID, quantity: quantity), style: .plain)
    }
}

extension PaymentStateMachine {
    init() {
        self.init(responseTimeout: 30)
    }

    /// The payment that has the slot.
    var slot: Submitted? { submitted.last { !$0.isUnresponsive } }

    /// Gives a payment the slot, with the mark of the newest entry in the queue.
    mutating func begin(
        _ request: PaymentRequest = PaymentRequest(productID: "coins"), mark: UInt64 = 10, now: Date = .seconds(0)
    ) -> CallID {
        let id = CallID()
        enqueue(id, Call(request: request, style: .plain))
        if let payment = submitNext(now: now)?.payment { markSubmission(of: payment.id, .entry(mark)) }
        return id
    }

    /// Returns the call whose payment is submitted next, with the mark of the newest entry in the queue.
    mutating func startNext(now: Date = .seconds(0), mark: UInt64 = 10) -> CallID? {
        guard let payment = submitNext(now: now)?.payment else { return nil }
        markSubmission(of: payment.id, .entry(mark))
        return payment.id
    }

    /// Attributes a new report, without a running restore.
    mutating func news(_ transaction: StoreTransaction, now: Date = .seconds(0)) -> ReportAction {
        report(transaction, isNewReport: true, isRestoring: false, now: now)
    }

    /// Attributes a duplicate report, without a running restore.
    mutating func duplicate(_ transaction: StoreTransaction, now: Date = .seconds(0)) -> ReportAction {
        report(transaction, isNewReport: false, isRestoring: false, now: now)
    }
}
