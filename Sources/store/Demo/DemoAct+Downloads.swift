import AppStoreSimulator
import AsyncStoreKit

extension DemoAct {
    // More files than this say nothing new.
    private static let mostFiles = 5

    static let download = DemoAct(title: "A download of hosted content") { stage in
        let product = try stage.castHosted()
        let name = stage.name(of: product.productID)
        stage.say(.customer, "buys \(name)")
        let outcome = try await stage.store.purchase(product.productID) { purchase in
            let total = ByteCount(product.hostedContent.map(\.contentLength))
            stage.say(.app, "store.hostedContent.content(of: purchase): \(total) to download")
            let files = try await stage.download(purchase.transaction, total: total)
            for file in files.prefix(mostFiles) {
                stage.say(.app, "keeps \(file.contentID) \(file.version) from file:///…/\(file.name), \(file.size) bytes")
            }
            if files.count > mostFiles { stage.say(.app, "keeps \(files.count - mostFiles) more files") }
            let isOpen = await stage.store.unfinishedTransactions.contains { $0.token == purchase.transaction.token }
            stage.say(.app, "the transaction is \(isOpen ? "not finished yet" : "finished already")", isOpen ? .plain : .bad)
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        stage.own(product)
        stage.say(.app, "success: the closure has returned, the transaction is finished", .good)
        try await stage.sayUnfinished()
    }
}

extension DemoStage {
    /// Downloads what is hosted for a transaction, under the eyes of whoever reads.
    fileprivate func download(_ transaction: StoreTransaction, total: ByteCount) async throws -> [ContentDownload.File] {
        var bar = ProgressBar(console: console, lead: lead(.app), total: "\(total)")
        defer { bar.end() }
        return try await ContentDownload(store: store, appStore: appStore).run(for: transaction) { bar.show($0.fraction) }
    }

    /// Downloads what is hosted for a transaction, if anything is: it is part of what is to be delivered.
    func fetchContent(of transaction: StoreTransaction) async throws {
        guard !transaction.downloads.isEmpty else { return }
        let files = try await ContentDownload(store: store, appStore: appStore).run(for: transaction)
        say(.app, "downloads what is hosted for it, \(ByteCount(files.map(\.size)))")
    }
}
