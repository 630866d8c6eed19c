public import Foundation

// Names that are often typed first. They're unavailable, and the compiler's message says what to write.
extension SimulatedError {
    /// Use ``purchaseNotAllowed``.
    @available(*, unavailable, renamed: "purchaseNotAllowed")
    public static var paymentNotAllowed: SimulatedError { .purchaseNotAllowed }
}

extension SimulatedAppStore {
    /// Set a property of ``behavior``.
    @available(*, unavailable, message: "Write 'behavior.' before the name of the property.")
    public subscript<Value>(dynamicMember property: WritableKeyPath<SimulatorBehavior, Value>) -> Value {
        get { behavior[keyPath: property] }
        set { behavior[keyPath: property] = newValue }
    }
    /// Use ``allTransactions()``.
    @available(*, unavailable, message: "Write 'allTransactions().filter { !$0.isFinished }'.")
    public var unfinishedTransactions: [SimulatedHistoryRecord] { allTransactions().filter { !$0.isFinished } }
    /// Use ``allTransactions()``.
    @available(*, unavailable, message: "Write 'allTransactions().filter { $0.productID == productID }'.")
    public func transactions(of productID: String) -> [SimulatedHistoryRecord] {
        allTransactions().filter { $0.productID == productID }
    }
    /// Use ``approvePurchase(of:)``.
    @available(*, unavailable, renamed: "approvePurchase(of:)")
    public func approve(_ productID: String) throws(SimulatorError) { try approvePurchase(of: productID) }
    /// Use ``declinePurchase(of:)``.
    @available(*, unavailable, renamed: "declinePurchase(of:)")
    public func decline(_ productID: String) throws(SimulatorError) { try declinePurchase(of: productID) }
    /// Use ``resolvePurchase(of:)``.
    @available(*, unavailable, renamed: "resolvePurchase(of:)")
    public func resolveInterruption(of productID: String) throws(SimulatorError) { try resolvePurchase(of: productID) }
    /// Use ``newDevice()``.
    @available(*, unavailable, renamed: "newDevice()")
    public func secondDevice() -> SimulatedAppStore { newDevice() }
    /// Use ``shareInFamily(_:)``.
    @available(*, unavailable, message: "Write 'shareInFamily(productID)' for a product that a family member bought.")
    public func familyMember(_ productID: String) throws(SimulatorError) { try shareInFamily(productID) }
}

extension SimulatorBehavior {
    /// Use ``listingLag``.
    @available(*, unavailable, renamed: "listingLag")
    public var lag: TimeInterval {
        get { listingLag }
        set { listingLag = newValue }
    }
    /// Use ``shouldEnterBillingRetryOnRenewal``.
    @available(*, unavailable, renamed: "shouldEnterBillingRetryOnRenewal")
    public var failRenewals: Bool {
        get { shouldEnterBillingRetryOnRenewal }
        set { shouldEnterBillingRetryOnRenewal = newValue }
    }
    /// Use ``billingGracePeriodIsEnabled``, and ``billingGracePeriodDuration`` for its length.
    @available(*, unavailable, renamed: "billingGracePeriodIsEnabled")
    public var billingGracePeriod: Bool {
        get { billingGracePeriodIsEnabled }
        set { billingGracePeriodIsEnabled = newValue }
    }
}

extension SimulatedProduct {
    /// Use ``nonConsumable(_:price:name:description:isFamilyShareable:hostedContent:)``.
    @available(*, unavailable, message: "Write 'isFamilyShareable:'.")
    public static func nonConsumable(
        _ productID: String, price: Decimal, name: String? = nil, description: String = "", familyShareable: Bool
    ) -> SimulatedProduct {
        nonConsumable(
            productID, price: price, name: name, description: description, isFamilyShareable: familyShareable)
    }

    /// Use the function with `isFamilyShareable`.
    @available(*, unavailable, message: "Write 'isFamilyShareable:'.")
    public static func autoRenewable(
        _ productID: String, price: Decimal, period: SimulatedPeriod, group: String, level: Int = 1,
        name: String? = nil, introductoryOffer: SimulatedSubscription.Offer? = nil, familyShareable: Bool
    ) -> SimulatedProduct {
        autoRenewable(
            productID, price: price, period: period, group: group, level: level, name: name,
            introductoryOffer: introductoryOffer, isFamilyShareable: familyShareable)
    }

    /// Use the function with `monthlyPlan`.
    @available(
        *, unavailable, message: "Write 'monthlyPlan: .monthly(price)'. Every subscription can be paid up front."
    )
    public static func autoRenewable(
        _ productID: String, price: Decimal, period: SimulatedPeriod, group: String, level: Int = 1,
        name: String? = nil, billingPlans: [SimulatedMonthlyPlan]
    ) -> SimulatedProduct {
        autoRenewable(
            productID, price: price, period: period, group: group, level: level, name: name,
            monthlyPlan: billingPlans.first)
    }
}

extension SimulatedSubscription.Offer {
    /// Use ``payUpFront(_:for:id:)``.
    @available(*, unavailable, message: "Write the identifier last: 'payUpFront(price, for: period, id: id)'.")
    public static func payUpFront(
        _ id: String, _ price: Decimal, for period: SimulatedPeriod
    ) -> SimulatedSubscription.Offer {
        payUpFront(price, for: period, id: id)
    }
}

extension SimulatedPeriod {
    /// The App Store's periods are days, weeks, months and years.
    @available(*, unavailable, message: "Periods are days or longer. Write 'advance(by: 60 * minutes)' with seconds.")
    public static func minutes(_ count: Int) -> SimulatedPeriod { days(count) }
    /// The App Store's periods are days, weeks, months and years.
    @available(*, unavailable, message: "Periods are days or longer. Write 'advance(by: 3_600 * hours)' with seconds.")
    public static func hours(_ count: Int) -> SimulatedPeriod { days(count) }
}
