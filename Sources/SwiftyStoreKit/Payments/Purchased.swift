public import Foundation

/// Something that was bought.
public protocol Purchased {
    /// What was bought.
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
