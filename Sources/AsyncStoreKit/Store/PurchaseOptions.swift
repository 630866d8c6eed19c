public import Foundation

/// How something is bought.
public struct PurchaseOptions: Sendable, Hashable {
    /// How many, 1 to 10. Anything else is refused with ``StoreError/Code/invalidQuantity``.
    public var quantity: Int
    /// The account in the app for which it is bought.
    public var account: PurchaseAccount?
    /// A promotional offer, signed by the app's server.
    public var offer: SignedOffer?
    /// Whether the sandbox is to act as if a parent had to approve.
    public var simulatesAskToBuy: Bool
    /// How long to wait for the outcome, in seconds from the moment the payment is with StoreKit; `nil` waits for ever.
    ///
    /// When it is over the call throws ``StoreError/Code/timedOut`` and the next payment takes its turn; the payment itself
    /// goes on, and its transaction arrives on ``PurchaseStore/transactions``. Mind that people read what they are asked to confirm.
    public var timeout: TimeInterval?

    /// Makes options.
    public init(
        quantity: Int = 1, account: PurchaseAccount? = nil, offer: SignedOffer? = nil, simulatesAskToBuy: Bool = false,
        timeout: TimeInterval? = nil
    ) {
        self.quantity = quantity
        self.account = account
        self.offer = offer
        self.simulatesAskToBuy = simulatesAskToBuy
        self.timeout = timeout
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
            simulatesAskToBuy: simulatesAskToBuy)
    }
}
