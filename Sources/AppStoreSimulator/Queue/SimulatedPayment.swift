public import Foundation

/// A request to buy, as an app adds it to the payment queue.
public struct SimulatedPayment: Sendable, Hashable {
    /// A promotional offer that the app's server has signed.
    public struct Discount: Sendable, Hashable {
        /// The identifier of the offer.
        public var offerID: String
        /// The identifier of the key that signed it.
        public var keyID: String
        /// The nonce that was signed.
        public var nonce: UUID
        /// The signature, in base64.
        public var signature: String
        /// When it was signed, in milliseconds since 1970.
        public var timestamp: Int64

        /// Makes a discount.
        public init(offerID: String, keyID: String, nonce: UUID, signature: String, timestamp: Int64) {
            self.offerID = offerID
            self.keyID = keyID
            self.nonce = nonce
            self.signature = signature
            self.timestamp = timestamp
        }
    }

    /// A promotional offer by a JSON Web Signature of the app's server.
    public struct PromotionalOffer: Sendable, Hashable {
        /// The identifier of the offer.
        public var offerID: String
        /// The signature. Of its payload, `offerIdentifier` and `productId` have to fit where they are there; nobody knows the
        /// server's key, so the signature itself is not checked.
        public var compactJWS: String

        /// Makes an offer.
        public init(offerID: String, compactJWS: String) {
            self.offerID = offerID
            self.compactJWS = compactJWS
        }
    }

    /// The product to buy.
    public var productID: String
    /// The quantity, from 1 to 10.
    public var quantity: Int
    /// The app's name for its user.
    public var applicationUsername: String?
    /// Reserved by Apple.
    public var requestData: Data?
    /// Whether the sandbox simulates Ask to Buy for this payment.
    public var simulatesAskToBuyInSandbox: Bool
    /// The promotional offer, if any.
    public var discount: Discount?
    /// The promotional offer by its newer signature, if any. StoreKit 1 has none.
    public var promotionalOffer: PromotionalOffer?
    /// The identifier of the win-back offer, if any. StoreKit 1 has none.
    public var winBackOfferID: String?
    /// How many seats the subscription has after the purchase; `nil` for a purchase without seats. StoreKit 1 has none.
    public var seats: Int?
    /// How the subscription is billed; `nil` bills it up front. StoreKit 1 always bills it up front.
    public var billingPlan: SimulatedBillingPlan?
    /// A JSON Web Signature of the app's server that says whether the customer is eligible for the introductory offer
    /// (`allowIntroductoryOffer`). StoreKit 1 has none.
    public var introductoryOfferEligibility: String?

    /// The account token of StoreKit 2, which StoreKit 1 has as a user name; `nil` when the user name is no UUID.
    public var appAccountToken: UUID? {
        get { applicationUsername.flatMap(UUID.init(uuidString:)) }
        set { applicationUsername = newValue?.uuidString }
    }

    /// Makes a payment.
    public init(
        productID: String, quantity: Int = 1, applicationUsername: String? = nil, requestData: Data? = nil,
        simulatesAskToBuyInSandbox: Bool = false, discount: Discount? = nil
    ) {
        self.productID = productID
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.requestData = requestData
        self.simulatesAskToBuyInSandbox = simulatesAskToBuyInSandbox
        self.discount = discount
    }
}
