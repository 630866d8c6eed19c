import Dispatch
import Foundation

/// A deterministic App Store in the process: it sells, keeps an account's history and payment queue over any number of launches of
/// the app, and has a clock of its own.
///
/// Everything is synchronous, and may be called from any thread and from inside any callback. Nobody is called under a lock, and
/// events are delivered one at a time, in the order in which they came about: an event that a callback causes is delivered after
/// that callback has returned. The same seed and the same calls give the same identifiers, dates and events.
///
/// The controls have the names that `SKTestSession` gives them, where it has them.
public final class SimulatedAppStore: Sendable {
    /// When events are delivered.
    public enum Pacing: Sendable, Hashable {
        /// As soon as they are due, on the thread that ``SimulatorBehavior/deliveryThread`` names.
        case automatic
        /// Only by ``SimulatedAppStore/step()`` and ``SimulatedAppStore/runUntilIdle()``, on the calling thread. What the App Store
        /// decides about a payment or a request, it decides then.
        case manual
    }

    private let state: Locked<EngineState>
    /// The receipt file that was signed last, and what it says: signing takes long.
    private let signedReceipt = Locked<(content: SimulatedReceiptContent, data: Data)?>(nil)
    private let backgroundQueue = DispatchQueue(label: "AppStoreSimulator.delivery")
    private let otherQueue = DispatchQueue(label: "AppStoreSimulator.delivery.other")

    /// Makes a store that sells what the catalog lists, to an account that has bought nothing yet.
    public init(catalog: Catalog, seed: UInt64 = 1, pacing: Pacing = .automatic, bundleIdentifier: String = "com.example.app") {
        state = Locked(EngineState(catalog: catalog, seed: seed, pacing: pacing, bundleIdentifier: bundleIdentifier))
    }

    /// Begins a new run of the app, and ends the former one: it hears of nothing any more, except for a callback that is running or
    /// about to run on another thread, and its calls do nothing.
    ///
    /// The account, and with it what is unfinished, goes on; payments that were never to be answered are forgotten.
    public func launch() -> SimulatedLaunch {
        mutate { state in
            state.beginLaunch()
            let launch = SimulatedLaunch(store: self, number: state.launch.number)
            state.launch.object.value = launch
            return launch
        }
    }

    /// Reads or changes the state under the lock, without any delivery.
    ///
    /// Observers and handlers are let go after the lock is open: what ends with them may call the store.
    func withState<Result, Failure: Error>(_ body: (inout EngineState) throws(Failure) -> Result) throws(Failure) -> Result {
        var garbage = Garbage()
        defer { withExtendedLifetime(garbage) {} }
        return try state.withLock { state throws(Failure) in
            state.launch.gather()
            defer { garbage = state.takeGarbage() }
            return try body(&state)
        }
    }

    /// Whether this launch is the newest.
    func isCurrent(_ launchNumber: UInt64) -> Bool {
        state.withLock { $0.launch.number == launchNumber }
    }

    /// Changes the state, and sees to it that what comes of it is delivered.
    @discardableResult
    func mutate<Result, Failure: Error>(_ body: (inout EngineState) throws(Failure) -> Result) throws(Failure) -> Result {
        let (result, thread, waiters) = try withState { state throws(Failure) in
            let result = try body(&state)
            return (result, state.claim(), state.takeWaitersIfIdle())
        }
        for waiter in waiters {
            waiter.resume()
        }
        if let thread {
            deliver(on: thread, hop: 0)
        }
        return result
    }

    /// The bytes of a receipt file.
    func signed(_ content: SimulatedReceiptContent) -> Data {
        if let data = signedReceipt.withLock({ $0?.content == content ? $0?.data : nil }) { return data }
        let data = receiptData(for: content, signed: behavior.signsReceipts)
        signedReceipt.withLock { $0 = (content, data) }
        return data
    }

    /// Delivers on a thread of this kind.
    func deliver(on thread: SimulatorBehavior.DeliveryThread, hop: Int) {
        switch thread {
        case .caller: deliverPending(on: thread)
        case .background: backgroundQueue.async { self.deliverPending(on: thread) }
        case .main: DispatchQueue.main.async { self.deliverPending(on: thread) }
        case .any: (hop.isMultiple(of: 2) ? backgroundQueue : otherQueue).async { self.deliverPending(on: thread) }
        }
    }

    /// The launch of a delivery; a new object if the app has dropped the one it had.
    func launch(for outbound: Outbound) -> SimulatedLaunch {
        if let launch = outbound.launch { return launch }
        return withState { state in
            guard state.launch.number == outbound.launchNumber else {
                return SimulatedLaunch(store: self, number: outbound.launchNumber)
            }
            if let launch = state.launch.object.value { return launch }
            let launch = SimulatedLaunch(store: self, number: outbound.launchNumber)
            state.launch.object.value = launch
            return launch
        }
    }
}
