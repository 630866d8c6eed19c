import Dispatch
import Foundation

/// A deterministic App Store in the process. It sells products, keeps the history and payment queue of an account over
/// any number of launches of the app, and has a virtual clock.
///
/// All functions are synchronous. Call them from any thread and from inside any callback. No callback runs under a
/// lock. Events are delivered one at a time, in the order of their occurrence: an event that a callback causes is
/// delivered after that callback has returned. The same seed and the same calls lead to the same identifiers, dates and
/// events.
///
/// An action that the App Store doesn't allow throws a ``SimulatorError``. With an impossible catalog, such as two
/// products with one identifier, every control throws the error, and every request and payment fails with its text.
///
/// The controls and switches for each situation:
/// - Ask to Buy and the parent's answer: `behavior.askToBuyEnabled = true`, ``approvePurchase(of:)``,
///   ``declinePurchase(of:)``
/// - The customer cancels, or a payment fails, is interrupted or is never answered:
///   `setNextPurchaseOutcome(.userCancelled)`, ``setNextPurchaseOutcome(_:for:)``
/// - The end of an interruption: ``resolvePurchase(of:)``
/// - A refund of one purchase or one period: ``refund(_:reason:percentage:)``
/// - A second device of the customer: ``newDevice()``
/// - A purchase on another device, or in one of Apple's views:
///   ``buyProduct(productID:quantity:applicationUsername:plan:seats:)``, ``purchaseInProductView(_:sendsUpdate:)``
/// - Time, with renewals, expirations and downloads: `advance(by: .months(2))`
/// - A canceled subscription, billing retry or a grace period: ``disableAutoRenew(of:)``,
///   `behavior.shouldEnterBillingRetryOnRenewal = true`, `behavior.billingGracePeriodIsEnabled = true`
/// - A price increase and the customer's answer: ``raisePrice(of:to:needsConsent:)``,
///   ``consentToPriceIncrease(of:)``, ``declinePriceIncrease(of:)``
/// - An offer code, or a win-back offer in the App Store: ``redeemOfferCode(_:for:plan:)``,
///   ``promotePurchase(of:winBackOfferID:)``
/// - An offer code in the app's own sheet: ``setNextOfferCode(_:for:plan:)``,
///   `behavior.offerCodeSheetReturnsTransaction = true`
/// - A commitment with another plan, a cancellation or a refund of a month: ``changeBillingPlan(of:to:)``,
///   ``disableAutoRenew(of:)``, ``refund(_:reason:percentage:)``
/// - A subscription that leaves its bundle: ``leaveBundle(_:continues:)``
/// - A seat that an organization assigns, and its end: ``assignSeat(of:)``, ``unassignSeat(of:)``
/// - A purchase that the family shares, and its end: ``shareInFamily(_:)``, ``revokeFamilySharing(of:)``
/// - An invalid signature: `setNextPurchaseOutcome(.unverified)`,
///   ``setSignatureIsValid(_:forTransactionID:)``
/// - An empty, outdated, partial or late list of StoreKit 2: `behavior.unfinishedListing = .empty`,
///   ``setNextListingFault(_:for:)``
/// - No connection: `behavior.isOffline = true`
/// - A crash and a relaunch: ``launch()``
/// - Other faults: ``SimulatorBehavior``
@dynamicMemberLookup
public final class SimulatedAppStore: Sendable {
    /// When events are delivered.
    public enum Pacing: Sendable, Hashable {
        /// Events are delivered immediately, on the thread of ``SimulatorBehavior/deliveryThread``.
        case automatic
        /// Only ``SimulatedAppStore/step()`` and ``SimulatedAppStore/runUntilIdle()`` deliver events, on the calling
        /// thread. The App Store accepts or rejects a payment or a request at that time.
        case manual
    }

    struct State {
        var engine: EngineState
        /// The objects of each device, by the device's number.
        var devices = [LaunchReferences()]
    }

    /// The state that the devices of a customer share.
    private final class Shared: Sendable {
        let state: Protected<State>
        /// The last receipt file with its content and whether the file is signed, cached because signing is slow.
        let receiptFile = Protected<(content: SimulatedReceiptContent, isSigned: Bool, data: Data)?>(nil)
        let backgroundQueue = DispatchQueue(label: "AppStoreSimulator.delivery")
        let otherQueue = DispatchQueue(label: "AppStoreSimulator.delivery.other")

        init(_ engine: EngineState) {
            state = Protected(State(engine: engine))
        }
    }

    private let shared: Shared
    /// The number of the device.
    let device: Int

    /// Creates an App Store with a catalog and its behavior, for an account without purchases.
    public init(
        catalog: SimulatedCatalog, seed: UInt64 = 1, pacing: Pacing = .automatic, bundleID: String = "com.example.app"
    ) {
        let isManual = pacing == .manual
        shared = Shared(EngineState(catalog: catalog, seed: seed, isManual: isManual, bundleID: bundleID))
        device = 0
    }

    private init(_ shared: Shared, device: Int) {
        self.shared = shared
        self.device = device
    }

    /// Creates an App Store with products, for an account without purchases.
    public convenience init(products: [SimulatedProduct], bundleID: String = "com.example.app") {
        self.init(catalog: SimulatedCatalog(products: products), bundleID: bundleID)
    }

    /// Adds another device of the same customer, with separate launches, payment queue and receipt file.
    ///
    /// The devices share the catalog, ``behavior``, clock and purchases. Use the object of any device to control the
    /// App Store. Over StoreKit 2, purchases and renewals arrive on every device as updates. An unfinished consumable
    /// arrives on another device at its next launch. Over StoreKit 1, a payment queue reports only the payments of its
    /// own device; other devices have the purchases after a restore.
    ///
    /// ```swift
    /// let phone = PurchaseStore(simulating: appStore)
    /// let tablet = PurchaseStore(simulating: appStore.newDevice())
    /// ```
    /// - Returns: The App Store on the new device. A launch on that device doesn't end the launch on another device.
    public func newDevice() -> SimulatedAppStore {
        let number = withState { state in
            state.devices.append(LaunchReferences())
            return state.engine.addDevice()
        }
        return SimulatedAppStore(shared, device: number)
    }

    /// Returns this object, or the object of another device.
    func appStore(ofDevice number: Int) -> SimulatedAppStore {
        number == device ? self : SimulatedAppStore(shared, device: number)
    }

    /// Begins a new launch of the app and ends the former launch. The former launch receives no more events, except for
    /// a callback that another thread has started or is about to start, and its calls have no effect.
    ///
    /// The account and its unfinished transactions stay. Payments with the outcome "never answered" are removed.
    public func launch() -> SimulatedLaunch {
        let (launch, endHandlers) = mutateState { state in
            state.engine.beginLaunch()
            let launch = SimulatedLaunch(store: self, number: state.engine.device.launch.number)
            return (launch, state.devices[device].replace(with: launch) + state.engine.takeEndHandlers())
        }
        for handler in endHandlers {
            handler()
        }
        return launch
    }

    /// Reads or changes the engine under the lock, without a delivery.
    func withEngine<Result, Failure: Error>(_ body: (inout EngineState) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try withState { state throws(Failure) in try body(&state.engine) }
    }

    /// Reads or changes the state under the lock, without a delivery.
    ///
    /// Observers and handlers are deallocated after the lock is released, because their deallocation may run code that
    /// calls the store.
    func withState<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        var observers: [any SimulatedQueueObserver] = []
        var handlers: [Any] = []
        defer { withExtendedLifetime((observers, handlers)) {} }
        return try shared.state.withLock { state throws(Failure) in
            state.engine.activate(device)
            state.engine.followRealTime()
            for number in state.devices.indices {
                state.engine.setObservers(state.devices[number].retainObservers(), onDevice: number)
            }
            defer {
                state.engine.recordEntitlements()
                for number in state.devices.indices { observers += state.devices[number].releaseObservers() }
                handlers = state.engine.takeDiscardedHandlers()
            }
            return try body(&state)
        }
    }

    /// Reads the engine under the lock. Reading needs no observers, so they aren't retained.
    func read<Result>(_ body: (EngineState) -> Result) -> Result {
        shared.state.withLock { state in
            state.engine.activate(device)
            state.engine.followRealTime()
            return body(state.engine)
        }
    }

    /// Returns whether a launch is the newest.
    func isCurrent(_ launchNumber: UInt64) -> Bool { read { $0.device.launch.number == launchNumber } }

    /// Changes the engine and delivers the resulting events.
    @discardableResult
    func mutate<Result, Failure: Error>(_ body: (inout EngineState) throws(Failure) -> Result) throws(Failure) -> Result
    {
        try mutateState { state throws(Failure) in try body(&state.engine) }
    }

    /// Performs a control, which throws if an earlier input wasn't possible on the App Store; see ``checkInputs()``.
    func control(_ body: (inout EngineState) throws(SimulatorError) -> Void) throws(SimulatorError) {
        try mutate { engine throws(SimulatorError) in
            try engine.checkInputs()
            try body(&engine)
        }
    }

    /// Throws an error if the catalog, or a past input of a function that can't throw, isn't possible on the App Store.
    ///
    /// Every control, and `settled()` and `advance(by:)` of `AsyncStoreKitTesting`, throw the same error.
    package func checkInputs() throws(SimulatorError) {
        try withEngine { engine throws(SimulatorError) in try engine.checkInputs() }
    }

    /// Changes the state and delivers the resulting events.
    @discardableResult
    func mutateState<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result
    {
        let (result, thread, waiters, next) = try withState { state throws(Failure) in
            let result = try body(&state)
            return (
                result, state.engine.startLoop(), state.engine.takeWaitersIfIdle(), state.engine.nextWake()
            )
        }
        if let next { wake(at: next.date, after: next.delay) }
        for waiter in waiters {
            waiter.resume()
        }
        if let thread {
            deliver(on: thread, move: 0)
        }
        return result
    }

    /// Performs the next scheduled event at its time, if the clock follows real time. Another wake may have replaced
    /// this one.
    private func wake(at date: Date, after delay: TimeInterval) {
        let device = device
        shared.backgroundQueue.asyncAfter(deadline: .now() + delay) { [weak shared] in
            guard let shared else { return }
            SimulatedAppStore(shared, device: device).mutate { if $0.wake == date { $0.wake = nil } }
        }
    }

    func receiptFile(_ content: SimulatedReceiptContent) -> Data {
        let isSigned = behavior.signsReceipts
        let known = shared.receiptFile.withLock { file in
            file.flatMap { $0.isSigned == isSigned && $0.content == content ? $0.data : nil }
        }
        if let known { return known }
        let data = receiptData(for: content, signed: isSigned)
        shared.receiptFile.withLock { $0 = (content, isSigned, data) }
        return data
    }

    func deliver(on thread: SimulatorBehavior.DeliveryThread, move: Int) {
        switch thread {
        case .caller: deliverPending(on: thread)
        case .background: shared.backgroundQueue.async { self.deliverPending(on: thread) }
        case .main: DispatchQueue.main.async { self.deliverPending(on: thread) }
        case .any:
            (move.isMultiple(of: 2) ? shared.backgroundQueue : shared.otherQueue).async {
                self.deliverPending(on: thread)
            }
        }
    }
}
