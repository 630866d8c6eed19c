public import AppReceipt
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
    /// How the subscription is billed; `nil` bills it up front.
    ///
    /// The purchase throws ``StoreError/Code/billingPlanUnavailable``, before StoreKit is asked, if the plan isn't
    /// among the product's ``StoreProduct/billingPlans``. It's never billed up front instead.
    public var billingPlan: BillingPlan?
    /// The number of seats that the subscription has after the purchase; `nil` for a purchase without seats. Without
    /// support for seats, the purchase throws ``StoreError/Code/unsupported``, before StoreKit is asked.
    public var seats: Int?
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
        billingPlan: BillingPlan? = nil, seats: Int? = nil, simulatesAskToBuy: Bool = false, timeout: TimeInterval? = nil,
        anchor: PresentationAnchor? = nil
    ) {
        self.quantity = quantity
        self.account = account
        self.offer = offer
        self.introductoryEligibility = introductoryEligibility
        self.billingPlan = billingPlan
        self.seats = seats
        self.simulatesAskToBuy = simulatesAskToBuy
        self.timeout = timeout
        self.anchor = anchor
    }
}

extension PurchaseOptions {
    /// Options with a billing plan.
    public static func billingPlan(_ plan: BillingPlan) -> PurchaseOptions { PurchaseOptions(billingPlan: plan) }

    /// Options with a number of seats.
    public static func seats(_ count: Int) -> PurchaseOptions { PurchaseOptions(seats: count) }

    /// The payment for a product, or the reason why there can be none.
    package func request(for productID: String) throws(StoreError) -> PaymentRequest {
        guard (1...10).contains(quantity) else {
            throw StoreError(.invalidQuantity, "The quantity of \"\(productID)\" is \(quantity); StoreKit allows 1 to 10.")
        }
        if let seats, seats < 1 {
            throw StoreError(.invalidQuantity, "The number of seats of \"\(productID)\" is \(seats). StoreKit needs at least 1.")
        }
        return PaymentRequest(productID: productID, options: self)
    }
}
