public import Foundation

/// How far the downloads of one purchase are.
public struct HostedContentProgress: Sendable, Hashable {
    /// The downloads, in StoreKit's order.
    public let downloads: [StoreDownload]

    package init(downloads: [StoreDownload]) {
        self.downloads = downloads
    }

    /// The state of the whole: finished when all are; else that of the ones that are furthest from it.
    public var state: StoreDownload.State {
        let states = Set(downloads.map(\.state))
        return [.active, .waiting, .paused, .failed, .cancelled].first { states.contains($0) } ?? .finished
    }

    /// The size of it all, in bytes.
    public var contentLength: Int64 { sum(of: \.contentLength) }

    /// The bytes that are there.
    public var bytesReceived: Int64 { sum(of: \.bytesReceived) }

    /// How much is there, from 0 to 1: by bytes, or by downloads where the sizes are not known.
    public var fraction: Double {
        guard !downloads.isEmpty else { return 1 }
        let length = contentLength
        guard length > 0 else { return downloads.reduce(0) { $0 + $1.fraction } / Double(downloads.count) }
        return downloads.reduce(0) { $0 + $1.fraction * (Double($1.contentLength) / Double(length)) }
    }

    /// The time still needed in seconds, that of the download which needs longest; `nil` when nobody knows.
    public var timeRemaining: TimeInterval? {
        let open = downloads.filter { !$0.state.isOver }
        let known = open.compactMap(\.timeRemaining)
        return known.count == open.count ? known.max() ?? 0 : nil
    }

    /// Where the content lies that is there, in StoreKit's order. Only until the transaction is finished: move it before.
    public var localURLs: [URL] { downloads.compactMap(\.contentURL) }

    private func sum(of bytes: (StoreDownload) -> Int64) -> Int64 {
        downloads.reduce(0) { sum, download in
            let (next, isTooMuch) = sum.addingReportingOverflow(bytes(download))
            return isTooMuch ? .max : next
        }
    }
}

/// How the hosted content of a transaction stands, for those who wait for it.
struct HostedContentEvent: Sendable, Hashable {
    let token: TransactionToken
    let progress: Result<HostedContentProgress, StoreError>

    /// Whether nothing more comes of it.
    var isLast: Bool {
        switch progress {
        case .success(let progress): progress.state == .finished
        case .failure: true
        }
    }
}

/// What can be done with downloads.
package enum DownloadCommand: Sendable, Hashable, CaseIterable {
    /// Starts those that wait, and once more those that failed.
    case start
    /// Halts those that run.
    case pause
    /// Lets those go on that were halted.
    case resume
    /// Withdraws them for good.
    case cancel
}
