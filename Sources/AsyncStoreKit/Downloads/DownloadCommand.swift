/// A command for downloads.
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
