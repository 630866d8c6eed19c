public import Foundation

/// How something is bought.
public struct PurchaseOptions: Sendable, Hashable {
    /// How many, 1 to 10. Anything else is refused with ``StoreError/Code/invalidQuantity``.
    public var quantity: Int
    /// The account in the app for which it is bought.
    public var account: PurchaseAccount?
    /// The offer at whose price it is bought.
    public var offer: PurchaseOffer?
    /// The app's server's word on whether the introductory offer applies, as a JSON Web Signature; `nil` leaves it to the App Store.
    /// StoreKit 2 only; StoreKit 1 refuses with ``StoreError/Code/unsupported``.
    public var introductoryEligibility: String?
    /// Whether the sandbox is to act as if a parent had to approve.
    public var simulatesAskToBuy: Bool
    /// How long to wait for the outcome, in seconds from the moment the payment is with StoreKit; `nil` waits for ever.
    ///
    /// When it is over the call throws ``StoreError/Code/timedOut`` and the next payment takes its turn; the payment itself
    /// goes on, and its transaction arrives on ``PurchaseStore/transactions``. Mind that people read what they are asked to confirm.
    public var timeout: TimeInterval?
    /// Where the purchase is confirmed; `nil` lets the system find a place. StoreKit 2 only; visionOS needs one.
    public var anchor: PresentationAnchor?

    /// Makes options.
    public init(
        quantity: Int = 1, account: PurchaseAccount? = nil, offer: PurchaseOffer? = nil, introductoryEligibility: String? = nil,
        simulatesAskToBuy: Bool = false, timeout: TimeInterval? = nil, anchor: PresentationAnchor? = nil
    ) {
        self.quantity = quantity
        self.account = account
        self.offer = offer
        self.introductoryEligibility = introductoryEligibility
        self.simulatesAskToBuy = simulatesAskToBuy
        self.timeout = timeout
        self.anchor = anchor
    }
}

extension PurchaseOptions {
    /// The payment for a product, or the reason why there can be none.
    package func request(for productID: String) throws(StoreError) -> PaymentRequest {
        guard (1...10).contains(quantity) else {
            throw StoreError(.invalidQuantity, "The quantity of \"\(productID)\" is \(quantity); StoreKit allows 1 to 10.")
        }
        return PaymentRequest(
            productID: productID, quantity: quantity, applicationUsername: account?.applicationUsername, offer: offer,
            introductoryEligibility: introductoryEligibility, simulatesAskToBuy: simulatesAskToBuy, anchor: anchor)
    }
}
