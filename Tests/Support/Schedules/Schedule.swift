package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// A random history of an app, from its first launch until all work is complete.
package final class Schedule {
    private static let products: [String] = ["coins", "gems", "pro", "news"]

    private var random: ScheduleGenerator
    private let appStore: SimulatedAppStore
    private let clock = SimulatedClock()
    private let keeper = PromiseKeeper()
    private let installs: Bool
    private let makeBackend: @Sendable (SimulatedLaunch) -> any StoreBackend
    private var backend: WatchedBackend?
    private var store: PurchaseStore?
    private var isReliable = false
    private var calls: [Task<Void, Never>] = []
    private var loops: [Task<Void, Never>] = []
    /// The products that this launch has reported as owned. No purchase is refunded, so the products stay owned.
    private var owned: Set<String> = []

    /// - Parameter makeBackend: Creates a backend for one launch of the app.
    package init(seed: UInt64, makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend) {
        self.makeBackend = makeBackend
        random = ScheduleGenerator(seed: seed)
        installs = seed % 3 == 0
        let catalog = SimulatedCatalog(products: [
            SimulatedProduct(productID: "coins", kind: .consumable, price: 1),
            SimulatedProduct(productID: "gems", kind: .consumable, price: 2),
            SimulatedProduct(productID: "pro", kind: .nonConsumable, price: 3),
            SimulatedProduct(productID: "news", kind: .nonConsumable, price: 4),
        ])
        appStore = SimulatedAppStore(catalog: catalog, seed: seed, pacing: .manual)
    }

    /// Runs the history and returns the broken promises.
    package func play() async -> [String] {
        appStore.behavior = randomBehavior()
        launch()
        for _ in 0..<Int.random(in: 10...40, using: &random) { await act() }
        await conclude()
        return keeper.violations
    }

    private func randomBehavior() -> SimulatorBehavior {
        var behavior = SimulatorBehavior()
        behavior.signsReceipts = false
        // The App Store's clock doesn't advance here, so delayed transactions would never be listed.
        behavior.listingLag = 0
        behavior.varyQueue(using: &random)
        // A late list would block a step that waits for entitlements.
        let faults: [SimulatedListingFault] = [.empty, .stale(changes: 3), .partial]
        if random.chance(50) { behavior.unfinishedListing = faults.randomElement(using: &random) ?? .none }
        behavior.listingFaultPercentage = 50
        return behavior
    }

    private func launch() {
        let backend = WatchedBackend(makeBackend(appStore.launch()), keeper: keeper)
        let store = PurchaseStore(over: backend, configuration: StoreConfiguration(clock: clock))
        if installs {
            let keeper = keeper
            let attempts = Locked(!isReliable && random.chance(30) ? 2 : 0)
            store.setDelivery { request in
                let fails = attempts.withLock { attempts in
                    defer { attempts = max(0, attempts - 1) }
                    return attempts > 0
                }
                if fails { return .retryLater }
                for purchase in request.purchases { await keeper.deliver(purchase, by: .store) }
                return .accepted
            }
        }
        self.backend = backend
        self.store = store
    }

    /// Ends the process.
    private func relaunch() async {
        backend?.terminate()
        // An unanswered request for products ends only with the process.
        for call in calls { call.cancel() }
        for call in calls { await call.value }
        for loop in loops { await loop.value }
        (calls, loops) = ([], [])
        owned = []
        launch()
    }

    private func act() async {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: purchase()
        case 25..<32: restore()
        case 32..<38: calls.randomElement(using: &random)?.cancel()
        case 38..<43: subscribe()
        case 43..<46: loops.popLast()?.cancel()
        case 46..<50: try? appStore.buyProduct(productID: Self.products[Int.random(in: 0..<4, using: &random)])
        case 50..<54: answerPending(approving: random.chance(60))
        case 54..<58: if let entry = anyEntry() { appStore.redeliver(entry) }
        case 58..<60: if let entry = anyEntry() { appStore.finishFromAnotherObserver(entry) }
        case 60..<63: await relaunch()
        case 63..<65: clock.advance(by: 10)
        case 65..<70: _ = try? await store?.diagnostics()
        case 70..<74: await readEntitlements()
        case 74..<79: store?.refreshPendingState()
        case 79..<83: await Task.yield()
        default: for _ in 0..<Int.random(in: 1...4, using: &random) { appStore.step() }
        }
    }

    /// Reads the owned products and compares them with the known ones.
    private func readEntitlements() async {
        guard let store else { return }
        check(store.entitlements.latest)
        if random.chance(50) { check(await store.entitlements.refresh()) }
    }

    private func check(_ entitlements: StoreEntitlements) {
        // StoreKit 1 lists a consumable until it's finished.
        let products = entitlements.productIDs.intersection(["pro", "news"])
        let lost = owned.subtracting(products)
        if !lost.isEmpty { keeper.violate("\(lost.sorted()) was reported as lost") }
        owned.formUnion(products)
    }

    private func anyEntry() -> SimulatedTransaction.ID? {
        appStore.allTransactions().randomElement(using: &random)?.id
    }

    private func answerPending(approving: Bool) {
        for record in appStore.allTransactions() {
            switch record.state {
            case .deferred where approving: try? appStore.approveAskToBuyTransaction(id: record.id)
            case .deferred: try? appStore.declineAskToBuyTransaction(id: record.id)
            case .interrupted: try? appStore.resolveIssueForTransaction(id: record.id)
            case .purchased: break
            }
        }
    }

    private func purchase() {
        guard let store else { return }
        let productID = Self.products[Int.random(in: 0..<4, using: &random)]
        let quantity = productID == "coins" ? Int.random(in: 1...3, using: &random) : 1
        let outcomes: [SimulatedOutcome] = [
            .userCancelled, .failed(.unknown), .deferred, .interrupted, .removed, .returnsUnfinishedTransaction,
            .neverAnswered(afterPurchasing: true), .neverAnswered(afterPurchasing: false),
        ]
        if random.chance(40), let outcome = outcomes.randomElement(using: &random) {
            appStore.setNextPurchaseOutcome(outcome, for: productID)
        }
        let options = PurchaseOptions(quantity: quantity, timeout: random.chance(20) ? 60 : nil)
        let closure: Closure = random.chance(50) ? (random.chance(20) ? .throwing : .delivering) : .none
        let call = keeper.start()
        let keeper = keeper
        calls.append(
            Task {
                await Schedule.purchase(productID, options, closure, from: store, keeper)
                keeper.end(call)
            })
    }

    private enum Closure {
        case none, delivering, throwing
    }

    private static func purchase(
        _ productID: String, _ options: PurchaseOptions, _ closure: Closure, from store: PurchaseStore,
        _ keeper: PromiseKeeper
    ) async {
        do {
            guard closure == .none else {
                try await store.purchase(productID, options: options) { purchase in
                    check(purchase, productID, options.quantity, keeper)
                    if closure == .throwing { throw CancellationError() }
                    await keeper.deliver(purchase, by: .store)
                }
                return
            }
            guard case .success(let purchase) = try await store.purchase(productID, options: options) else { return }
            check(purchase, productID, options.quantity, keeper)
            if !purchase.isHandledElsewhere { await keeper.deliver(purchase, by: .app) }
            await purchase.finish()
        } catch {
            // Every StoreError is an expected answer, and the type excludes other errors.
        }
    }

    private static func check(_ purchase: StorePurchase, _ productID: String, _ quantity: Int, _ keeper: PromiseKeeper)
    {
        if purchase.productID != productID { keeper.violate("\(purchase.productID) answered \(productID)") }
        if purchase.quantity != quantity, !purchase.isPreexisting, purchase.transaction.state == .purchased {
            keeper.violate("\(purchase.quantity) answered \(quantity)")
        }
    }

    private func restore() {
        guard let store else { return }
        let usesClosure = random.chance(50)
        let call = keeper.start()
        let keeper = keeper
        calls.append(
            Task {
                await Schedule.restore(usesClosure: usesClosure, from: store, keeper)
                keeper.end(call)
            })
    }

    private static func restore(usesClosure: Bool, from store: PurchaseStore, _ keeper: PromiseKeeper) async {
        do {
            guard !usesClosure else {
                try await store.restore { await keeper.deliver($0, by: .store) }
                return
            }
            for purchase in try await store.restore().purchases {
                if !purchase.isHandledElsewhere { await keeper.deliver(purchase, by: .app) }
                await purchase.finish()
            }
        } catch {
            // The same as above: every error of the store is an expected answer.
        }
    }

    private func subscribe() {
        guard let store else { return }
        let updates = store.transactions
        let keeper = keeper
        loops.append(
            Task {
                for await update in updates {
                    if !update.isHandledElsewhere { await keeper.deliver(update, by: .app) }
                    await update.finish()
                }
            })
    }

    /// Completes the running work without new events.
    private func conclude() async {
        appStore.behavior = SimulatorBehavior()
        appStore.behavior.signsReceipts = false
        isReliable = true
        await relaunch()
        guard let store else { return }
        let updates = StreamListener(store.transactions)
        await settle()
        // Every paid, unfinished transaction must arrive on the stream, so wait for that.
        while !isQuiet {
            guard let update = try? await updates.next() else {
                keeper.violate("the stream ended, or an unfinished transaction didn't arrive on it")
                break
            }
            if !update.isHandledElsewhere { await keeper.deliver(update, by: .app) }
            await update.finish()
            await settle()
        }
        if keeper.waiting != 0 { keeper.violate("\(keeper.waiting) calls have not ended") }
        for record in appStore.allTransactions() where record.state == .purchased && !record.isFinished {
            keeper.violate("\(record.productID) \(record.transactionID ?? "") is not finished")
        }
        let entitlements = await store.entitlements.refresh()
        check(entitlements)
        let paid = Set(
            appStore.allTransactions().filter { $0.kind == .nonConsumable && $0.state == .purchased }.map(\.productID))
        // Entitlements without a signature aren't confirmed, and StoreKit 1's receipts aren't signed here.
        if entitlements.issues.isEmpty, paid != owned {
            keeper.violate("\(owned.sorted()) is owned, and \(paid.sorted()) is paid")
        }
        if !appStore.misuses.isEmpty { keeper.violate("misuses: \(appStore.misuses)") }
        backend?.terminate()
    }

    /// Waits until the App Store is idle, every call is answered, and the store has processed all reports, which may
    /// cause more work of the App Store. A purchase that a delivery finished before the first subscription arrives on
    /// no stream, so wait for that here.
    private func settle() async {
        repeat {
            appStore.runUntilIdle()
            answerPending(approving: true)
            appStore.runUntilIdle()
            _ = try? await store?.core.diagnostics { diagnostics in
                !diagnostics.held.contains { $0.reason == .delivering }
            }
            try? await backend?.finished()
        } while appStore.pendingEventCount > 0
    }

    private var isQuiet: Bool {
        keeper.waiting == 0 && appStore.pendingEventCount == 0
            && appStore.allTransactions().allSatisfy { $0.state == .purchased && $0.isFinished }
    }
}
