public import Foundation

/// The download of one hosted content of one transaction.
public struct SimulatedDownload: Sendable, Hashable, Identifiable {
    /// The identifier of a download in a store.
    public struct ID: Sendable, Hashable {
        /// The number behind the identifier.
        public let rawValue: UInt64

        package init(rawValue: UInt64) {
            self.rawValue = rawValue
        }
    }

    /// The state of a download. Raw values are those of `SKDownloadState`.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// The download hasn't started.
        case waiting = 0
        /// The download is running.
        case active = 1
        /// The download is paused and can be resumed.
        case paused = 2
        /// The download is complete.
        case finished = 3
        /// The download failed.
        case failed = 4
        /// The app canceled the download.
        case cancelled = 5
    }

    /// The identifier of the download.
    public let id: ID
    /// The transaction that the download belongs to.
    public let transactionID: SimulatedTransaction.ID
    /// The downloaded content.
    public var content: SimulatedHostedContent
    /// The state of the download.
    public var state = State.waiting
    /// The progress, from 0 to 1.
    public var progress: Float = 0
    /// The remaining time in seconds; `nil` if unknown.
    public var timeRemaining: TimeInterval?
    /// The location of the content. Set when the download has finished, and valid until the transaction is finished.
    public var contentURL: URL?
    /// The error of a failed download.
    public var error: SimulatedError?
}
