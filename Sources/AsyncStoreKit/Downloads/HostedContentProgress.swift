public import Foundation

/// The progress of the downloads of one purchase.
public struct HostedContentProgress: Sendable, Hashable {
    /// The downloads, in StoreKit's order.
    public let downloads: [StoreDownload]

    package init(downloads: [StoreDownload]) {
        self.downloads = downloads
    }

    /// The state of all downloads together: `finished` when all are, and otherwise the state of those that are furthest
    /// from it.
    public var state: StoreDownload.State {
        let states = Set(downloads.map(\.state))
        return [.active, .waiting, .paused, .failed, .cancelled].first { states.contains($0) } ?? .finished
    }

    /// The total size in bytes.
    public var contentLength: Int64 { sum(of: \.contentLength) }

    /// The number of bytes received.
    public var bytesReceived: Int64 { sum(of: \.bytesReceived) }

    /// The completed fraction, from 0 to 1: of the bytes, or of the downloads if their sizes aren't known.
    public var fraction: Double {
        guard !downloads.isEmpty else { return 1 }
        let length = contentLength
        guard length > 0 else { return downloads.reduce(0) { $0 + $1.fraction } / Double(downloads.count) }
        return downloads.reduce(0) { $0 + $1.fraction * (Double($1.contentLength) / Double(length)) }
    }

    /// The remaining time of the slowest download, in seconds; `nil` if it isn't known.
    public var timeRemaining: TimeInterval? {
        let open = downloads.filter { !$0.state.isOver }
        let known = open.compactMap(\.timeRemaining)
        return known.count == open.count ? known.max() ?? 0 : nil
    }

    /// The files of the finished downloads, in StoreKit's order. Move them before the transaction is finished: StoreKit
    /// deletes them then.
    public var localURLs: [URL] { downloads.compactMap(\.contentURL) }

    private func sum(of bytes: (StoreDownload) -> Int64) -> Int64 {
        downloads.reduce(0) { sum, download in
            let (next, isTooMuch) = sum.addingReportingOverflow(bytes(download))
            return isTooMuch ? .max : next
        }
    }
}

/// The progress of a transaction's hosted content, for the tasks that wait for it.
struct HostedContentEvent: Sendable, Hashable {
    let token: TransactionToken
    let progress: Result<HostedContentProgress, StoreError>

    /// Whether no event follows.
    var isLast: Bool {
        switch progress {
        case .success(let progress): progress.state == .finished
        case .failure: true
        }
    }
}

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
