public import Foundation

/// A download of hosted content, in the state in which StoreKit reported it.
///
/// Apple doesn't host content in iOS 16, macOS 13, tvOS 16, watchOS 9 and later, and never did on visionOS.
/// Transactions have no downloads there.
public struct StoreDownload: Sendable, Hashable, Identifiable {
    /// Identifies a download while a store observes its transaction.
    public struct ID: Sendable, Hashable {
        package let transaction: TransactionToken
        /// The position among the transaction's downloads.
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
        /// Paused; it can be resumed.
        case paused
        /// Completely received.
        case finished
        /// Failed; it can be started again.
        case failed
        /// Canceled permanently.
        case cancelled

        /// Whether the state doesn't change without a command.
        public var isOver: Bool {
            switch self {
            case .waiting, .active, .paused: false
            case .finished, .failed, .cancelled: true
            }
        }
    }

    /// The identifier.
    public let id: ID
    /// Apple's identifier of the content.
    public var contentID: String
    /// The version of the content, such as `1.0`.
    public var contentVersion: String
    /// The size in bytes; 0 if it isn't known.
    public var contentLength: Int64
    /// The state.
    public var state: State
    /// The completed fraction, from 0 to 1.
    public var fraction: Double
    /// The remaining time in seconds; `nil` if it isn't known.
    public var timeRemaining: TimeInterval?
    /// The file of a finished download. Move it before the transaction is finished: StoreKit deletes it then.
    public var contentURL: URL?
    /// The error of a failed download.
    public var error: StoreError?

    /// Creates a download. A fraction outside 0 to 1 is clamped.
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

    /// The number of bytes received.
    public var bytesReceived: Int64 {
        state == .finished
            ? contentLength : Int64(exactly: (Double(contentLength) * fraction).rounded(.down)) ?? contentLength
    }
}

package enum DownloadCommand: Sendable, Hashable, CaseIterable {
    /// Starts waiting downloads, and failed ones again.
    case start
    /// Pauses active downloads.
    case pause
    /// Resumes paused downloads.
    case resume
    /// Cancels downloads permanently.
    case cancel
}
