package import AppReceipt

/// What is asked of the App Store when something is bought.
package struct PaymentRequest: Sendable, Hashable {
    /// What is bought.
    package var productID: String
    /// How many, 1 to 10.
    package var quantity: Int
    /// The app's name for its user.
    package var applicationUsername: String?
    /// The offer at whose price it is bought.
    package var offer: PurchaseOffer?
    /// The app's server's word on whether an introductory offer applies, as a JSON Web Signature.
    package var introductoryEligibility: String?
    /// How the subscription is billed; `nil` leaves it to StoreKit, which bills it up front.
    package var billingPlan: BillingPlan?
    /// The number of seats after the purchase.
    package var seats: Int?
    /// Whether the sandbox is to act as if a parent had to approve.
    package var simulatesAskToBuy: Bool
    /// The purchase begun in the App Store with which this payment goes on; a backend then adds the very payment that it was
    /// asked about.
    package var promotionID: PromotedPayment.ID?
    /// Where it is confirmed.
    package var anchor: PresentationAnchor?

    /// Describes a payment.
    package init(
        productID: String, quantity: Int = 1, applicationUsername: String? = nil, offer: PurchaseOffer? = nil,
        introductoryEligibility: String? = nil, billingPlan: BillingPlan? = nil, seats: Int? = nil, simulatesAskToBuy: Bool = false,
        anchor: PresentationAnchor? = nil
    ) {
        self.productID = productID
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.offer = offer
        self.introductoryEligibility = introductoryEligibility
        self.billingPlan = billingPlan
        self.seats = seats
        self.simulatesAskToBuy = simulatesAskToBuy
        self.anchor = anchor
    }

    /// Whether the transaction could be the answer to this payment, going by what StoreKit hands back of it.
    package func matches(_ transaction: StoreTransaction) -> Bool {
        productID == transaction.productID && quantity == transaction.quantity
            && applicationUsername == transaction.applicationUsername && offer?.id == transaction.offerID
    }
}
