import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// `store purchase`: makes one purchase in a simulated App Store and prints the result.
package enum PurchaseCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "purchase",
        summary: "Buys a product in a simulated App Store, and prints the result.",
        operands: [.init("PRODUCT", "The product identifier.")],
        options: [
            ConfigurationFile.option,
            EngineOption.option,
            .init(
                "--quantity", value: "N",
                "The quantity of a consumable or non-renewing subscription, 1 to 10. The default is 1."),
            MonthlyPlans.option,
            .init("--ask-to-buy", "Makes the purchase wait for a parent's approval."),
            .init("--download", "Downloads hosted content before the transaction is finished. Needs --engine 1."),
            .init(
                "--fail", value: "CODE",
                "Makes the payment fail with a code of SKError, such as 4 or paymentNotAllowed."),
            .init("--json", "Prints a JSON object instead of a table."),
        ],
        notes: [
            "The settings of the configuration file apply: Ask to Buy, interrupted purchases, and failing purchases.",
            MonthlyPlans.note,
            "Exit codes: 0 bought or pending, 1 failed or canceled, 64 wrong arguments, 66 unusable file.",
        ])

    private struct Order {
        let productID: String
        let engine: StoreEngine
        let options: PurchaseOptions
        let plans: MonthlyPlans
        let failure: FailureCode?
        let downloads: Bool

        init(_ arguments: ParsedArguments) throws(CommandFailure) {
            productID = arguments.operands.first ?? ""
            engine = try EngineOption.engine(arguments)
            let quantity = arguments["--quantity"] ?? "1"
            guard let number = Int(quantity), (1...10).contains(number) else {
                throw .usage("--quantity takes a whole number from 1 to 10, not \(quantity.shown)")
            }
            plans = try MonthlyPlans(arguments)
            guard !plans.isOn || engine == .storeKit2 else {
                throw .usage("--plan monthly needs --engine 2: StoreKit 1 has no billing plans")
            }
            options = PurchaseOptions(
                quantity: number, billingPlan: plans.isOn ? .monthly : nil,
                simulatesAskToBuy: arguments.has("--ask-to-buy"))
            downloads = arguments.has("--download")
            guard !downloads || engine == .storeKit1 else {
                throw .usage("--download needs --engine 1: StoreKit 2 has no hosted content")
            }
            failure = try arguments["--fail"].map { code throws(CommandFailure) in try FailureCode(code) }
            if failure != nil, options.simulatesAskToBuy {
                throw .usage("--ask-to-buy and --fail exclude each other: a pending payment can't fail yet")
            }
        }

        /// - Throws: ``CommandFailure`` if the App Store doesn't sell the product like this.
        func check(_ catalog: SimulatedCatalog) throws(CommandFailure) {
            guard let product = catalog[productID] else { return }
            let hasQuantity = product.kind == .consumable || product.kind == .nonRenewingSubscription
            guard hasQuantity || options.quantity == 1 else {
                throw .usage(
                    "--quantity is for consumables and non-renewing subscriptions; \(productID.shown) is "
                        + "\(product.kind == .nonConsumable ? "a" : "an") \(product.kind.words)")
            }
            let committed = MonthlyPlans.products(in: catalog).map(\.productID)
            guard !plans.isOn || committed.contains(productID) else {
                throw .usage("\(productID.shown) has no monthly plan; these products do: \(list(committed))")
            }
            if downloads, product.hostedByteCount > ContentDownload.maximumByteCount {
                let limit = ByteCount(ContentDownload.maximumByteCount)
                throw CommandFailure(
                    .failure, "The hosted content of \(productID.shown) is larger than \(limit), the maximum.")
            }
        }
    }

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        let order = try Order(arguments)
        let file = ConfigurationFile(arguments["--configuration"])
        let catalog = try order.plans.catalog(try file.catalog(console).supported(by: order.engine))
        try order.check(catalog)
        let appStore = SimulatedAppStore(catalog: catalog)
        if let failure = order.failure {
            appStore.setNextPurchaseOutcome(.failed(failure.error))
        }
        let isJSON = arguments.has("--json")
        do throws(StoreError) {
            let report = try await buy(order, at: appStore, isJSON ? nil : console)
            if isJSON {
                console.verbatim(report.jsonLines)
            } else {
                console.lines(report.table.lines(width: console.columns))
            }
            return report.outcome == .userCancelled ? .failure : .success
        } catch {
            if isJSON {
                console.verbatim(PurchaseReport(order.productID, order.engine, order.options.quantity, error).jsonLines)
            }
            var message = "\(error)".asSentence
            if error.code == .productUnavailable, catalog[order.productID] == nil {
                let ids = catalog.products.map(\.productID)
                message +=
                    ids.isEmpty ? " \(file.name) has no products." : " The products of \(file.name): \(list(ids))."
            }
            throw CommandFailure(.failure, message)
        }
    }

    /// Buys the product, and returns the result.
    ///
    /// - Parameter progress: Shows the progress of a download.
    private static func buy(
        _ order: Order, at appStore: SimulatedAppStore, _ progress: Console?
    ) async throws(StoreError) -> PurchaseReport {
        let store = PurchaseStore(simulating: appStore, engine: order.engine)
        var bought: StorePurchase?
        var files: [ContentDownload.File] = []
        let outcome = try await store.purchase(order.productID, options: order.options) { purchase in
            bought = purchase
            guard order.downloads else { return }
            files = try await download(
                purchase.transaction, ContentDownload(store: store, appStore: appStore), progress)
        }
        let product = try await store.products(for: [order.productID])[order.productID]
        let terms = order.options.billingPlan.flatMap { plan in product?.terms(of: plan) }
        var report = PurchaseReport(order.productID, order.engine, order.options.quantity, product, terms)
        switch outcome {
        case .success:
            report.outcome = .success
            let transaction = bought?.transaction
            report.transaction = transaction?.id
            report.date = transaction?.purchaseDate
            report.content = order.downloads ? files : nil
            report.isFinished = order.downloads || !(transaction?.hasUnfinishedDownloads ?? false)
        case .pending: report.outcome = .pending
        case .userCancelled: report.outcome = .userCancelled
        }
        return report
    }

    /// Downloads hosted content.
    private static func download(
        _ transaction: StoreTransaction, _ download: ContentDownload, _ console: Console?
    ) async throws -> [ContentDownload.File] {
        guard !transaction.downloads.isEmpty else { return [] }
        guard let console else { return try await download.run(for: transaction) }
        let total = ByteCount(transaction.downloads.map(\.contentLength))
        var bar = ProgressBar(console: console, lead: [], total: "\(total)")
        defer { bar.end() }
        return try await download.run(for: transaction) { bar.show($0.fraction) }
    }

    private static func list(_ ids: [String]) -> String {
        let shown = ids.prefix(10).joined(separator: ", ")
        return ids.count > 10 ? "\(shown), and \(ids.count - 10) more" : shown
    }
}
