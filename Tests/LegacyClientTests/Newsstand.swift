import Foundation
import StoreKit
import SwiftyStoreKit

/// A magazine app that sells issues, coins and a subscription with the block API, with one controller for each screen.
///
/// Calling a deprecated function warns, except in code that is deprecated itself.
@available(*, deprecated)
class Newsstand {
    static let prefix = "org.example.newsstand."
    static let archive = prefix + "archive"
    static let subscriptions: Set<String> = [prefix + "weekly", prefix + "yearly"]

    /// The loaded products by identifier.
    private(set) var shelf: [String: SKProduct] = [:]
    private(set) var unlocked: Set<String> = []
    private(set) var messages: [String] = []
    private var openRequests: [InAppRequest] = []
    private var saved: [URL] = []
    /// The purchases that are waiting for the newsstand's server, with the closures that finish them.
    private var outbox: [(productId: String, sent: () -> Void)] = []

    deinit {
        for request in openRequests { request.cancel() }
    }
}

// At launch.
@available(*, deprecated)
extension Newsstand {
    func didFinishLaunching() {
        SwiftyStoreKit.completeTransactions(atomically: false) { [weak self] purchases in
            purchases.forEach { self?.settle($0) }
        }
        SwiftyStoreKit.onEntitlementRevocation { [weak self] productIds in
            self?.unlocked.subtract(productIds)
        }
        SwiftyStoreKit.shouldAddStorePaymentHandler = { [weak self] payment, product in
            self?.shelf[product.productIdentifier] = product
            return payment.quantity == 1
        }
        SwiftyStoreKit.updatedDownloadsHandler = { [weak self] in self?.collect($0) }
    }

    /// Handles an unsolicited transaction.
    private func settle(_ purchase: Purchase) {
        let state = purchase.transaction.transactionState
        guard state == .purchased || state == .restored else {
            return messages.append("\(purchase.productId) is \(state.debugDescription)")
        }
        outbox.append((purchase.productId, { SwiftyStoreKit.finishTransaction(purchase.transaction) }))
        if !purchase.needsFinishTransaction { outbox.removeLast().sent() }
        unlocked.insert(purchase.productId)
    }

    /// Finishes the waiting purchases after the server has received them.
    func serverAccepted() {
        for entry in outbox { entry.sent() }
        outbox = []
    }
}

// The shop's screens.
@available(*, deprecated)
extension Newsstand {
    func openShop() {
        guard SwiftyStoreKit.canMakePayments else { return messages.append("Purchases are switched off") }
        let request = SwiftyStoreKit.retrieveProductsInfo(Self.subscriptions.union([Self.archive])) {
            [weak self] results in
            self?.fillShelf(with: results)
        }
        request.start()
        openRequests.append(request)
    }

    func fillShelf(with results: RetrieveResults) {
        for product in results.retrievedProducts { shelf[product.productIdentifier] = product }
        messages += shelf.values.sorted { $0.productIdentifier < $1.productIdentifier }.map(priceTag)
        messages += results.invalidProductIDs.sorted().map { "\($0) is sold out" }
        if let failure = results.error as NSError? {
            messages.append("No shelf today: \(failure.domain) \(failure.code)")
        }
    }

    func priceTag(of product: SKProduct) -> String {
        let trial =
            product.introductoryPrice.map {
                ", \($0.localizedSubscriptionPeriod) for \($0.localizedPrice ?? "nothing")"
            } ?? ""
        return
            "\(product.localizedTitle) \(product.localizedPrice ?? "–") \(product.localizedSubscriptionPeriod)\(trial)"
    }

    func tapCoins(_ count: Int, reader: UUID) {
        openRequests.append(
            SwiftyStoreKit.purchaseProduct(
                Self.prefix + "coins", quantity: count, atomically: false, applicationUsername: reader.uuidString
            ) { [weak self] in self?.close(the: $0) })
    }

    func tapArchive(askingParents: Bool) {
        SwiftyStoreKit.purchaseProduct(Self.archive, simulatesAskToBuyInSandbox: askingParents) { [weak self] in
            self?.close(the: $0)
        }
    }

    /// Buys a loaded product, with an offer if the server has signed one.
    func tapShelf(_ id: String, offer: SKPaymentDiscount?) {
        guard let product = shelf[id] else { return openShop() }
        SwiftyStoreKit.purchaseProduct(product, paymentDiscount: offer.map(PaymentDiscount.init)) { [weak self] in
            self?.close(the: $0)
        }
    }

    func close(the outcome: PurchaseResult) {
        switch outcome {
        case .success(let details):
            unlocked.insert(details.productId)
            SwiftyStoreKit.start(details.transaction.downloads)
            let finish = { SwiftyStoreKit.finishTransaction(details.transaction) }
            if details.needsFinishTransaction { outbox.append((details.productId, finish)) }
        case .deferred(let details): messages.append("\(details.product.localizedTitle) waits for a parent")
        case .error(let error): messages.append(Self.text(for: error) ?? "")
        }
    }

    static func text(for error: SKError) -> String? {
        switch error.code {
        case .paymentCancelled: return nil
        case .paymentNotAllowed, .clientInvalid: return "Ask the administrator of this device"
        case .paymentInvalid, .storeProductNotAvailable: return "Not sold here"
        case .cloudServiceNetworkConnectionFailed: return "Try again when you are online"
        default: return (error as NSError).userInfo[NSUnderlyingErrorKey].map { "\($0)" } ?? error.localizedDescription
        }
    }

    func tapRestore(_ button: (_ isEnabled: Bool) -> Void = { _ in }) {
        button(false)
        SwiftyStoreKit.restorePurchases(atomically: false, applicationUsername: "reader") { [weak self] results in
            results.restoredPurchases.forEach { self?.settle($0) }
            for (error, productId) in results.restoreFailedPurchases {
                self?.messages.append("\(productId ?? "Restoring") failed with \(error.errorCode)")
            }
        }
    }
}

// Issues that the App Store hosts.
@available(*, deprecated)
extension Newsstand {
    func pauseOnCellular(_ downloads: [SKDownload], isCellular: Bool) {
        if isCellular { SwiftyStoreKit.pause(downloads) } else { SwiftyStoreKit.resume(downloads) }
    }

    func throwAway(_ downloads: [SKDownload]) {
        SwiftyStoreKit.cancel(downloads)
    }

    private func collect(_ downloads: [SKDownload]) {
        let arrived = downloads.filter { $0.contentURL != nil }
        saved += arrived.compactMap(\.contentURL)
        guard arrived.count == downloads.count, let last = arrived.last else { return }
        SwiftyStoreKit.finishTransaction(last.transaction)
    }
}
