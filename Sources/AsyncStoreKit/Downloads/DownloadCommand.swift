/// What can be done with downloads.
public enum DownloadCommand: Sendable, Hashable, CaseIterable {
    /// Starts those that wait, and once more those that failed.
    case start
    /// Halts those that run.
    case pause
    /// Lets those go on that were halted.
    case resume
    /// Withdraws them for good.
    case cancel
}
