/// The switches that a StoreKit configuration file sets, as far as the simulator has them too.
public struct SimulatorSettings: Sendable, Hashable {
    /// Whether a parent has to approve purchases.
    public var askToBuyEnabled = false
    /// Whether purchases are interrupted, as by a billing problem.
    public var interruptedPurchasesEnabled = false
    /// Whether purchases fail.
    public var failTransactionsEnabled = false
    /// Whether a subscription that could not be renewed goes on for a while.
    public var billingGracePeriodIsEnabled = false
    /// Whether renewals run into a billing problem.
    public var shouldEnterBillingRetryOnRenewal = false
    /// How fast subscriptions run; `nil` when the file asks for a rate that the simulator does not have.
    public var timeRate: TimeRate? = .realTime
    /// The names of the errors that are switched on, such as `Load Products`.
    public var enabledErrors: [String] = []

    /// Everything switched off, in real time.
    public init() {}
}
