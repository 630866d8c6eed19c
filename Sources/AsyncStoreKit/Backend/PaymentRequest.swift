import AppReceipt
package import Foundation

/// A payment: a product, and the options of the call that buys it.
package struct PaymentRequest: Sendable, Hashable {
    package var productID: String
    /// How to buy it.
    package var options: PurchaseOptions {
        get { sharedOptions.value }
        set { sharedOptions = Shared(newValue) }
    }
    private var sharedOptions: Shared<PurchaseOptions>
    /// The promoted purchase that this payment continues. StoreKit 1 then adds the payment object that it asked about.
    package var promotionID: PromotedPayment.ID?
    /// Identifies the context of the purchase; `nil` without a context.
    package var contextID: UUID?

    package init(productID: String, options: PurchaseOptions) {
        self.productID = productID
        sharedOptions = Shared(options)
    }

    /// Creates the request for the part of a payment that StoreKit returns with a transaction.
    package init(
        productID: String, quantity: Int = 1, applicationUsername: String? = nil, offer: PurchaseOffer? = nil
    ) {
        // Kept as written: a name that reads as a UUID keeps its case.
        let account = applicationUsername.map(PurchaseAccount.username)
        self.init(productID: productID, options: PurchaseOptions(quantity: quantity, account: account, offer: offer))
    }

    /// Gives the context of the purchase an identifier.
    /// - Parameter isCarried: Whether StoreKit carries the identifier with the payment, in the place of an account.
    package mutating func identifyContext(isCarried: Bool) {
        guard options.encodedContext != nil else { return }
        let id = ContextIdentifier.make()
        contextID = id
        if isCarried, options.account == nil { options.account = .token(id) }
    }

    package func context(at date: Date) -> PurchaseContext? {
        guard let contextID, case .success(let json) = options.encodedContext else { return nil }
        return PurchaseContext(
            id: contextID, productID: productID, requestDate: date, json: json, applicationUsername: applicationUsername
        )
    }

    package var quantity: Int { sharedOptions.value.quantity }
    /// The account, as StoreKit 1 carries it.
    package var applicationUsername: String? { sharedOptions.value.account?.applicationUsername }
    package var offer: PurchaseOffer? { sharedOptions.value.offer }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(productID)
        hasher.combine(contextID)
        hasher.combine(promotionID)
    }

    /// Returns whether a transaction could answer this payment, according to the values that StoreKit returns.
    package func matches(_ transaction: StoreTransaction) -> Bool {
        productID == transaction.productID && quantity == transaction.quantity
            && applicationUsername == transaction.applicationUsername && offer?.id == transaction.offerID
    }
}
