import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Lists of StoreKit that never end.
@Suite(.bounded) struct HungListTests {
    /// The calls of a store that may read the device.
    enum Call: CaseIterable {
        case products, purchase, restore, current, refresh, history, latest, consumables, status, eligibility, offers
        case appTransaction, paidAppUpgrade, unfinished, diagnostics, report, diagnosis, receipt
        case manage, refund, redeem, finish, erase, restoreAccount, next

        func make(_ store: PurchaseStore) async throws {
            switch self {
            case .products: _ = try await store.products(for: ["pro"])
            case .purchase: _ = try await store.purchase("magazine") { _ in }
            case .restore: _ = try await store.restore { _ in }
            case .current: _ = await store.entitlements.current
            case .refresh: _ = await store.entitlements.refresh()
            case .history: _ = try await store.transactionHistory()
            case .latest: _ = try await store.latestTransaction(for: "basic")
            case .consumables: _ = try await store.consumablePurchases()
            case .status: _ = await store.subscriptionStatus(inGroup: "club")
            case .eligibility: _ = await store.isEligibleForIntroductoryOffer(inGroup: "club")
            case .offers:
                guard let product = try await store.products(for: ["basic"]).first else { return }
                _ = await store.offers(for: product)
            case .appTransaction: _ = try await store.appTransaction()
            case .unfinished: _ = await store.unfinishedTransactions
            case .diagnostics: _ = try await store.diagnostics()
            case .receipt: _ = try await store.core.purchaseReceipt()
            case .paidAppUpgrade: _ = try await store.checkPaidAppUpgrade()
            case .report: _ = await store.supportReport()
            case .diagnosis: _ = await store.diagnose(["pro"])
            case .manage: try await store.manageSubscriptions()
            case .refund: try await store.requestRefund(for: "1")
            case .redeem: try await store.redeemOfferCode()
            case .finish:
                guard case .success(let purchase) = try await store.purchase("coins") else { return }
                await purchase.finish()
            case .erase: try await store.eraseStoredData()
            case .restoreAccount: _ = try await store.restore(account: .token(UUID()))
            case .next: _ = await store.entitlements.first { _ in true }
            }
        }
    }

    /// An environment whose current entitlements stop after the first product until the read is canceled.
    private struct StoppingList: RelayEnvironment {
        let next: any StoreKit2Environment

        func currentEntitlements() async -> [StoreKit2SignedTransaction] {
            let part = await next.currentEntitlements().filter { $0.productID == "pro" }
            let response = Promise<Void>()
            await response.value(isResponse: true) { response.fulfill(()) }
            return part
        }
    }

    /// An environment whose synchronization doesn't end.
    private struct HangingSynchronization: RelayEnvironment {
        let next: any StoreKit2Environment
        let hung = Recorder<Void>()

        func sync() async throws(StoreError) {
            hung.record(())
            await Promise<Void>().value()
        }
    }

    /// An environment with two synchronizations, which a test ends. The customer cancels one of them.
    private struct TwoSynchronizations: RelayEnvironment {
        let next: any StoreKit2Environment
        let canceled: Int
        let ends = [Promise<Void>(), Promise<Void>()]
        let begun = Recorder<Void>()

        func sync() async throws(StoreError) {
            begun.record(())
            let number = begun.elements.count - 1
            await ends[number].value(isResponse: true)
            if number == canceled { throw StoreError(.userCancelled, "The customer closed the dialog.") }
        }
    }

    /// A launch of an app whose customer owns "pro" and "basic".
    private struct App {
        let world: StoreWorld
        let store: PurchaseStore
        let hung = Recorder<Void>()
        let hangs = Locked(true)

        /// - Parameter endsWhenCanceled: Whether a list ends when its task is canceled, without content.
        init(hanging list: StoreKit2List, endsWhenCanceled: Bool) async throws {
            let first = StoreWorld()
            try await first.own("pro")
            try await first.own("basic")
            world = first.relaunched()
            let environment = WatchedLists(world.environment) { [hung, hangs] read, _ in
                guard read == list, hangs.withLock({ $0 }) else { return }
                hung.record(())
                let response = Promise<Void>()
                await response.value(isResponse: true) { if endsWhenCanceled { response.fulfill(()) } }
            }
            store = PurchaseStore(over: StoreKit2Backend(environment: environment))
        }

        /// Makes calls, and advances the clock until they have ended, for an hour at most.
        func end(_ what: String, _ calls: @escaping @Sendable (PurchaseStore) async -> Void) async throws {
            let hasEnded = Locked(false)
            let task = Task { [store] in
                await calls(store)
                hasEnded.withLock { $0 = true }
            }
            try await store.settled()
            for _ in 0..<100 where !hasEnded.withLock({ $0 }) { try await store.advance(by: 30) }
            try await withDeadline("\(what) to end") { await task.value }
        }
    }

    @Test(arguments: StoreKit2List.allCases, Call.allCases)
    func `every call ends by itself while a list of StoreKit doesn't`(list: StoreKit2List, call: Call) async throws {
        let app = try await App(hanging: list, endsWhenCanceled: false)
        try await app.end("\(call)") { try? await call.make($0) }
    }

    @Test(arguments: [Call.history, .latest, .consumables, .receipt])
    func `canceling the task ends the wait for a history that never ends`(call: Call) async throws {
        let app = try await App(hanging: .history, endsWhenCanceled: false)
        let task = Task { [store = app.store] in try await call.make(store) }
        _ = try await app.hung.first(1)
        task.cancel()
        await expectError(\StoreError.code, .taskCancelled) { try await task.value }
    }

    @Test(arguments: [Call.history, .latest, .consumables, .receipt])
    func `a history that never ends is a timeout after a minute, and the next call reads it again`(
        call: Call
    ) async throws {
        let app = try await App(hanging: .history, endsWhenCanceled: false)
        let task = Task { [store = app.store] in try await call.make(store) }
        _ = try await app.hung.first(1)
        try await app.store.advance(by: 61)
        await expectError(\StoreError.code, .timedOut) { try await task.value }
        app.hangs.withLock { $0 = false }
        expectEqual(try await app.store.transactionHistory().count, 2)
    }

    @Test(arguments: [StoreKit2List.unfinished, .statuses, .history, .latest], [true, false])
    func `what other lists say gives access while a list doesn't end`(
        list: StoreKit2List, endsWhenCanceled: Bool
    ) async throws {
        let app = try await App(hanging: list, endsWhenCanceled: endsWhenCanceled)
        _ = app.store.entitlements.latest
        try await app.store.advance(by: 14)
        let entitlements = app.store.entitlements.latest
        expectEqual(entitlements.productIDs, ["pro", "basic"])
        let isRead = list == .unfinished || list == .statuses
        expectEqual(entitlements.issues, isRead ? [.incomplete(.timedOut)] : [])
        app.hangs.withLock { $0 = false }
        try await app.store.advance(by: 60)
        let refreshed = app.store.entitlements.latest
        #expect(refreshed.basis == .confirmed && refreshed.issues.isEmpty)
    }

    @Test func `a list that has given a part before it stopped gives that part`() async throws {
        let world = StoreWorld(signs: true)
        try await world.own("pro")
        try await world.own("basic")
        let environment = StoppingList(next: world.relaunched().environment)
        let store = PurchaseStore(over: StoreKit2Backend(environment: environment))
        _ = store.entitlements.latest
        try await store.advance(by: 14)
        #expect(store.entitlements.latest.contains("pro"))
        #expect(store.entitlements.latest.issues.contains(.incomplete(.timedOut)))
    }

    @Test(arguments: StoreKit2List.allCases) func `reads that never end don't pile up`(list: StoreKit2List) async throws
    {
        let app = try await App(hanging: list, endsWhenCanceled: false)
        for _ in 0..<20 {
            try await app.end("the calls") { store in
                _ = await store.isEligibleForIntroductoryOffer(inGroup: "club")
                _ = await store.entitlements.refresh()
                store.refreshPendingState()
            }
        }
        let count = app.hung.elements.count
        #expect((list == .latest || count > 0) && count <= 10, "\(count) reads of \(list) are running")
    }

    @Test func `the unfinished transactions are waited for, for two seconds at most`() async throws {
        let app = try await App(hanging: .unfinished, endsWhenCanceled: false)
        let answers = Recorder<[StoreTransaction]>()
        let task = Task { [store = app.store] in answers.record(await store.unfinishedTransactions) }
        _ = try await app.hung.first(1)
        try await app.store.advance(by: 1.9)
        expectEqual(answers.elements, [])
        try await app.store.advance(by: 0.2)
        try await withDeadline("the answer") { await task.value }
        expectEqual(answers.elements, [[]])
    }

    @Test func `canceling the task ends the wait for the unfinished transactions`() async throws {
        let app = try await App(hanging: .unfinished, endsWhenCanceled: false)
        for cancelsFirst in [true, false] {
            let task = Task { [store = app.store] in await store.unfinishedTransactions }
            if !cancelsFirst { try await app.store.settled() }
            task.cancel()
            expectEqual(try await withDeadline("the answer") { await task.value }, [])
        }
    }

    @Test(arguments: [0, 1])
    func `the late end of a restore doesn't end the next one, and isn't lost afterwards`(canceled: Int) async throws {
        let world = StoreWorld(signs: true)
        try await world.own("pro")
        let environment = TwoSynchronizations(next: world.environment, canceled: canceled)
        let backend = StoreKit2Backend(environment: environment)
        let ends = Recorder<QueueEvent>()
        backend.activate { event in
            switch event {
            case .restoreFinished, .restoreFailed: ends.record(event)
            default: break
            }
        }
        for count in 1...2 {
            try backend.restoreCompletedTransactions(applicationUsername: nil)
            _ = try await environment.begun.first(count)
        }
        // The second one ends first, or the first one is dropped.
        if canceled == 0 { environment.ends[0].fulfill(()) }
        environment.ends[1].fulfill(())
        let first = try #require(try await ends.first(1).first)
        if case .restoreFinished = first { expectEqual(canceled, 0) } else { expectEqual(canceled, 1) }
        if canceled == 1 {
            environment.ends[0].fulfill(())
            _ = try await ends.first { if case .restoreFinished = $0 { true } else { false } }
        }
        backend.deactivate()
    }

    @Test func `a synchronization that never ends keeps nothing of the store alive`() async throws {
        let environment = HangingSynchronization(next: StoreWorld(signs: true).environment)
        var backend: StoreKit2Backend? = StoreKit2Backend(environment: environment)
        weak let former = backend
        try backend?.restoreCompletedTransactions(applicationUsername: nil)
        _ = try await environment.hung.first(1)
        backend = nil
        #expect(former == nil)
    }

    @Test func `a read that never ends doesn't keep the monitor alive`() async throws {
        let begun = Recorder<Void>()
        struct SilentDevice: RelayBackend {
            let next: any StoreBackend = UnreachableBackend()
            let begun: Recorder<Void>

            func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
                begun.record(())
                return await Promise<PurchaseHistory>().value()
            }
        }
        var monitor: EntitlementMonitor? = EntitlementMonitor(
            backend: SilentDevice(begun: begun), configuration: StoreConfiguration(), clock: SimulatedClock()
        ) { _ in nil }
        weak let former = monitor
        monitor?.start()
        _ = try await begun.first(1)
        monitor = nil
        #expect(former == nil)
    }
}
