public import Foundation

/// The switches of the simulated App Store: what Apple's documentation leaves open, and what has been seen to go wrong.
///
/// The default is what usually happens.
public struct SimulatorBehavior: Sendable, Hashable {
    /// The thread on which observers and request handlers are called.
    public enum DeliveryThread: Sendable, Hashable, CaseIterable {
        /// One background thread, in order.
        case background
        /// The main thread.
        case main
        /// The caller's own, from inside the call that caused the event, before it returns.
        case caller
        /// Another one each time, still one after the other.
        case any
    }

    /// How a restore ends.
    public enum RestoreEnding: Sendable, Hashable {
        /// With everything there is, and "finished".
        case finishes
        /// With an error, after this many rows.
        case fails(SimulatedError, afterRows: Int)
        /// Not at all, after this many rows.
        case neverAnswers(afterRows: Int)
    }

    /// How an owned non-consumable that is bought again is answered.
    public enum RepeatedPurchaseAnswer: Sendable, Hashable, CaseIterable {
        /// As purchased, with an identifier of its own.
        case purchased
        /// As restored, with the original transaction.
        case restored
    }

    /// When the receipt comes to hold a purchase.
    public enum ReceiptLag: Sendable, Hashable {
        /// Before the transaction is reported.
        case none
        /// Only when the receipt is refreshed for this many times.
        case refreshes(Int)
        /// Only when so much virtual time, in seconds, has gone by.
        case seconds(TimeInterval)
    }

    /// On which thread events arrive.
    public var deliveryThread = DeliveryThread.background
    /// Whether `.purchasing` is reported before a terminal state.
    public var reportsPurchasing = true
    /// Whether every report brings a fresh object for the same entry.
    public var bringsFreshObjects = false
    /// Whether every report of a terminal state comes twice.
    public var reportsTwice = false
    /// Whether somebody else's payment for the same product shows up before each payment of the app.
    public var foreignPaymentComesFirst = false
    /// Whether an observer that is added while there is another gets a report of its own.
    public var reportsToSecondObserver = true
    /// Whether finishing fails, silently: the transaction is reported again at the next launch.
    public var finishingFails = false
    /// Whether transactions that were finished are reported once more at the next launch.
    public var repeatsFinishedTransactions = false
    /// How an owned non-consumable that is bought again is answered.
    public var repeatedPurchaseAnswer = RepeatedPurchaseAnswer.purchased
    /// How a restore ends.
    public var restoreEnding = RestoreEnding.finishes
    /// How many restored transactions make a batch, at least 1.
    public var restoreBatchSize = 100
    /// How many of the restored transactions come only after "finished".
    public var restoredRowsAfterFinished = 0
    /// Whether restored transactions come without their original.
    public var restoredWithoutOriginal = false
    /// Whether payments are never answered, not even with `.purchasing`.
    public var paymentsAreNeverAnswered = false
    /// Whether product requests are never answered.
    public var productRequestsAreNeverAnswered = false
    /// The error with which product requests fail.
    public var productRequestError: SimulatedError?
    /// Whether a product request reports a failure after its reply.
    public var productRequestsFailAfterReply = false
    /// Whether a request that was cancelled is answered all the same.
    public var repliesAfterCancel = false
    /// Whether receipt refreshes are never answered.
    public var receiptRefreshesAreNeverAnswered = false
    /// The error with which receipt refreshes fail.
    public var receiptRefreshError: SimulatedError?
    /// Whether receipts bear a genuine signature, which takes a moment in a debug build. Without, they can be read all the same.
    public var signsReceipts = true
    /// When the receipt comes to hold a purchase.
    public var receiptLag = ReceiptLag.none

    /// The usual behavior.
    public init() {}
}
