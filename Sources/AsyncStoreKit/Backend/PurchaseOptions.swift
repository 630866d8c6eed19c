public import AppReceipt
public import Foundation

/// How to buy a product.
///
/// Write the options that you need as an array literal:
///
/// ```swift
/// try await store.purchase(
///     "pro", options: [.appAccountToken(account), .billingPlan(.monthly)]
/// ) { purchase in
///     try await server.deliver(purchase)
/// }
/// ```
/// Or create a value and set its properties. If an array literal has the same option twice, the later one is used.
public struct PurchaseOptions: Sendable, Hashable {
    /// The quantity, from 1 to 10. Any other quantity throws ``StoreError/Code/invalidQuantity``.
    public var quantity: Int
    /// The account in the app that the purchase is for. ``appAccountToken`` is the same for a UUID.
    public var account: PurchaseAccount?
    /// The offer that applies to the purchase.
    public var offer: PurchaseOffer?
    /// A JSON Web Signature of the app's server that says whether the introductory offer applies; `nil` lets the App
    /// Store decide. Over StoreKit 1, the purchase throws ``StoreError/Code/unsupported``.
    public var introductoryOfferEligibilityJWS: String?
    /// How the subscription is billed; `nil` bills it up front.
    ///
    /// The purchase throws ``StoreError/Code/billingPlanUnavailable``, before StoreKit is asked, if the plan isn't
    /// among the product's ``StoreProduct/billingPlans``. It's never billed up front instead.
    public var billingPlan: BillingPlan?
    /// The number of seats that the subscription has after the purchase; `nil` for a purchase without seats.
    ///
    /// To add seats to a subscription, pass the total: 12 adds 4 seats to a subscription with 8. The ``quantity`` stays
    /// 1.
    ///
    /// The purchase throws ``StoreError/Code/seatsUnavailable``, before StoreKit is asked, over StoreKit 1, in apps
    /// built with an SDK before 27.3, and if ``StoreProduct/supportsMultiSeatPurchase`` is `false`.
    public var seats: Int?
    /// Whether the sandbox acts as if a parent had to approve the purchase.
    public var simulatesAskToBuy: Bool
    /// How long to wait for the outcome, in seconds from the moment the payment is with StoreKit; `nil` waits without a
    /// limit.
    ///
    /// After this time, the call throws ``StoreError/Code/timedOut`` and the next payment starts. The payment
    /// itself continues, and its transaction arrives on ``PurchaseStore/transactions``. Customers need time to read
    /// what they confirm.
    public var timeout: TimeInterval?
    /// Where the purchase is confirmed; `nil` lets the system choose a place. StoreKit 2 only. visionOS needs an
    /// anchor.
    public var anchor: PresentationAnchor?
    /// What the app wants to remember about the purchase, as JSON, or why the value can't be kept.
    package var encodedContext: Result<[UInt8], StoreError>?

    /// Creates the options of a purchase of one, without anything else.
    public init() {
        self.init(quantity: 1)
    }

    /// Creates options.
    public init(
        quantity: Int = 1, account: PurchaseAccount? = nil, offer: PurchaseOffer? = nil,
        introductoryOfferEligibilityJWS: String? = nil, billingPlan: BillingPlan? = nil, seats: Int? = nil,
        simulatesAskToBuy: Bool = false, timeout: TimeInterval? = nil, anchor: PresentationAnchor? = nil
    ) {
        self.quantity = quantity
        self.account = account
        self.offer = offer
        self.introductoryOfferEligibilityJWS = introductoryOfferEligibilityJWS
        self.billingPlan = billingPlan
        self.seats = seats
        self.simulatesAskToBuy = simulatesAskToBuy
        self.timeout = timeout
        self.anchor = anchor
    }

    /// The UUID of the account in the app that the purchase is for; `nil` if ``account`` is a user name that isn't a
    /// UUID.
    ///
    /// Setting the property replaces ``account``.
    public var appAccountToken: UUID? {
        get { account?.appAccountToken }
        set { account = newValue.map(PurchaseAccount.token) }
    }
}

/// One of the options in an array literal of ``PurchaseOptions``.
public struct PurchaseOption: Sendable {
    fileprivate let apply: @Sendable (inout PurchaseOptions) -> Void

    private init(_ apply: @escaping @Sendable (inout PurchaseOptions) -> Void) {
        self.apply = apply
    }

    /// The quantity, from 1 to 10.
    public static func quantity(_ quantity: Int) -> PurchaseOption { PurchaseOption { $0.quantity = quantity } }
    /// The UUID of the account in the app that the purchase is for.
    public static func appAccountToken(_ token: UUID) -> PurchaseOption { account(.token(token)) }
    /// The account in the app that the purchase is for: a UUID, or over StoreKit 1 also a user name.
    public static func account(_ account: PurchaseAccount) -> PurchaseOption { PurchaseOption { $0.account = account } }
    /// The offer that applies to the purchase.
    public static func offer(_ offer: PurchaseOffer) -> PurchaseOption { PurchaseOption { $0.offer = offer } }
    /// A JSON Web Signature of the app's server that says whether the introductory offer applies.
    public static func introductoryOfferEligibility(jws: String) -> PurchaseOption {
        PurchaseOption { $0.introductoryOfferEligibilityJWS = jws }
    }
    /// How the subscription is billed.
    public static func billingPlan(_ plan: BillingPlan) -> PurchaseOption { PurchaseOption { $0.billingPlan = plan } }
    /// The total number of seats that the subscription has after the purchase.
    public static func seats(_ count: Int) -> PurchaseOption { PurchaseOption { $0.seats = count } }
    /// The sandbox acts as if a parent had to approve the purchase.
    public static var simulatesAskToBuy: PurchaseOption { PurchaseOption { $0.simulatesAskToBuy = true } }
    /// How long to wait for the outcome, in seconds from the moment the payment is with StoreKit.
    public static func timeout(_ seconds: TimeInterval) -> PurchaseOption { PurchaseOption { $0.timeout = seconds } }
    /// What to remember about the purchase: the screen, the experiment, the recipient of a gift.
    ///
    /// ``StorePurchase/context(as:)`` returns the value wherever the purchase arrives, even after an approval or in a
    /// later launch. The value is kept until the purchase is delivered, for 30 days at most: in the file of
    /// ``StoreConfiguration/deliveryLedger``, or without a ledger in this launch only. See <doc:RememberingWhy>.
    ///
    /// Over StoreKit 2, if you give no account, the payment carries a random account token by which the store
    /// recognizes the transaction.
    ///
    /// The purchase throws ``StoreError/Code/invalidContext``, before StoreKit is asked, if the value can't be encoded,
    /// or needs more than 4,096 bytes as JSON.
    /// - Parameter value: The value.
    public static func context(_ value: some Codable & Sendable) -> PurchaseOption {
        PurchaseOption { options in
            do {
                options.encodedContext = .success(try PurchaseContext.encode(value))
            } catch {
                options.encodedContext = .failure(
                    StoreError(
                        .invalidContext, "The context of the purchase can't be encoded: \(error).", underlying: error))
            }
        }
    }
    /// Where the purchase is confirmed.
    public static func anchor(_ anchor: PresentationAnchor) -> PurchaseOption { PurchaseOption { $0.anchor = anchor } }
}

extension PurchaseOptions: ExpressibleByArrayLiteral {
    /// Creates options from an array literal.
    public init(arrayLiteral options: PurchaseOption...) {
        self.init(options)
    }

    /// Creates options from a sequence. If the sequence has the same option twice, the later one is used.
    public init(_ options: some Sequence<PurchaseOption>) {
        self.init()
        for option in options { insert(option) }
    }

    /// Adds an option, which replaces the same option from before.
    public mutating func insert(_ option: PurchaseOption) {
        option.apply(&self)
    }
}

extension PurchaseOptions {
    /// Returns the payment for a product.
    /// - Throws: ``StoreError/Code/invalidQuantity``.
    package func request(for productID: String) throws(StoreError) -> PaymentRequest {
        guard (1...10).contains(quantity) else {
            throw StoreError(
                .invalidQuantity, "The quantity of \"\(productID)\" is \(quantity); StoreKit allows 1 to 10.")
        }
        if let seats, seats < 1 {
            throw StoreError(
                .invalidQuantity, "The number of seats of \"\(productID)\" is \(seats). StoreKit needs at least 1.")
        }
        guard seats == nil || quantity == 1 else {
            throw StoreError(
                .invalidQuantity, "The purchase of \"\(productID)\" has seats, so its quantity has to be 1.")
        }
        if let json = try encodedContext?.get(), json.count > PurchaseContext.largestSize {
            let size = "\(json.count) bytes as JSON; \(PurchaseContext.largestSize) are allowed."
            throw StoreError(.invalidContext, "The context of the purchase of \"\(productID)\" has \(size)")
        }
        return PaymentRequest(productID: productID, options: self)
    }
}

extension PurchaseOptions: CustomStringConvertible {
    /// The options that are set. An account and a signature aren't named.
    public var description: String {
        let options: [(name: String, value: String?)] = [
            ("quantity", quantity == 1 ? nil : "\(quantity)"), ("account", account == nil ? nil : "set"),
            ("offer", offer?.id),
            ("introductoryOfferEligibilityJWS", introductoryOfferEligibilityJWS.map { _ in "set" }),
            ("billingPlan", billingPlan?.rawValue), ("seats", seats.map { "\($0)" }),
            ("simulatesAskToBuy", simulatesAskToBuy ? "true" : nil), ("timeout", timeout.map { "\($0)" }),
            ("anchor", anchor == nil ? nil : "set"), ("context", encodedContext == nil ? nil : "set"),
        ]
        return "[" + options.compactMap { name, value in value.map { "\(name): \($0)" } }.joined(separator: ", ") + "]"
    }
}

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
    /// - Parameter isCarried: Whether StoreKit carries the identifier with the payment, instead of an account.
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
