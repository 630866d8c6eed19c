import Foundation
import StoreKit
import SwiftyStoreKit
import TestHarness
import Testing

// Every public symbol of 0.16.4 with its exact type, so that a change doesn't compile. No code here reaches the App
// Store.

/// Calls deprecated code without a warning: calling a deprecated function warns outside deprecated code, but calling a
/// deprecated witness through its protocol doesn't.
protocol OldCode {
    func run() -> Int
}

struct OldFunctions: OldCode {
    @available(*, deprecated)
    func run() -> Int {
        typealias Kit = SwiftyStoreKit
        let canMakePayments: () -> Bool = { Kit.canMakePayments }
        let retrieve: (Set<String>, @escaping (RetrieveResults) -> Void) -> any InAppRequest = Kit.retrieveProductsInfo(
            _:completion:)
        let buyID: (String, Int, Bool, String, Bool, @escaping (PurchaseResult) -> Void) -> any InAppRequest =
            Kit.purchaseProduct(_:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:completion:)
        let buyProduct:
            (SKProduct, Int, Bool, String, Bool, PaymentDiscount?, @escaping (PurchaseResult) -> Void) -> Void =
                Kit.purchaseProduct(
                    _:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:paymentDiscount:completion:)
        let restore: (Bool, String, @escaping (RestoreResults) -> Void) -> Void =
            Kit.restorePurchases(atomically:applicationUsername:completion:)
        let complete: (Bool, @escaping ([Purchase]) -> Void) -> Void = Kit.completeTransactions(atomically:completion:)
        let revocation: (@escaping ([String]) -> Void) -> Void = Kit.onEntitlementRevocation(completion:)
        let finish: (any PaymentTransaction) -> Void = Kit.finishTransaction(_:)
        let downloads: [([SKDownload]) -> Void] = [Kit.start(_:), Kit.pause(_:), Kit.resume(_:), Kit.cancel(_:)]
        let addHandler: () -> ShouldAddStorePaymentHandler? = { Kit.shouldAddStorePaymentHandler }
        let setAddHandler: (ShouldAddStorePaymentHandler?) -> Void = { Kit.shouldAddStorePaymentHandler = $0 }
        let downloadHandler: () -> UpdatedDownloadsHandler? = { Kit.updatedDownloadsHandler }
        let setDownloadHandler: (UpdatedDownloadsHandler?) -> Void = { Kit.updatedDownloadsHandler = $0 }
        let receiptData: () -> Data? = { Kit.localReceiptData }
        let fetch: (Bool, @escaping (FetchReceiptResult) -> Void) -> (any InAppRequest)? = Kit.fetchReceipt(
            forceRefresh:completion:)
        let verify: (any ReceiptValidator, Bool, @escaping (VerifyReceiptResult) -> Void) -> (any InAppRequest)? =
            Kit.verifyReceipt(using:forceRefresh:completion:)
        let verifyPurchase: (String, ReceiptInfo) -> VerifyPurchaseResult = Kit.verifyPurchase(productId:inReceipt:)
        let verifySubscription: (SubscriptionType, String, ReceiptInfo, Date) -> VerifySubscriptionResult =
            Kit.verifySubscription(ofType:productId:inReceipt:validUntil:)
        let verifySubscriptions: (SubscriptionType, Set<String>, ReceiptInfo, Date) -> VerifySubscriptionResult =
            Kit.verifySubscriptions(ofType:productIds:inReceipt:validUntil:)
        let distinct: (SubscriptionType, ReceiptInfo) -> Set<String>? = Kit.getDistinctPurchaseIds(ofType:inReceipt:)
        let all: [Any] = [
            canMakePayments, retrieve, buyID, buyProduct, restore, complete, revocation, finish, addHandler,
            setAddHandler,
            downloadHandler, setDownloadHandler, receiptData, fetch, verify, verifyPurchase, verifySubscription,
            verifySubscriptions,
            distinct,
        ]
        return all.count + downloads.count
    }

    /// The calls with all defaults and discarded results. Compiled, not run.
    @available(*, deprecated)
    func defaults(product: SKProduct, validator: any ReceiptValidator, receipt: ReceiptInfo) {
        SwiftyStoreKit.retrieveProductsInfo([]) { _ in }
        SwiftyStoreKit.purchaseProduct("") { _ in }
        SwiftyStoreKit.purchaseProduct(product) { _ in }
        SwiftyStoreKit.restorePurchases { _ in }
        SwiftyStoreKit.completeTransactions { _ in }
        SwiftyStoreKit.fetchReceipt(forceRefresh: false) { _ in }
        SwiftyStoreKit.verifyReceipt(using: validator) { _ in }
        _ = SwiftyStoreKit.verifySubscription(ofType: .autoRenewable, productId: "", inReceipt: receipt)
        _ = SwiftyStoreKit.verifySubscriptions(productIds: [], inReceipt: receipt)
        _ = SwiftyStoreKit.getDistinctPurchaseIds(inReceipt: receipt)
    }
}

/// A client's transaction, whose downloads are in deprecated code because Apple has deprecated downloads.
struct OldPurchases: OldCode {
    @available(*, deprecated)
    func run() -> Int {
        struct Transaction: PaymentTransaction {
            var transactionDate: Date?
            var transactionState: SKPaymentTransactionState
            var transactionIdentifier: String?
            var downloads: [SKDownload]
        }
        let transaction = Transaction(
            transactionDate: .distantFuture, transactionState: .purchased, transactionIdentifier: "1", downloads: [])
        let purchase = Purchase(
            productId: "pro", quantity: 1, transaction: transaction, originalTransaction: nil,
            needsFinishTransaction: true)
        let fields: (String, Int, any PaymentTransaction, (any PaymentTransaction)?, Bool) = (
            purchase.productId, purchase.quantity, purchase.transaction, purchase.originalTransaction,
            purchase.needsFinishTransaction
        )
        #expect(
            fields.0 == "pro" && fields.1 == 1 && fields.2.transactionIdentifier == "1" && fields.3 == nil && fields.4)
        let purchased: any Purchased = purchase
        #expect(purchased.originalPurchaseDate == .distantFuture)
        let details = PurchaseDetails(
            productId: "pro", quantity: 1, product: SKProduct(), transaction: transaction, originalTransaction: nil,
            needsFinishTransaction: false)
        let product: SKProduct = details.product
        let detailed: any Purchased = details
        #expect(detailed.originalPurchaseDate == .distantFuture && product === details.product)
        return [purchased, detailed].count
    }
}

/// A client's questions to a receipt.
struct OldQuestions: OldCode {
    @available(*, deprecated)
    func run() -> Int {
        func row(_ product: String, _ dates: [String: String] = [:]) -> [String: String] {
            [
                "product_id": product, "quantity": "1", "transaction_id": "1", "original_transaction_id": "1",
                "purchase_date_ms": "1000000", "original_purchase_date_ms": "1000000",
            ].merging(dates) { $1 }
        }
        let receipt: ReceiptInfo = [
            "receipt": ["in_app": [row("archive"), row("pass")]] as NSDictionary,
            "latest_receipt_info": [row("weekly", ["expires_date_ms": "2000000"])] as NSArray,
        ]
        let date = Date(timeIntervalSince1970: 1_500)
        var right = 0
        if case .purchased(let item) = SwiftyStoreKit.verifyPurchase(productId: "archive", inReceipt: receipt),
            item.productId == "archive"
        {
            right += 1
        }
        if case .expired = SwiftyStoreKit.verifySubscription(
            ofType: .nonRenewing(validDuration: 400), productId: "pass", inReceipt: receipt, validUntil: date)
        {
            right += 1
        }
        if case .purchased(_, let items) = SwiftyStoreKit.verifySubscriptions(
            productIds: ["weekly", "yearly"], inReceipt: receipt, validUntil: date), items.count == 1
        {
            right += 1
        }
        if SwiftyStoreKit.getDistinctPurchaseIds(inReceipt: receipt) == ["weekly"] { right += 1 }
        return right
    }
}

@Suite(.bounded) struct SymbolTests {
    @Test func `every function has its type`() {
        let code: any OldCode = OldFunctions()
        #expect(code.run() == 23)
    }

    @Test func `questions to a receipt have their answers`() {
        let code: any OldCode = OldQuestions()
        #expect(code.run() == 4)
    }

    @Test func `the values have their fields and initializers`() throws {
        let item = ReceiptItem(
            productId: "pro", quantity: 1, transactionId: "1", originalTransactionId: "0", purchaseDate: .distantPast,
            originalPurchaseDate: .distantPast, webOrderLineItemId: nil, subscriptionExpirationDate: nil,
            cancellationDate: nil,
            isTrialPeriod: false, isInIntroOfferPeriod: false, isUpgraded: false)
        var changed = item
        changed.productId = "coins"
        changed.quantity = 2
        changed.transactionId = "2"
        changed.originalTransactionId = "2"
        changed.purchaseDate = .distantFuture
        changed.originalPurchaseDate = .distantFuture
        changed.webOrderLineItemId = "3"
        changed.subscriptionExpirationDate = .distantFuture
        changed.cancellationDate = .distantFuture
        changed.isTrialPeriod = true
        changed.isInIntroOfferPeriod = true
        changed.isUpgraded = true
        let copy = try JSONDecoder().decode(ReceiptItem.self, from: JSONEncoder().encode(item))
        #expect(copy == item && copy != changed)
        let purchased: any Purchased = item
        #expect(
            purchased.productId == "pro" && purchased.quantity == 1 && purchased.originalPurchaseDate == .distantPast)
        #expect(ReceiptItem(receiptInfo: [:]) == nil)

        let results = RetrieveResults(retrievedProducts: [], invalidProductIDs: ["a"], error: nil)
        let products: Set<SKProduct> = results.retrievedProducts
        let error: (any Error)? = results.error
        #expect(products.isEmpty && results.invalidProductIDs == ["a"] && error == nil)
        let restored = RestoreResults(restoredPurchases: [], restoreFailedPurchases: [(SKError(.unknown), "a")])
        let failed: [(SKError, String?)] = restored.restoreFailedPurchases
        #expect(restored.restoredPurchases.isEmpty && failed.first?.1 == "a")
    }

    @Test func `purchases have the values of their initializers`() {
        let code: any OldCode = OldPurchases()
        #expect(code.run() == 2)
    }

    @Test func `raw values are unchanged`() {
        let statuses: [ReceiptStatus] = [
            .unknown, .none, .valid, .jsonNotReadable, .malformedOrMissingData, .receiptCouldNotBeAuthenticated,
            .secretNotMatching,
            .receiptServerUnavailable, .subscriptionExpired, .testReceipt, .productionEnvironment,
        ]
        #expect(statuses.map(\.rawValue) == [-2, -1, 0, 21000, 21002, 21003, 21004, 21005, 21006, 21007, 21008])
        let services: [AppleReceiptValidator.VerifyReceiptURLType] = [.production, .sandbox]
        #expect(
            services.map(\.rawValue) == [
                "https://buy.itunes.apple.com/verifyReceipt", "https://sandbox.itunes.apple.com/verifyReceipt",
            ])
        let fields: [ReceiptInfoField] = [
            .bundle_id, .application_version, .original_application_version, .creation_date, .expiration_date, .in_app,
        ]
        #expect(fields.allSatisfy { $0.rawValue == "\($0)" })
        let rows: [ReceiptInfoField.InApp] = [
            .quantity, .product_id, .transaction_id, .original_transaction_id, .purchase_date, .original_purchase_date,
            .expires_date,
            .cancellation_date, .version_external_identifier, .web_order_line_item_id,
        ]
        #expect(rows.allSatisfy { $0.rawValue == "\($0)" })
    }

    @Test func `Apple's validator is created and changed as before`() {
        let validator = AppleReceiptValidator()
        #expect(validator.service == .production)
        validator.service = .sandbox
        let protocolled: any ReceiptValidator = AppleReceiptValidator(service: .sandbox, sharedSecret: "secret")
        let validate: (Data, @escaping (VerifyReceiptResult) -> Void) -> Void = protocolled.validate(
            receiptData:completion:)
        _ = validate
        class Subclass: NSObject, ReceiptValidator, InAppRequest {
            func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void) {
                completion(.error(error: .noReceiptData))
            }
            func start() {}
            func cancel() {}
        }
        let request: any InAppRequest = Subclass()
        request.start()
        request.cancel()
    }

    @Test func `SubscriptionType is Hashable`() {
        #expect(Set<SubscriptionType>([.autoRenewable, .autoRenewable, .nonRenewing(validDuration: 1)]).count == 2)
    }

    @Test func `StoreKit's types have the extensions of 0.16.4`() {
        let priceOf: (SKProduct) -> String? = \.localizedPrice
        let periodOf: (SKProduct) -> String = \.localizedSubscriptionPeriod
        let discountPriceOf: (SKProductDiscount) -> String? = \.localizedPrice
        let discountPeriodOf: (SKProductDiscount) -> String = \.localizedSubscriptionPeriod
        let discount: (SKPaymentDiscount) -> PaymentDiscount = PaymentDiscount.init(discount:)
        _ = (priceOf, periodOf, discountPriceOf, discountPeriodOf, discount)
        #expect(SKPaymentTransactionState.purchased.debugDescription == "purchased")
        let queue: any PaymentQueue.Type = SKPaymentQueue.self
        let transaction: any PaymentTransaction.Type = SKPaymentTransaction.self
        #expect("\(queue)" == "SKPaymentQueue" && "\(transaction)" == "SKPaymentTransaction")
    }

    @available(*, deprecated)
    private func useQueue(
        _ queue: any PaymentQueue, _ observer: any SKPaymentTransactionObserver, _ downloads: [SKDownload]
    ) {
        queue.add(observer)
        queue.remove(observer)
        queue.add(SKPayment())
        queue.start(downloads)
        queue.pause(downloads)
        queue.resume(downloads)
        queue.cancel(downloads)
        queue.restoreCompletedTransactions(withApplicationUsername: nil)
        queue.finishTransaction(SKPaymentTransaction())
    }
}
