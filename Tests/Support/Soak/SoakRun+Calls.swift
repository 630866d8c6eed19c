import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// How a delivery ends. In the calm phase, all deliveries succeed.
enum SoakManner: Sendable {
    case delivers
    /// Suspends this many times first.
    case isSlow(yields: Int)
    /// Waits for a gate first.
    case isHeld
    /// Suspends once, then throws.
    case fails
    /// Throws if its task is canceled, after suspending this many times.
    case heedsCancellation(yields: Int)

    init(_ random: inout ScheduleGenerator) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: self = .delivers
        case 7..<11: self = .isSlow(yields: Int.random(in: 2...60, using: &random))
        case 11..<14: self = .isHeld
        case 14..<17: self = .fails
        default: self = .heedsCancellation(yields: Int.random(in: 1...20, using: &random))
        }
    }
}

/// How a loop over transactions treats its purchases.
struct SoakLoop: Sendable {
    let manner: SoakManner
    /// Ends after this many purchases.
    let limit: Int?
    /// The percentage of purchases that the loop neither delivers nor finishes, and that it releases.
    let ignores: Int
    let releases: Int

    static let accepting = SoakLoop(manner: .delivers, limit: nil, ignores: 0, releases: 0)

    init(manner: SoakManner, limit: Int?, ignores: Int, releases: Int) {
        (self.manner, self.limit, self.ignores, self.releases) = (manner, limit, ignores, releases)
    }

    init(_ random: inout ScheduleGenerator) {
        manner = SoakManner(&random)
        limit = random.chance(40) ? Int.random(in: 1...6, using: &random) : nil
        ignores = random.chance(30) ? 30 : 0
        releases = random.chance(30) ? 30 : 0
    }
}

/// The error of a delivery that failed.
private struct NotDelivered: Error {}

extension SoakRun {
    func purchase(_ random: inout ScheduleGenerator) {
        guard let store else { return }
        let isUnresponsive = random.chance(4)
        let product =
            isUnresponsive ? SoakPlan.silentProduct : SoakPlan.products.randomElement(using: &random) ?? "coins"
        if isUnresponsive {
            appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: random.chance(50)), for: product)
        }
        let timeout = random.chance(15) ? Double(Int.random(in: 5...60, using: &random)) : nil
        let isCounted = ["coins", "gems"].contains(product) && random.chance(30)
        let quantity = isCounted ? Int.random(in: 2...10, using: &random) : 1
        let options = PurchaseOptions(quantity: quantity, timeout: timeout)
        let closure = random.chance(65) ? SoakManner(&random) : nil
        let call = journal.beginCall("purchase of \(product)\(closure == nil ? "" : " with a closure")")
        let choice = Int.random(in: 0..<100, using: &random)
        let task = Task {
            if let closure {
                await self.delivering(by: .closure(call: call), closure) { deliver in
                    _ = try? await store.purchase(product, options: options) { purchase in
                        self.check(purchase, product, quantity)
                        try await deliver(purchase)
                    }
                }
            } else if case .success(let purchase)? = try? await store.purchase(product, options: options) {
                self.check(purchase, product, quantity)
                await self.handle(purchase, by: .caller(call: call), .delivers, choice: choice)
            }
            self.journal.endCall(call)
        }
        change { state in
            state.calls.append(task)
            if isUnresponsive { state.silentCalls.append(task) }
        }
    }

    /// Checks that a purchase is the one that its call has asked for. StoreKit may answer with an earlier purchase.
    private func check(_ purchase: StorePurchase, _ product: String, _ quantity: Int) {
        let isEarlier = purchase.isPreexisting || purchase.transaction.state != .purchased
        guard purchase.productID != product || purchase.quantity != quantity && !isEarlier else { return }
        journal.violate(
            .answersItsCall, product, "\(purchase.productID)×\(purchase.quantity) answered \(product)×\(quantity)")
    }

    func restore(_ random: inout ScheduleGenerator) {
        guard let store else { return }
        let closure = random.chance(60) ? SoakManner(&random) : nil
        let call = journal.beginCall("restore\(closure == nil ? "" : " with a closure")")
        let choice = Int.random(in: 0..<100, using: &random)
        let task = Task {
            if let closure {
                await self.delivering(by: .closure(call: call), closure) { deliver in
                    _ = try? await store.restore(deliver: deliver)
                }
            } else if let outcome = try? await store.restore() {
                for purchase in outcome.purchases {
                    await self.handle(purchase, by: .caller(call: call), .delivers, choice: choice)
                }
            }
            self.journal.endCall(call)
        }
        change { $0.calls.append(task) }
    }

    /// Starts a loop over the transactions. It subscribes by a handler, which sees when the store offers a purchase.
    func startLoop(_ loop: SoakLoop) {
        guard let core = store?.core else { return }
        let id = journal.newLoop()
        let (stream, continuation) = AsyncStream.makeStream(of: StorePurchase.self)
        let offer = { @Sendable [journal, weak core] (record: PurchaseRecord) in
            journal.offer(record, to: id)
            if let core { continuation.yield(StorePurchase(record, owner: core)) }
        }
        let subscription = core.listen(offer, EventSubscription.purchases)
        var random = ScheduleGenerator(seed: seed &* 1_000 &+ 500 &+ UInt64(id))
        let task = Task {
            var count = 0
            for await purchase in stream {
                await handle(purchase, by: .loop(id), loop, choice: Int.random(in: 0..<100, using: &random))
                count += 1
                if !journal.isCalm, let limit = loop.limit, count >= limit { break }
            }
            subscription.cancel()
        }
        change { $0.loops.append(task) }
    }

    /// Installs a delivery that accepts, rejects, or asks to be called again.
    func installDelivery() {
        let attempts = Locked<[String: Int]>([:])
        store?.setDelivery { request in
            for purchase in request.purchases { self.journal.begin(purchase, by: .delivery) }
            let key = request.purchases.first?.deliveryKey ?? ""
            let attempt = attempts.withLock { attempts in
                attempts[key, default: 0] += 1
                return attempts[key, default: 0]
            }
            var random = ScheduleGenerator(seed: self.seed ^ (UInt64(key) ?? 0) &+ UInt64(attempt))
            let yields = Int.random(in: 0...20, using: &random)
            let choice = Int.random(in: 0..<100, using: &random)
            for _ in 0..<yields { await Task.yield() }
            let retries = choice < 25 && !self.journal.isCalm
            for purchase in request.purchases { self.journal.end(purchase, by: .delivery, succeeded: !retries) }
            if retries { return choice < 10 ? .retryLater(after: Double(choice)) : .retryLater }
            return choice < 32 ? .rejected(reason: "The product is no longer for sale.") : .accepted
        }
    }

    /// Makes a call with a closure that delivers. Its deliveries are recorded once the call has ended in a task that
    /// isn't canceled.
    private func delivering(
        by deliverer: SoakJournal.Deliverer, _ manner: SoakManner,
        _ call: ((StorePurchase) async throws -> Void) async -> Void
    ) async {
        var delivered: [StorePurchase] = []
        await call { purchase in
            journal.begin(purchase, by: deliverer)
            let succeeds = await passes(manner)
            journal.end(purchase, by: deliverer, succeeded: succeeds && !Task.isCancelled)
            if !succeeds { throw NotDelivered() }
            delivered.append(purchase)
        }
        if !Task.isCancelled { delivered.forEach(journal.confirm) }
    }

    /// Handles a purchase as an app does: delivers and finishes it, releases it, or drops it.
    private func handle(
        _ purchase: StorePurchase, by deliverer: SoakJournal.Deliverer, _ loop: SoakLoop, choice: Int
    ) async {
        guard !purchase.isHandledElsewhere else { return }
        if !journal.isCalm {
            if choice < loop.ignores { return }
            if choice < loop.ignores + loop.releases {
                journal.release(purchase, by: deliverer)
                return await purchase.retryDelivery()
            }
        }
        journal.begin(purchase, by: deliverer)
        let succeeds = await passes(loop.manner)
        journal.end(purchase, by: deliverer, succeeded: succeeds)
        guard succeeds else { return }
        await purchase.finish()
        journal.confirm(purchase)
    }

    private func handle(
        _ purchase: StorePurchase, by deliverer: SoakJournal.Deliverer, _ manner: SoakManner, choice: Int
    ) async {
        let caller = SoakLoop(manner: manner, limit: nil, ignores: 15, releases: 10)
        await handle(purchase, by: deliverer, caller, choice: choice)
    }

    /// Takes the time of a delivery, and returns whether it succeeds.
    private func passes(_ manner: SoakManner) async -> Bool {
        switch manner {
        case .delivers:
            await Task.yield()
            return true
        case .isSlow(let yields):
            for _ in 0..<yields { await Task.yield() }
            return true
        case .isHeld:
            let gate = Gate()
            change { $0.gates.append(gate) }
            // The calm phase opens the gates that exist, and no later ones.
            if journal.isCalm { gate.open() }
            await gate.pass()
            return true
        case .fails:
            await Task.yield()
            return journal.isCalm
        case .heedsCancellation(let yields):
            for _ in 0..<yields { await Task.yield() }
            return !Task.isCancelled || journal.isCalm
        }
    }
}
