import AppStoreSimulator
import AsyncStoreKit

extension DemoScene {
    static let download = DemoScene(title: "Hosted content") { stage in
        let productID = "darkroom.grain"
        stage.say(.customer, "buys \(stage.name(of: productID))")
        let outcome = try await stage.store.purchase(productID) { purchase in
            let total = ByteCount(purchase.transaction.downloads.map(\.contentLength))
            stage.say(.app, "store.hostedContent.content(of: purchase): \(total)")
            for file in try await stage.download(purchase.transaction, total: total) {
                stage.say(
                    .app, "keeps \(file.contentID) \(file.version), file:///…/\(file.name), \(ByteCount(file.size))")
            }
            let isUnfinished = await stage.store.unfinishedTransactions.contains {
                $0.token == purchase.transaction.token
            }
            let state = isUnfinished ? "the transaction isn't finished yet" : "the transaction is finished too early"
            stage.say(.app, state, isUnfinished ? .plain : .bad)
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "success: the closure returned, and the transaction is finished")
        try await stage.sayUnfinished()
    }
}

extension DemoStage {
    /// Downloads the hosted content of a transaction, with a progress bar.
    nonisolated(nonsending) fileprivate func download(
        _ transaction: StoreTransaction, total: ByteCount
    ) async throws -> [ContentDownload.File] {
        var bar = ProgressBar(console: console, lead: lead(.app), total: "\(total)")
        defer { bar.end() }
        return try await ContentDownload(store: store, appStore: appStore).run(for: transaction) {
            bar.show($0.fraction)
        }
    }

    /// Downloads the hosted content of a transaction, if there is any.
    func fetchContent(of transaction: StoreTransaction) async throws {
        guard !transaction.downloads.isEmpty else { return }
        let files = try await ContentDownload(store: store, appStore: appStore).run(for: transaction)
        say(.app, "downloads its hosted content, \(ByteCount(files.map(\.size)))")
    }
}
