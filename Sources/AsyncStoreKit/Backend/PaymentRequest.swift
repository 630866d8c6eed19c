public import Foundation

/// What is asked of the App Store when something is bought.
package struct PaymentRequest: Sendable, Hashable {
    /// What is bought.
    package var productID: String
    /// How many, 1 to 10.
    package var quantity: Int
    /// The app's name for its user.
    package var applicationUsername: String?
    /// The promotional offer, signed by the app's server.
    package var offer: SignedOffer?
    /// Whether the sandbox is to act as if a parent had to approve.
    package var simulatesAskToBuy: Bool
    /// The purchase begun in the App Store with which this payment goes on; a backend then adds the very payment that it was
    /// asked about.
    package var promotionID: PromotedPayment.ID?

    /// Describes a payment.
    package init(
        productID: String, quantity: Int = 1, applicationUsername: String? = nil, offer: SignedOffer? = nil,
        simulatesAskToBuy: Bool = false
    ) {
        self.productID = productID
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.offer = offer
        self.simulatesAskToBuy = simulatesAskToBuy
    }

    /// Whether the transaction could be the answer to this payment, going by what StoreKit hands back of it.
    package func matches(_ transaction: StoreTransaction) -> Bool {
        productID == transaction.productID && quantity == transaction.quantity
            && applicationUsername == transaction.applicationUsername && offer?.id == transaction.offerID
    }
}

/// A promotional offer with the signature of the app's server.
public struct SignedOffer: Sendable, Hashable {
    /// The identifier of the offer.
    public var id: String
    /// The identifier of the key that signed it.
    public var keyID: String
    /// The nonce that was signed.
    public var nonce: UUID
    /// The signature, in base64.
    public var signature: String
    /// When it was signed, in milliseconds since 1970.
    public var timestamp: Int64

    /// Describes a signed offer.
    public init(id: String, keyID: String, nonce: UUID, signature: String, timestamp: Int64) {
        self.id = id
        self.keyID = keyID
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}
