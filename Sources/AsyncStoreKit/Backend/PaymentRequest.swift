/// A payment: a product, and the options of the call that buys it.
package struct PaymentRequest: Sendable, Hashable {
    /// The product to buy.
    package var productID: String
    /// How to buy it.
    package var options: PurchaseOptions
    /// The purchase begun in the App Store that this payment continues. The backend then adds the very payment that it
    /// was asked about.
    package var promotionID: PromotedPayment.ID?

    package init(productID: String, options: PurchaseOptions) {
        self.productID = productID
        self.options = options
    }

    /// Creates the request for the part of a payment that StoreKit hands back with a transaction.
    package init(
        productID: String, quantity: Int = 1, applicationUsername: String? = nil, offer: PurchaseOffer? = nil
    ) {
        // As it was written: a name that reads as a UUID keeps its letters.
        let account = applicationUsername.map(PurchaseAccount.username)
        self.init(productID: productID, options: PurchaseOptions(quantity: quantity, account: account, offer: offer))
    }

    /// The quantity, from 1 to 10.
    package var quantity: Int { options.quantity }
    /// The account, as StoreKit 1 carries it.
    package var applicationUsername: String? { options.account?.applicationUsername }
    /// The offer that applies.
    package var offer: PurchaseOffer? { options.offer }

    /// Returns whether a transaction could answer this payment, judging by the values that StoreKit hands back.
    package func matches(_ transaction: StoreTransaction) -> Bool {
        productID == transaction.productID && quantity == transaction.quantity
            && applicationUsername == transaction.applicationUsername && offer?.id == transaction.offerID
    }
}
