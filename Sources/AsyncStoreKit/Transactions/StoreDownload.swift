public import Foundation

/// The download of something that the App Store hosts for a purchase, as it stood when it was reported.
///
/// Apple hosts no content since iOS 16, macOS 13, tvOS 16 and watchOS 9, and visionOS never had any: there a transaction has no
/// downloads.
public struct StoreDownload: Sendable, Hashable, Identifiable {
    /// Tells a download from every other, as long as a store observes its transaction.
    public struct ID: Sendable, Hashable {
        /// The transaction for which it is.
        package let transaction: TransactionToken
        /// Its place among the transaction's downloads.
        package let index: Int

        package init(transaction: TransactionToken, index: Int) {
            self.transaction = transaction
            self.index = index
        }
    }

    /// The state of a download.
    public enum State: Sendable, Hashable, CaseIterable {
        /// Not started yet.
        case waiting
        /// Running.
        case active
        /// Halted, and can go on.
        case paused
        /// All there.
        case finished
        /// Gave up. It may be started again.
        case failed
        /// Withdrawn for good.
        case cancelled

        /// Whether nothing more comes of it by itself.
        public var isOver: Bool {
            switch self {
            case .waiting, .active, .paused: false
            case .finished, .failed, .cancelled: true
            }
        }
    }

    /// Tells it from every other.
    public let id: ID
    /// Apple's identifier of the content.
    public var contentID: String
    /// The version of the content, such as `1.0`.
    public var contentVersion: String
    /// The size in bytes; 0 where it is not known.
    public var contentLength: Int64
    /// The state.
    public var state: State
    /// How much is there, from 0 to 1.
    public var fraction: Double
    /// The time still needed in seconds; `nil` when nobody knows.
    public var timeRemaining: TimeInterval?
    /// Where the content lies; only when finished, and only until the transaction is finished: move it before.
    public var contentURL: URL?
    /// Why it failed; only when failed.
    public var error: StoreError?

    /// A fraction outside 0 to 1 is brought into it.
    package init(
        id: ID, contentID: String, contentVersion: String = "1.0", contentLength: Int64, state: State = .waiting,
        fraction: Double = 0, timeRemaining: TimeInterval? = nil, contentURL: URL? = nil, error: StoreError? = nil
    ) {
        self.id = id
        self.contentID = contentID
        self.contentVersion = contentVersion
        self.contentLength = max(0, contentLength)
        self.state = state
        self.fraction = fraction.isNaN ? 0 : min(1, max(0, fraction))
        self.timeRemaining = timeRemaining.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        self.contentURL = contentURL
        self.error = error
    }

    /// The bytes that are there.
    public var bytesReceived: Int64 {
        state == .finished ? contentLength : Int64(exactly: (Double(contentLength) * fraction).rounded(.down)) ?? contentLength
    }
}
