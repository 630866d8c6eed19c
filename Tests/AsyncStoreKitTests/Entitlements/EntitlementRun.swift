import AppReceipt
import Foundation

@testable import AsyncStoreKit

/// An entitlement state machine, with a device whose reads begin and end as a test decides.
struct EntitlementRun {
    private(set) var machine: EntitlementStateMachine
    /// The read that the machine has begun.
    private(set) var reading: EntitlementStateMachine.Reading?
    /// The number of running reads.
    private(set) var reads = 0
    private(set) var resumed: [CallID] = []
    private(set) var saves = 0
    private(set) var notifications = 0
    /// Whether the machine waits for the content of the cache.
    private(set) var isLoadingCache = false

    /// Creates a run without the checks that follow the first answer of a launch: they have tests of their own.
    init(
        _ machine: EntitlementStateMachine = EntitlementStateMachine(
            timing: EntitlementTiming(launchChecks: []), hasCache: true)
    ) {
        self.machine = machine
    }

    var entitlements: StoreEntitlements { machine.entitlements }
    var nextWake: Date? { machine.nextWake }
    var texts: PurchaseListing { machine.texts }

    /// Performs the actions of the machine.
    mutating func perform(_ decide: (inout EntitlementStateMachine) -> [EntitlementStateMachine.Action]) {
        for action in decide(&machine) {
            switch action {
            case .read(let read):
                reading = read
                reads += 1
            case .resume(let calls): resumed += calls
            case .save: saves += 1
            case .notify: notifications += 1
            case .loadCache: isLoadingCache = true
            case .setTimer: break
            }
        }
    }

    /// Loads the cache, unless it is loaded.
    mutating func start(at now: Date) {
        perform { $0.start(at: now) }
        perform { $0.cacheLoaded(PurchaseListing(), issues: [], at: now) }
    }

    /// Begins a read at one moment, and ends it at another.
    mutating func take(_ history: PurchaseListing, begun: Date, at now: Date) {
        end(.success(history), begun: begun, at: now)
    }

    mutating func take(_ failure: StoreError, begun: Date, at now: Date) {
        end(.failure(failure), begun: begun, at: now)
    }

    mutating func endReading() {
        reading = nil
        reads = 0
    }

    mutating func endLoadingCache() {
        isLoadingCache = false
    }

    private mutating func end(_ result: Result<PurchaseListing, StoreError>, begun: Date, at now: Date) {
        start(at: begun)
        if reading == nil { perform { $0.refresh(CallID(), at: begun) } }
        guard var read = reading else { return }
        endReading()
        read.begun = begun
        perform { $0.readEnded(read, result, at: now) }
    }

    /// Loads the cache.
    mutating func take(cache: PurchaseListing, issues: Set<StoreEntitlements.Issue>, at now: Date) {
        perform { $0.start(at: now) }
        perform { $0.cacheLoaded(cache, issues: issues, at: now) }
    }

    /// Reports transactions as the payment queue does.
    mutating func take(reports: [VerifiedTransaction], isPaidHere: Bool = false, at now: Date) {
        perform { $0.start(at: now) }
        perform { $0.transactionsReported(reports, isPaidHere: isPaidHere, at: now) }
    }
}
