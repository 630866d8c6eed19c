import AppStoreSimulator
import AsyncStoreKit
import Foundation

/// Downloads the hosted content of a purchase. Each step of the download advances the simulated clock.
struct ContentDownload {
    /// A downloaded file.
    struct File: Hashable {
        let contentID: String
        let version: String
        /// The last component of the URL. The name of the folder is random.
        let name: String
        /// The size on disk, in bytes.
        let size: Int64
    }

    let store: PurchaseStore
    let appStore: SimulatedAppStore

    /// Downloads all hosted content of a transaction, and returns the files.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - show: Receives the progress. If there are several new values, it receives only the latest.
    nonisolated(nonsending) func run(
        for transaction: StoreTransaction, show: (HostedContentProgress) -> Void = { _ in }
    ) async throws -> [File] {
        var last: HostedContentProgress?
        var longest = 0.0
        for try await progress in store.hostedContent.content(of: transaction) {
            show(progress)
            last = progress
            guard progress.state == .active else { continue }
            // Progress has ten steps. A little more than a tenth of the time completes a step of the longest
            // download, even if times are rounded. Without a step there would be no further progress.
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
