public import Foundation

/// An entry of the simulated payment queue, as it stood when it was reported.
public struct SimulatedTransaction: Sendable, Hashable, Identifiable {
    /// Identifies an entry of the queue: the same in every report and in every launch until the entry is finished.
    public struct ID: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// The number behind the identifier; later entries have greater ones.
        public let rawValue: UInt64

        package init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// Whether the one entry was made before the other.
        public static func < (left: ID, right: ID) -> Bool {
            left.rawValue < right.rawValue
        }

        /// The number.
        public var description: String { "\(rawValue)" }
    }

    /// The state of an entry. Raw values are those of `SKPaymentTransactionState`.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// Being processed by the App Store.
        case purchasing = 0
        /// Paid.
        case purchased = 1
        /// Failed; nothing was paid.
        case failed = 2
        /// Bought before, and restored.
        case restored = 3
        /// Waits for an approval.
        case deferred = 4
    }

    /// The transaction that is restored.
    public struct Original: Sendable, Hashable {
        /// Its identifier.
        public var transactionID: String
        /// When it was paid.
        public var transactionDate: Date
        /// Its payment.
        public var payment: SimulatedPayment

        package init(transactionID: String, transactionDate: Date, payment: SimulatedPayment) {
            self.transactionID = transactionID
            self.transactionDate = transactionDate
            self.payment = payment
        }
    }

    /// Identifies the entry.
    public let id: ID
    /// Stands for the object that a report brings. An entry keeps its object for as long as a launch lasts, unless
    /// ``SimulatorBehavior/bringsFreshObjects`` is set; in another launch it has another.
    public var object: UInt64
    /// The payment.
    public var payment: SimulatedPayment
    /// The state.
    public var state: State
    /// The App Store's identifier; only in the states `purchased` and `restored`.
    public var transactionID: String?
    /// The date of the payment; only in the states `purchased` and `restored`.
    public var transactionDate: Date?
    /// The error; only in the state `failed`.
    public var error: SimulatedError?
    /// The transaction that is restored; only in state restored, and even then not always.
    public var original: Original?
    /// The hosted content; only when purchased or restored.
    public var downloads: [SimulatedDownload]

    package init(
        id: ID, object: UInt64, payment: SimulatedPayment, state: State, transactionID: String? = nil,
        transactionDate: Date? = nil, error: SimulatedError? = nil, original: Original? = nil, downloads: [SimulatedDownload] = []
    ) {
        self.id = id
        self.object = object
        self.payment = payment
        self.state = state
        self.transactionID = transactionID
        self.transactionDate = transactionDate
        self.error = error
        self.original = original
        self.downloads = downloads
    }
}
