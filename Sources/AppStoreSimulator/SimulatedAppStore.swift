import Dispatch
import Foundation

/// A deterministic App Store in the process: it sells, keeps an account's history and payment queue over any number of launches of
/// the app, and has a clock of its own.
///
/// Everything is synchronous, and may be called from any thread and from inside any callback. No callback runs under a lock, and
/// events are delivered one at a time, in the order in which they occurred: an event that a callback causes is delivered after
/// that callback has returned. The same seed and the same calls give the same identifiers, dates and events.
///
/// | to play | write |
/// |---|---|
/// | Ask to Buy, and its answers | `behavior.askToBuyEnabled = true`, ``approvePurchase(of:)``, ``declinePurchase(of:)`` |
/// | the customer cancels; a payment fails, is interrupted, is never answered | `setNextPurchaseOutcome(.userCancelled)`, ``setNextPurchaseOutcome(_:for:)`` |
/// | what interrupted a payment is resolved | ``resolvePurchase(of:)`` |
/// | a refund of one purchase, or of one period | ``refund(_:reason:percentage:)`` |
/// | a second device of the customer | ``newDevice()`` |
/// | a purchase on another device, or in a view of Apple's | ``buyProduct(productID:quantity:applicationUsername:plan:)``, ``purchaseInProductView(_:sendsUpdate:)`` |
/// | time: renewals, expirations, downloads | `advance(by: .months(2))` |
/// | a subscription that is cancelled, not paid, in its grace period | ``disableAutoRenew(of:)``, `behavior.shouldEnterBillingRetryOnRenewal = true`, `behavior.billingGracePeriodIsEnabled = true` |
/// | a higher price, and the customer's consent | ``raisePrice(of:to:needsConsent:)``, ``consentToPriceIncrease(of:)``, ``declinePriceIncrease(of:)`` |
/// | an offer code, a win-back offer in the App Store | ``redeemOfferCode(_:for:plan:)``, ``promotePurchase(of:winBackOfferID:)`` |
/// | an offer code in the app's own sheet | ``setNextOfferCode(_:for:plan:)``, `behavior.offerCodeSheetReturnsTransaction = true` |
/// | a commitment: another plan, a canceled one, a refund of a month | ``changeBillingPlan(of:to:)``, ``disableAutoRenew(of:)``, ``refund(_:reason:percentage:)`` |
/// | a subscription leaves its bundle; an assigned seat, and its end | ``leaveBundle(_:continues:)``, ``assignSeat(of:)``, ``unassignSeat(of:)`` |
/// | a purchase of a member of the family, and its end | ``shareInFamily(_:)``, ``revokeFamilySharing(of:)`` |
/// | a signature that does not check out | `setNextPurchaseOutcome(.unverified)`, ``setSignatureIsValid(_:forTransactionID:)`` |
/// | an empty, outdated, partial or late list of StoreKit 2 | `behavior.unfinishedListing = .empty`, ``setNextListingFault(_:for:)`` |
/// | no connection | `behavior.isOffline = true` |
/// | a crash, and a relaunch | ``launch()`` |
/// | everything else that goes wrong | ``SimulatorBehavior`` |
public final class SimulatedAppStore: Sendable {
    /// When events are delivered.
    public enum Pacing: Sendable, Hashable {
        /// As soon as they are due, on the thread that ``SimulatorBehavior/deliveryThread`` names.
        case automatic
        /// Only by ``SimulatedAppStore/step()`` and ``SimulatedAppStore/runUntilIdle()``, on the calling thread. What the App Store
        /// decides about a payment or a request, it decides then.
        case manual
    }

    struct State {
        var engine: EngineState
        /// The objects of each device, by the device's number.
        var devices = [LaunchReferences()]
    }

    /// What the devices of a customer share.
    private final class Shared: Sendable {
        let state: Locked<State>
        /// The receipt file that was made last, its content, and whether it is signed: signing takes long.
        let receiptFile = Locked<(content: SimulatedReceiptContent, isSigned: Bool, data: Data)?>(nil)
        let backgroundQueue = DispatchQueue(label: "AppStoreSimulator.delivery")
        let otherQueue = DispatchQueue(label: "AppStoreSimulator.delivery.other")

        init(_ engine: EngineState) {
            state = Locked(State(engine: engine))
        }
    }

    private let shared: Shared
    /// The number of the device.
    let device: Int

    /// Makes a store that sells what the catalog lists, and behaves as it says, to an account that has bought nothing yet.
    public init(catalog: SimulatedCatalog, seed: UInt64 = 1, pacing: Pacing = .automatic, bundleID: String = "com.example.app") {
        let isManual = pacing == .manual
        shared = Shared(EngineState(catalog: catalog, seed: seed, isManual: isManual, bundleID: bundleID))
        device = 0
    }

    private init(_ shared: Shared, device: Int) {
        self.shared = shared
        self.device = device
    }

    /// Makes a store that sells these products, to an account that has bought nothing yet.
    public convenience init(products: [SimulatedProduct], bundleID: String = "com.example.app") {
        self.init(catalog: SimulatedCatalog(products: products), bundleID: bundleID)
    }

    /// Adds another device of the same customer, which has its own launches, payment queue and receipt file.
    ///
    /// The devices share the App Store: its catalog, ``behavior``, clock and everything that the customer owns. Either
    /// object controls it. Over StoreKit 2, purchases and renewals arrive on every device as updates. A consumable
    /// arrives on another device at its next launch, if it is still unfinished. Over StoreKit 1, a payment queue reports
    /// the payments of its own device only; other devices have the purchases after a restore.
    ///
    /// ```swift
    /// let phone = PurchaseStore(simulating: appStore)
    /// let tablet = PurchaseStore(simulating: appStore.newDevice())
    /// ```
    /// - Returns: The App Store as the new device sees it. A launch there doesn't end the launch on another device.
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

    /// Begins a new run of the app, and ends the former one: it receives no more events, except for a callback that is running or
    /// about to run on another thread, and its calls do nothing.
    ///
    /// The account continues, and with it what is unfinished; payments that were never to be answered are forgotten.
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

    /// Reads or changes the engine under the lock, without any delivery.
    func withEngine<Result, Failure: Error>(_ body: (inout EngineState) throws(Failure) -> Result) throws(Failure) -> Result {
        try withState { state throws(Failure) in try body(&state.engine) }
    }

    /// Reads or changes the state under the lock, without any delivery.
    ///
    /// Observers and handlers are released after the lock is open: what ends with them may call the store.
    func withState<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        var observers: [any SimulatedQueueObserver] = []
        var handlers: [Any] = []
        defer { withExtendedLifetime((observers, handlers)) {} }
        return try shared.state.withLock { state throws(Failure) in
            state.engine.activate(device)
            for number in state.devices.indices {
                state.engine.setObservers(state.devices[number].gather(), onDevice: number)
            }
            defer {
                state.engine.recordEntitlements()
                for number in state.devices.indices { observers += state.devices[number].takePresent() }
                handlers = state.engine.takeDiscardedHandlers()
            }
            return try body(&state)
        }
    }

    /// Whether this launch is the newest.
    func isCurrent(_ launchNumber: UInt64) -> Bool {
        shared.state.withLock { state in
            state.engine.activate(device)
            return state.engine.device.launch.number == launchNumber
        }
    }

    /// Changes the engine, and sees to it that the resulting events are delivered.
    @discardableResult
    func mutate<Result, Failure: Error>(_ body: (inout EngineState) throws(Failure) -> Result) throws(Failure) -> Result {
        try mutateState { state throws(Failure) in try body(&state.engine) }
    }

    /// Changes the state, and sees to it that the resulting events are delivered.
    @discardableResult
    func mutateState<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        let (result, thread, waiters) = try withState { state throws(Failure) in
            let result = try body(&state)
            return (result, state.engine.startLoop(), state.engine.takeWaitersIfIdle())
        }
        for waiter in waiters {
            waiter.resume()
        }
        if let thread {
            deliver(on: thread, move: 0)
        }
        return result
    }

    /// The bytes of a receipt file.
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

    /// Delivers on a thread of this kind.
    func deliver(on thread: SimulatorBehavior.DeliveryThread, move: Int) {
        switch thread {
        case .caller: deliverPending(on: thread)
        case .background: shared.backgroundQueue.async { self.deliverPending(on: thread) }
        case .main: DispatchQueue.main.async { self.deliverPending(on: thread) }
        case .any: (move.isMultiple(of: 2) ? shared.backgroundQueue : shared.otherQueue).async { self.deliverPending(on: thread) }
        }
    }
}
