public import Foundation

/// The download of one hosted content of one transaction.
public struct SimulatedDownload: Sendable, Hashable, Identifiable {
    /// Identifies a download within a store.
    public struct ID: Sendable, Hashable {
        /// The number behind the identifier.
        public let rawValue: UInt64

        package init(rawValue: UInt64) {
            self.rawValue = rawValue
        }
    }

    /// The state of a download. Raw values are those of `SKDownloadState`.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// Not yet started.
        case waiting = 0
        /// In progress.
        case active = 1
        /// Paused, and can be resumed.
        case paused = 2
        /// Complete.
        case finished = 3
        /// Failed.
        case failed = 4
        /// Cancelled by the app.
        case cancelled = 5
    }

    /// Identifies the download.
    public let id: ID
    /// The transaction whose content it is.
    public let transactionID: SimulatedTransaction.ID
    /// What is downloaded.
    public var content: SimulatedHostedContent
    /// The state.
    public var state: State
    /// How much is complete, from 0 to 1.
    public var progress: Float
    /// The time still needed in seconds; `nil` when it is not known.
    public var timeRemaining: TimeInterval?
    /// Where the content is; only when finished, and only until the transaction is finished.
    public var contentURL: URL?
    /// Why the download failed.
    public var error: SimulatedError?

    package init(
        id: ID, transactionID: SimulatedTransaction.ID, content: SimulatedHostedContent, state: State = .waiting, progress: Float = 0,
        timeRemaining: TimeInterval? = nil, contentURL: URL? = nil, error: SimulatedError? = nil
    ) {
        self.id = id
        self.transactionID = transactionID
        self.content = content
        self.state = state
        self.progress = progress
        self.timeRemaining = timeRemaining
        self.contentURL = contentURL
        self.error = error
    }
}
