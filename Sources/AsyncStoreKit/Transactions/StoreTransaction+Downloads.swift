extension StoreTransaction {
    /// Takes over how far a download is. False when the transaction has no such download.
    mutating func update(_ download: StoreDownload) -> Bool {
        guard download.id.transaction == id, let place = downloads.firstIndex(where: { $0.id == download.id }) else { return false }
        downloads[place] = download
        hasUnfinishedDownloads = downloads.contains { !$0.state.isOver }
        return true
    }

    /// Whether hosted content is on its way at this moment.
    var isDownloading: Bool {
        downloads.contains { $0.state == .active || $0.state == .paused }
    }
}
