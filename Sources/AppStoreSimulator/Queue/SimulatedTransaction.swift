public import Foundation

/// The reported state of an entry in the simulated payment queue.
public struct SimulatedTransaction: Sendable, Hashable, Identifiable {
    /// The identifier of an entry, the same in every report and every launch until the entry is finished.
    public struct ID: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// The number behind the identifier. Later entries have greater numbers.
        public let rawValue: UInt64

        package init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// Returns whether the left entry was created before the right entry.
        public static func < (left: ID, right: ID) -> Bool {
            left.rawValue < right.rawValue
        }

        /// The number.
        public var description: String { "\(rawValue)" }
    }

    /// The state of an entry. Raw values are those of `SKPaymentTransactionState`.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// The App Store is processing the payment.
        case purchasing = 0
        /// The transaction is paid.
        case purchased = 1
        /// The transaction failed, and the customer wasn't charged.
        case failed = 2
        /// An earlier purchase was restored.
        case restored = 3
        /// The transaction is waiting for approval.
        case deferred = 4
    }

    /// The original transaction of a restored transaction.
    public struct Original: Sendable, Hashable {
        /// The identifier of the original transaction.
        public var transactionID: String
        /// The date of the original payment.
        public var transactionDate: Date
        /// The original payment.
        public var payment: SimulatedPayment
    }

    /// The identifier of the entry.
    public let id: ID
    /// The number of the object in a report. An entry has one object during a launch, unless
    /// ``SimulatorBehavior/bringsFreshObjects`` is set, and another object in each launch.
    public var object: UInt64
    /// The payment of the entry.
    public var payment: SimulatedPayment
    /// The state of the entry.
    public var state: State
    /// The App Store's identifier; `nil` unless the transaction is purchased or restored.
    public var transactionID: String?
    /// The date of the payment; `nil` unless the transaction is purchased or restored.
    public var transactionDate: Date?
    /// The error of a failed transaction.
    public var error: SimulatedError?
    /// The original transaction. Only restored transactions can have one, and not all of them do.
    public var original: Original?
    /// The downloads of hosted content. Empty unless the transaction is purchased or restored.
    public var downloads: [SimulatedDownload] = []

    package init(
        id: ID, object: UInt64, payment: SimulatedPayment, state: State, transactionID: String? = nil,
        transactionDate: Date? = nil
    ) {
        self.id = id
        self.object = object
        self.payment = payment
        self.state = state
        self.transactionID = transactionID
        self.transactionDate = transactionDate
    }
}
