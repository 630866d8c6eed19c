/// The part of a backend that downloads content hosted by the App Store.
package protocol HostedContentBackend: Sendable {
    /// Starts, pauses, resumes or cancels downloads of transactions in the queue. Ignores unknown downloads.
    func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID])
}
