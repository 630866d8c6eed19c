public import Foundation
public import StoreKit

/// A transaction that was restored, or that no call has asked for.
public struct Purchase {
    /// The product.
    public let productId: String
    /// How many.
    public let quantity: Int
    /// The transaction.
    public let transaction: any PaymentTransaction
    /// The transaction that a restored one repeats.
    public let originalTransaction: (any PaymentTransaction)?
    /// Whether ``SwiftyStoreKit/finishTransaction(_:)`` has to be called when the content is delivered.
    public let needsFinishTransaction: Bool

    /// Describes a purchase.
    public init(
        productId: String, quantity: Int, transaction: any PaymentTransaction, originalTransaction: (any PaymentTransaction)?,
        needsFinishTransaction: Bool
    ) {
        self.productId = productId
        self.quantity = quantity
        self.transaction = transaction
        self.originalTransaction = originalTransaction
        self.needsFinishTransaction = needsFinishTransaction
    }
}

/// Something that was bought.
public protocol Purchased {
    /// The product.
    var productId: String { get }
    /// How many.
    var quantity: Int { get }
    /// When it was first bought.
    var originalPurchaseDate: Date { get }
}

extension Purchase: Purchased {
    /// When it was first bought: the date of the original transaction, else of the transaction itself.
    ///
    /// A failed or deferred transaction has no date: it gives `Date.distantPast`, where SwiftyStoreKit stopped the app.
    public var originalPurchaseDate: Date {
        originalTransaction?.transactionDate ?? transaction.transactionDate ?? .distantPast
    }
}

extension PurchaseDetails: Purchased {
    /// When it was first bought: the date of the original transaction, else of the transaction itself.
    ///
    /// A deferred transaction has no date: it gives `Date.distantPast`, where SwiftyStoreKit stopped the app.
    public var originalPurchaseDate: Date {
        originalTransaction?.transactionDate ?? transaction.transactionDate ?? .distantPast
    }
}

/// A purchase that a call has asked for.
public struct PurchaseDetails {
    /// The product.
    public let productId: String
    /// How many.
    public let quantity: Int
    /// What was bought, as the App Store describes it.
    public let product: SKProduct
    /// The transaction.
    public let transaction: any PaymentTransaction
    /// The transaction that a restored one repeats.
    public let originalTransaction: (any PaymentTransaction)?
    /// Whether ``SwiftyStoreKit/finishTransaction(_:)`` has to be called when the content is delivered.
    public let needsFinishTransaction: Bool

    /// Describes a purchase.
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

/// How a purchase ended.
public enum PurchaseResult {
    /// The purchase is paid.
    case success(purchase: PurchaseDetails)
    /// It waits for somebody's approval. Should it be approved, it comes to those who have called
    /// ``SwiftyStoreKit/completeTransactions(atomically:completion:)``.
    case deferred(purchase: PurchaseDetails)
    /// It failed, or was refused.
    ///
    /// What StoreKit said is handed on as it was; `.paymentCancelled` is the customer, or ``InAppRequest/cancel()``. A product that is not
    /// for sale and a quantity outside 1 to 10 are `.paymentInvalid`. A network error is `.unknown` with the cause under
    /// `NSUnderlyingErrorKey`, as is what StoreKit has no code for.
    case error(error: SKError)
}

/// What became of a transaction. No function takes or gives it; it is here because it was public.
public enum TransactionResult {
    /// The purchase is paid.
    case purchased(purchase: PurchaseDetails)
    /// It was bought before, and is restored.
    case restored(purchase: Purchase)
    /// It waits for somebody's approval.
    case deferred(purchase: PurchaseDetails)
    /// It failed.
    case failed(error: SKError)
}

/// A promotional offer, signed by the app's server.
public struct PaymentDiscount {
    let discount: SKPaymentDiscount

    /// Takes over StoreKit's description of the offer.
    public init(discount: SKPaymentDiscount) {
        self.discount = discount
    }
}
