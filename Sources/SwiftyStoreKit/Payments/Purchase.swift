public import Foundation
public import StoreKit

/// A restored transaction, or a transaction that answers no call.
public struct Purchase {
    /// The identifier of the product.
    public let productId: String
    /// The number of items.
    public let quantity: Int
    /// The transaction.
    public let transaction: any PaymentTransaction
    /// The original transaction of a restored transaction.
    public let originalTransaction: (any PaymentTransaction)?
    /// Whether you must call ``SwiftyStoreKit/finishTransaction(_:)`` after you deliver the content.
    public let needsFinishTransaction: Bool

    /// Creates a purchase.
    public init(
        productId: String, quantity: Int, transaction: any PaymentTransaction,
        originalTransaction: (any PaymentTransaction)?,
        needsFinishTransaction: Bool
    ) {
        self.productId = productId
        self.quantity = quantity
        self.transaction = transaction
        self.originalTransaction = originalTransaction
        self.needsFinishTransaction = needsFinishTransaction
    }
}

/// A purchase with its product and date.
public protocol Purchased {
    /// The identifier of the product.
    var productId: String { get }
    /// The number of items.
    var quantity: Int { get }
    /// The date of the first purchase.
    var originalPurchaseDate: Date { get }
}

extension Purchase: Purchased {
    /// The date of the original transaction, or of the transaction itself without an original.
    ///
    /// A failed or deferred transaction has no date, and returns `Date.distantPast`. SwiftyStoreKit 0.16.4 crashed in
    /// this case.
    public var originalPurchaseDate: Date {
        originalTransaction?.transactionDate ?? transaction.transactionDate ?? .distantPast
    }
}

extension PurchaseDetails: Purchased {
    /// The date of the original transaction, or of the transaction itself without an original.
    ///
    /// A deferred transaction has no date, and returns `Date.distantPast`. SwiftyStoreKit 0.16.4 crashed in this case.
    public var originalPurchaseDate: Date {
        originalTransaction?.transactionDate ?? transaction.transactionDate ?? .distantPast
    }
}

/// A purchase that answers a call.
public struct PurchaseDetails {
    /// The identifier of the product.
    public let productId: String
    /// The number of items.
    public let quantity: Int
    /// The product, as described by the App Store.
    public let product: SKProduct
    /// The transaction.
    public let transaction: any PaymentTransaction
    /// The original transaction of a restored transaction.
    public let originalTransaction: (any PaymentTransaction)?
    /// Whether you must call ``SwiftyStoreKit/finishTransaction(_:)`` after you deliver the content.
    public let needsFinishTransaction: Bool

    /// Creates a purchase.
    public init(
        productId: String, quantity: Int, product: SKProduct, transaction: any PaymentTransaction,
        originalTransaction: (any PaymentTransaction)?, needsFinishTransaction: Bool
    ) {
        self.productId = productId
        self.quantity = quantity
        self.product = product
        self.transaction = transaction
        self.originalTransaction = originalTransaction
        self.needsFinishTransaction = needsFinishTransaction
    }
}

/// The result of a purchase.
public enum PurchaseResult {
    /// The customer paid.
    case success(purchase: PurchaseDetails)
    /// The purchase is waiting for approval. An approved purchase is sent to the closure of
    /// ``SwiftyStoreKit/completeTransactions(atomically:completion:)``.
    case deferred(purchase: PurchaseDetails)
    /// The purchase failed.
    ///
    /// An error of StoreKit is returned unchanged. The code is `.paymentCancelled` after a cancellation by the customer
    /// or by ``InAppRequest/cancel()``, and `.paymentInvalid` for a product that isn't for sale and a quantity outside
    /// 1 to 10. A network error, and an error without a StoreKit code, is `.unknown` with the cause under
    /// `NSUnderlyingErrorKey`. `localizedDescription` is for customers, and the message for your log is under
    /// `NSDebugDescriptionErrorKey`.
    case error(error: SKError)
}

/// The outcome of a transaction. No function uses this type; SwiftyStoreKit 0.16.4 declared it as public.
public enum TransactionResult {
    /// The customer paid.
    case purchased(purchase: PurchaseDetails)
    /// An earlier purchase was restored.
    case restored(purchase: Purchase)
    /// The purchase is waiting for approval.
    case deferred(purchase: PurchaseDetails)
    /// The transaction failed.
    case failed(error: SKError)
}

/// A promotional offer, signed by the app's server.
public struct PaymentDiscount {
    let discount: SKPaymentDiscount

    /// Creates a discount from StoreKit's object.
    public init(discount: SKPaymentDiscount) {
        self.discount = discount
    }
}
