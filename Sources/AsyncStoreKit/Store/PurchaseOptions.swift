public import Foundation

/// How something is bought.
public struct PurchaseOptions: Sendable, Hashable {
    /// How many, 1 to 10. Anything else is refused with ``StoreError/Code/invalidQuantity``.
    public var quantity: Int
    /// The app's name for its user; Apple asks for a hash, not the name itself. An empty one counts as none.
    public var applicationUsername: String?
    /// The app's account, as StoreKit 2 has it. StoreKit 1 has no field for it: it is sent as the user name.
    ///
    /// Together with an ``applicationUsername`` that differs, the purchase is refused with
    /// ``StoreError/Code/conflictingAccount``.
    public var appAccountToken: UUID?
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
        quantity: Int = 1, applicationUsername: String? = nil, appAccountToken: UUID? = nil, offer: SignedOffer? = nil,
        simulatesAskToBuy: Bool = false, timeout: TimeInterval? = nil
    ) {
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.appAccountToken = appAccountToken
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
            productID: productID, quantity: quantity, applicationUsername: try username(for: productID), offer: offer,
            simulatesAskToBuy: simulatesAskToBuy)
    }

    private func username(for productID: String) throws(StoreError) -> String? {
        let username = applicationUsername.flatMap { $0.isEmpty ? nil : $0 }
        guard let token = appAccountToken else { return username }
        guard let username else { return token.uuidString }
        guard UUID(uuidString: username) == token else {
            throw StoreError(
                .conflictingAccount,
                "The purchase of \"\(productID)\" names the user \"\(username)\" and the account \(token): StoreKit 1 carries one.")
        }
        return username
    }
}
