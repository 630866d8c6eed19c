import AppStoreSimulator

/// The state of a download.
@available(iOS, deprecated: 16.0)
@frozen
public enum SKDownloadState: Int, Sendable {
    /// The download hasn't started.
    case waiting = 0
    /// The download is running.
    case active = 1
    /// The download is paused and can be resumed.
    case paused = 2
    /// The content is downloaded.
    case finished = 3
    /// The download failed.
    case failed = 4
    /// The app canceled the download.
    case cancelled = 5
}

extension SKDownloadState {
    init(_ state: SimulatedDownload.State) {
        switch state {
        case .waiting: self = .waiting
        case .active: self = .active
        case .paused: self = .paused
        case .finished: self = .finished
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}
