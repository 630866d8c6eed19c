package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// One run of the soak test. Several tasks make 300 calls and changes at random while the App Store runs. Then the
/// faults end, and every remaining purchase must be delivered and finished.
package final class SoakRun: Sendable {
    /// Creates the backend of one launch. The clock is the App Store's.
    package typealias MakeBackend = @Sendable (SimulatedLaunch, any StoreClock) -> any StoreBackend

    private static let operations = 300
    private static let workers = 4

    let seed: UInt64
    let plan: SoakPlan
    let appStore: SimulatedAppStore
    let clock: SimulatedClock
    let journal = SoakJournal()
    /// Whether the queue reports which payment a transaction answers. If not, a transaction of another purchase can
    /// answer a call, and the other call waits until it's canceled.
    let saysWhatIsAnswered: Bool
    private let makeBackend: MakeBackend
    private let state = Locked(State())

    struct State: Sendable {
        var store: PurchaseStore?
        var calls: [Task<Void, Never>] = []
        var silentCalls: [Task<Void, Never>] = []
        var loops: [Task<Void, Never>] = []
        var gates: [Gate] = []
    }

    package init(seed: UInt64, saysWhatIsAnswered: Bool = false, makeBackend: @escaping MakeBackend) {
        self.saysWhatIsAnswered = saysWhatIsAnswered
        var random = ScheduleGenerator(seed: seed)
        self.seed = seed
        plan = SoakPlan(&random)
        self.makeBackend = makeBackend
        appStore = SimulatedAppStore(catalog: SoakPlan.catalog, seed: seed, pacing: plan.pacing)
        clock = SimulatedClock(appStore)
    }

    /// Runs the test, and returns the violations.
    package func run() async -> [SoakViolation] {
        appStore.behavior = plan.behavior
        for index in 0..<plan.boughtBefore {
            try? appStore.buyProduct(productID: SoakPlan.products[index % SoakPlan.products.count])
        }
        launch()
        if plan.installsDelivery { installDelivery() }
        if plan.installsLate { journal.expectLateDelivery() }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.workers {
                group.addTask { await self.work(worker) }
            }
        }
        await conclude()
        return journal.violations
    }

    /// The store of the current launch.
    var store: PurchaseStore? { state.withLock { $0.store } }

    func launch() {
        let backend = SoakBackend(makeBackend(appStore.launch(), clock), journal: journal)
        let configuration = StoreConfiguration(clock: SoakClock(clock: clock, journal: journal))
        let store = PurchaseStore(over: backend, configuration: configuration)
        state.withLock { $0.store = store }
    }

    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    private func work(_ worker: Int) async {
        var random = ScheduleGenerator(seed: seed &* 1_000 &+ UInt64(worker))
        for operation in 0..<(Self.operations / Self.workers) {
            if plan.installsLate, worker == 0, operation == 20 { installDelivery() }
            await operate(&random)
            if plan.pacing == .manual {
                for _ in 0..<Int.random(in: 0...3, using: &random) { appStore.step() }
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) { await Task.yield() }
        }
    }

    private func operate(_ random: inout ScheduleGenerator) async {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<32: purchase(&random)
        case 32..<39: restore(&random)
        case 39..<45: change { $0.calls.randomElement(using: &random) }?.cancel()
        case 45..<51: store?.refreshPendingState()
        case 51..<54: startLoop(SoakLoop(&random))
        case 54..<58: change { $0.loops.randomElement(using: &random) }?.cancel()
        case 58..<62: openGate(&random)
        case 62..<64: _ = try? await store?.diagnostics()
        case 64..<68: clock.advance(by: Double(Int.random(in: 1...40, using: &random)))
        case 68..<69: clock.advance(by: 31 * 86_400)
        default: disturb(&random)
        }
    }

    /// Changes a random setting of the App Store.
    private func disturb(_ random: inout ScheduleGenerator) {
        switch Int.random(in: 0..<31, using: &random) {
        case 0..<7: _ = random.play([.buy, .buy, .buy, .buy, .refund], of: SoakPlan.products, on: appStore)
        case 7..<11: answerPending(approving: random.chance(70))
        case 11..<14: _ = random.play([.share, .share, .unshare], of: ["pro"], on: appStore)
        case 14..<17: redeliver(&random)
        case 17: finishFromAnotherObserver(&random)
        case 18..<24:
            let listing: SimulatedListing = random.chance(60) ? .unfinished : .currentEntitlements
            appStore.setNextListingFault(SoakPlan.fault(&random), for: listing)
        case 24..<28: appStore.releaseListings()
        default: determinePurchase(&random)
        }
    }

    private func determinePurchase(_ random: inout ScheduleGenerator) {
        let outcomes: [SimulatedOutcome] = [
            .userCancelled, .failed(.unknown), .deferred, .deferred, .interrupted, .removed,
            .returnsUnfinishedTransaction,
            .restored,
        ]
        guard let productID = SoakPlan.products.randomElement(using: &random),
            let outcome = outcomes.randomElement(using: &random)
        else { return }
        appStore.setNextPurchaseOutcome(outcome, for: productID)
    }

    func answerPending(approving: Bool) {
        for record in appStore.allTransactions() {
            switch record.state {
            case .deferred where approving: try? appStore.approveAskToBuyTransaction(id: record.id)
            case .deferred: try? appStore.declineAskToBuyTransaction(id: record.id)
            case .interrupted: try? appStore.resolveIssueForTransaction(id: record.id)
            case .purchased: break
            }
        }
    }

    private func redeliver(_ random: inout ScheduleGenerator) {
        guard plan.reportsAgain, let record = appStore.allTransactions().randomElement(using: &random) else { return }
        if let id = record.transactionID { journal.note(id, SoakJournal.reportsAgain) }
        appStore.redeliver(record.id)
    }

    private func finishFromAnotherObserver(_ random: inout ScheduleGenerator) {
        guard plan.finishesElsewhere, let record = appStore.allTransactions().randomElement(using: &random),
            record.state == .purchased, let id = record.transactionID, journal.finishFromAnotherObserver(id)
        else { return }
        appStore.finishFromAnotherObserver(record.id)
    }

    private func openGate(_ random: inout ScheduleGenerator) {
        let gate = change { state -> Gate? in
            guard let index = state.gates.indices.randomElement(using: &random) else { return nil }
            return state.gates.remove(at: index)
        }
        gate?.open()
    }
}
