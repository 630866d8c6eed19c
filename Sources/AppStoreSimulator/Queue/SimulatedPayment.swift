public import Foundation

/// A request to buy a product, which an app adds to the payment queue.
public struct SimulatedPayment: Sendable, Hashable {
    /// A promotional offer that the app's server has signed.
    public struct Discount: Sendable, Hashable {
        /// The identifier of the offer.
        public var offerID: String
        /// The identifier of the key that signed the offer.
        public var keyID: String
        /// The signed nonce.
        public var nonce: UUID
        /// The signature, in base64.
        public var signature: String
        /// The time of the signature, in milliseconds since 1970.
        public var timestamp: Int64

        /// Creates a discount.
        public init(offerID: String, keyID: String, nonce: UUID, signature: String, timestamp: Int64) {
            self.offerID = offerID
            self.keyID = keyID
            self.nonce = nonce
            self.signature = signature
            self.timestamp = timestamp
        }
    }

    /// A promotional offer with a JSON Web Signature of the app's server.
    public struct PromotionalOffer: Sendable, Hashable {
        /// The identifier of the offer.
        public var offerID: String
        /// The signed text. If its payload contains `offerIdentifier` or `productId`, the value must match. The
        /// signature isn't checked, because the simulator doesn't know the server's key.
        public var compactJWS: String

        /// Creates an offer.
        public init(offerID: String, compactJWS: String) {
            self.offerID = offerID
            self.compactJWS = compactJWS
        }
    }

    /// The terms that only a test can ask for.
    package struct TestTerms: Sendable, Hashable {
        /// The identifier of a promotional offer without a signature.
        package var offerID: String?
        package var offerCode: String?
        /// The date of the purchase, if it's earlier than now.
        package var purchaseDate: Date?
        /// Whether the customer cancels the subscription when it's bought. Otherwise it renews until now.
        package var cancelsImmediately = false

        package init() {}
    }

    /// The product to buy.
    public var productID: String
    /// The number of items, 1 to 10.
    public var quantity: Int
    /// The app's name for its user.
    public var applicationUsername: String?
    /// Reserved by Apple.
    public var requestData: Data?
    /// Whether the sandbox simulates an Ask to Buy request.
    public var simulatesAskToBuyInSandbox: Bool
    /// The promotional offer, if any.
    public var discount: Discount?
    /// The promotional offer with the newer signature format, if any. Always `nil` for StoreKit 1.
    public var promotionalOffer: PromotionalOffer?
    /// The identifier of the win-back offer, if any. Always `nil` for StoreKit 1.
    public var winBackOfferID: String?
    /// The total number of seats after the purchase; `nil` for a purchase without seats. Always `nil` for StoreKit 1.
    public var seats: Int?
    /// The billing plan of the subscription; `nil` for up-front payment. Always `nil` for StoreKit 1.
    public var billingPlan: SimulatedBillingPlan?
    /// The customer's eligibility for the introductory offer (`allowIntroductoryOffer`), as a JSON Web Signature of the
    /// app's server. Always `nil` for StoreKit 1.
    public var introductoryOfferEligibility: String?

    /// The terms that only a test can ask for.
    package var testTerms = TestTerms()

    /// The account token of StoreKit 2, which StoreKit 1 stores as the user name; `nil` if the user name isn't a UUID.
    public var appAccountToken: UUID? {
        get { applicationUsername.flatMap(UUID.init(uuidString:)) }
        set { applicationUsername = newValue?.uuidString }
    }

    /// Creates a payment.
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
