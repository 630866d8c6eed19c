import AppStoreSimulator
import AsyncStoreKit
import Foundation

/// Downloads what a simulated App Store hosts for a purchase, on a clock that only moves when it does.
struct ContentDownload {
    /// A file that the app got.
    struct File: Hashable {
        let contentID: String
        let version: String
        /// The last part of its URL; the folder has another name each time.
        let name: String
        /// Its size on the disk, in bytes.
        let size: Int64
    }

    /// The most that is downloaded, in bytes: hours on the simulated clock, and less than the shortest subscription lasts.
    static let mostBytes: Int64 = 10_000_000_000

    let store: PurchaseStore
    let appStore: SimulatedAppStore

    /// Downloads everything, and returns what is there then; none when nothing is hosted.
    ///
    /// - Parameter show: Called with each state, of several in between with the latest.
    func run(for transaction: StoreTransaction, show: (HostedContentProgress) -> Void = { _ in }) async throws -> [File] {
        var last: HostedContentProgress?
        var longest = 0.0
        for try await progress in store.hostedContent.content(of: transaction) {
            show(progress)
            last = progress
            guard progress.state == .active else { continue }
            // Downloads are told of in ten steps. A little more than a tenth of the whole way brings the longest of them a step
            // further, whatever is rounded; without a step nothing more would come.
            longest = max(longest, progress.timeRemaining ?? 1)
            appStore.advance(by: max(0.001, longest * 0.101))
        }
        return try last?.downloads.compactMap { download in
            try download.contentURL.map { url in
                let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
                return File(
                    contentID: download.contentID, version: download.contentVersion, name: url.lastPathComponent,
                    size: size?.int64Value ?? 0)
            }
        } ?? []
    }
}

extension SimulatedProduct {
    /// How much is hosted for it; the greatest number there is, when it is more.
    var hostedByteCount: Int64 {
        hostedContent.reduce(0) { sum, content in
            let (next, isTooMuch) = sum.addingReportingOverflow(max(0, content.contentLength))
            return isTooMuch ? .max : next
        }
    }
}
