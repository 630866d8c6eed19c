import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// `store purchase`: one purchase at a simulated App Store, and what came of it.
package enum PurchaseCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "purchase",
        summary: "Buys one product at a simulated App Store that sells what a StoreKit configuration file lists.",
        operands: [.init("PRODUCT", "The identifier of the product.")],
        options: [
            .init("--configuration", value: "FILE", isRequired: true, "The configuration file, as Xcode writes it (.storekit)."),
            .init("--quantity", value: "N", "How many, 1 to 10; 1 unless given."),
            .init("--ask-to-buy", "Has a parent asked, who has yet to answer."),
            .init("--download", "Downloads what is hosted for it, before the transaction is finished."),
            .init("--fail", value: "CODE", "Lets the payment fail: a code of SKError, by number (3) or by name (paymentInvalid)."),
        ],
        notes: [
            "Ask to Buy, interrupted and failing purchases are also as the file's own settings have them.",
            "Exit code: 0 bought or waiting for approval, 1 failed or cancelled, 64 wrong arguments, 66 unusable file.",
        ])

    private struct Order {
        let productID: String
        let options: PurchaseOptions
        let failure: FailureCode?
        let downloads: Bool

        init(_ arguments: ParsedArguments) throws(CommandFailure) {
            productID = arguments.operands.first ?? ""
            let quantity = arguments["--quantity"] ?? "1"
            guard let number = Int(quantity), (1...10).contains(number) else {
                throw .usage("--quantity takes a whole number from 1 to 10, not \(quantity.shown)")
            }
            options = PurchaseOptions(quantity: number, simulatesAskToBuy: arguments.has("--ask-to-buy"))
            downloads = arguments.has("--download")
            failure = try arguments["--fail"].map { code throws(CommandFailure) in try FailureCode(code) }
            if failure != nil, options.simulatesAskToBuy {
                throw .usage("--ask-to-buy and --fail cannot go together: a payment that waits has not failed")
            }
        }
    }

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        let order = try Order(arguments)
        let catalog = try ConfigurationFile(arguments["--configuration"]).catalog()
        if order.downloads, let hosted = catalog[order.productID]?.hostedByteCount, hosted > ContentDownload.mostBytes {
            let limit = ByteCount(ContentDownload.mostBytes)
            throw CommandFailure(.failure, "More than \(limit) is hosted for \"\(order.productID)\", too much to download.")
        }
        let appStore = SimulatedAppStore(catalog: catalog)
        if let failure = order.failure {
            appStore.setNextPurchaseOutcome(.failed(failure.error))
        }
        do throws(StoreError) {
            return try await buy(order, at: appStore, console)
        } catch {
            var message = "\(error)"
            if error.code == .productUnavailable {
                let ids = catalog.products.map(\.productID)
                message += ids.isEmpty ? " The file has no products." : " The file has \(list(ids))."
            }
            throw CommandFailure(.failure, message)
        }
    }

    private static func buy(
        _ order: Order, at appStore: SimulatedAppStore, _ console: Console
    ) async throws(StoreError) -> ExitCode {
        let store = PurchaseStore(
            over: SimulatedBackend(appStore, engine: .storeKit1), configuration: StoreConfiguration(clock: SimulatedClock(appStore)))
        var bought: StorePurchase?
        var files: [ContentDownload.File] = []
        let outcome = try await store.purchase(order.productID, options: order.options) { purchase in
            bought = purchase
            guard order.downloads else { return }
            files = try await download(purchase.transaction, ContentDownload(store: store, appStore: appStore), console)
        }
        let product = try await store.products(for: [order.productID])[order.productID]
        var rows = [["outcome", ""], ["product", order.productID]]
        if let name = product?.displayName, !name.isEmpty { rows.append(["name", name]) }
        rows.append(["quantity", "\(order.options.quantity)"])
        if let price = product?.displayPrice { rows.append(["price", order.options.quantity == 1 ? price : "\(price) each"]) }
        if let period = product?.displaySubscriptionPeriod { rows.append(["period", period]) }
        switch outcome {
        case .success:
            rows[0][1] = "success"
            let transaction = bought?.transaction
            rows.append(["transaction", transaction?.id ?? ""])
            rows.append(["date", transaction?.purchaseDate.map { $0.formatted(.iso8601) } ?? ""])
            for file in files { rows.append(["content", "\(file.contentID) \(file.version), \(file.size) bytes"]) }
            if order.downloads, files.isEmpty { rows.append(["content", "nothing is hosted for it"]) }
            let isWaiting = !order.downloads && transaction?.hasUnfinishedDownloads ?? false
            rows.append(["finished", isWaiting ? "no: its hosted content has yet to be downloaded" : "yes"])
        case .pending: rows[0][1] = "pending: somebody has to approve"
        case .userCancelled: rows[0][1] = "userCancelled"
        }
        console.lines(ConsoleTable(rows: rows).lines)
        if case .userCancelled = outcome { return .failure }
        return .success
    }

    /// Downloads what is hosted, with a bar.
    private static func download(
        _ transaction: StoreTransaction, _ download: ContentDownload, _ console: Console
    ) async throws -> [ContentDownload.File] {
        guard !transaction.downloads.isEmpty else { return [] }
        let total = ByteCount(transaction.downloads.map(\.contentLength))
        var bar = ProgressBar(console: console, lead: [], total: "\(total)")
        defer { bar.end() }
        return try await download.run(for: transaction) { bar.show($0.fraction) }
    }

    private static func list(_ ids: [String]) -> String {
        let shown = ids.prefix(6).joined(separator: ", ")
        return ids.count > 6 ? "\(shown) and \(ids.count - 6) more" : shown
    }
}
