import AppStoreSimulator

/// The state of a download.
@available(iOS, deprecated: 16.0)
@frozen
public enum SKDownloadState: Int, Sendable {
    /// Not yet started.
    case waiting = 0
    /// Running.
    case active = 1
    /// Halted, and can go on.
    case paused = 2
    /// All there.
    case finished = 3
    /// Gave up.
    case failed = 4
    /// Withdrawn by the app.
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
