import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The retries of an installed delivery that has failed for some purchases, or for all.
@Suite(.bounded) struct StoreRetryTests {
    @Test func `ten restores of the same purchases leave one retry for each`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        for tap: UInt64 in 0..<10 {
            let restore = CallID()
            store.restoreStarted(restore, .init(applicationUsername: nil, style: .plain))
            let rows = (1...3).map { (number: UInt64) in
                var row = StoreTransaction.entry(tap * 3 + number, .restored, of: "pro \(number)")
                row.report.original = StoreTransaction.Original(id: "original \(number)", purchaseDate: nil)
                return row
            }
            _ = store.transactionsReported(rows, during: .awaited(restore))
            store.restoreEnded((.awaited(restore), rows), failure: nil)
            let delivery = try #require(store.perform().deliveries.first, "a restore is sent at once")
            store.deliveryEnded(delivery.job.id, .retryLater)
            expectEqual(store.perform().deliveries.count, 0)
        }
        expectEqual(store.diagnostics(isRestoring: false).pendingRetries, 3)
        let retry = try #require(store.fire(.deliveryRetry, at: .seconds(1)).deliveries.first)
        expectEqual(retry.records.count, 3)
        store.deliveryEnded(retry.job.id, .accepted)
        expectEqual(Set(store.perform().finished).count, 30, "every copy is finished")
        expectEqual(store.diagnostics(isRestoring: false).held, [])
    }

    @Test func `every way in which a delivery ends is reported`() throws {
        /// Returns the ends of a purchase whose first delivery has failed.
        func ends(_ end: (inout StoreStateMachine, StoreTransaction) throws -> Void) throws -> [String] {
            var store = StoreStateMachine()
            store.deliveryInstalled()
            let purchase = StoreTransaction.entry(1, .purchased)
            let delivery = try #require(store.report(purchase).deliveries.first)
            store.deliveryEnded(delivery.job.id, .retryLater)
            expectEqual(store.ledger.takeDeliveryEnds().count, 0)
            try end(&store, purchase)
            return store.ledger.takeDeliveryEnds().map { "\($0.productID) \($0.isDelivered)" }
        }
        for (decision, result) in [(DeliveryDecision.accepted, "coins true"), (.rejected(reason: ""), "coins false")] {
            expectEqual(
                try ends { store, _ in
                    let retry = try #require(store.fire(.deliveryRetry, at: .seconds(1)).deliveries.first)
                    store.deliveryEnded(retry.job.id, decision)
                }, [result])
        }
        expectEqual(
            try ends { store, _ in
                // The end of another purchase of the product isn't this one's.
                let other = try #require(store.report(.entry(2, .purchased)).deliveries.first)
                store.deliveryEnded(other.job.id, .accepted)
            }, [])
        expectEqual(try ends { store, purchase in store.remove([purchase.token]) }, ["coins false"])
        expectEqual(try ends { store, purchase in _ = store.finish(purchase.token) }, ["coins true"])
        expectEqual(
            try ends { store, purchase in
                let restore = CallID()
                store.restoreStarted(restore, .init(applicationUsername: nil, style: .closure))
                _ = store.restoredReported([purchase], during: .awaited(restore))
                store.restoreEnded((.awaited(restore), [purchase]), failure: nil)
                store.closureEnded([purchase.token], delivered: true)
            }, ["coins true"])
    }

    @Test func `a purchase that has left the queue doesn't use up the attempt that a customer asks for`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let purchases: [StoreTransaction] = [.entry(1, .purchased), .entry(2, .purchased)]
        _ = store.transactionsReported(purchases)
        for delivery in store.perform().deliveries { store.deliveryEnded(delivery.job.id, .retryLater) }
        store.remove([purchases[0].token])
        store.retryDeliveriesNow()
        expectEqual(store.perform().deliveries.flatMap(\.records).map(\.transaction.token), [purchases[1].token])
    }

    @Test func `an attempt that fails after the app has finished the purchase has no consequences`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let purchase = StoreTransaction.entry(1, .purchased)
        let delivery = try #require(store.report(purchase).deliveries.first)
        _ = store.finish(purchase.token)
        store.deliveryEnded(delivery.job.id, .retryLater)
        expectEqual(store.perform().failures.count, 0)
        expectEqual(store.diagnostics(isRestoring: false).pendingRetries, 0)
        #expect(store.deliveries.health.pause == nil)
    }

    @Test func `a hundred returns in five minutes add one request a minute`() {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        _ = store.transactionsReported((1...20).map { .entry($0, .purchased, of: "coins \($0)") })
        var requests = 0
        func fail(_ actions: [StoreAction]) {
            requests += actions.deliveries.count
            for delivery in actions.deliveries { store.deliveryEnded(delivery.job.id, .retryLater) }
        }
        func failAll() {
            var actions = store.perform()
            while !actions.deliveries.isEmpty {
                fail(actions)
                actions = store.perform()
            }
        }
        failAll()
        requests = 0
        for switching in 0..<100 {
            store.now = .seconds(0.1 + Double(switching) * 3)
            store.refreshPendingState()
            failAll()
        }
        // Five after the pauses of 1, 4, 16, 64 and 256 seconds, and five because of the returns.
        expectEqual(requests, 10)
    }

    @Test func `an outage has a line in the log for the first, second, fourth and eighth failure`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        var delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
        var warnings: [Int] = []
        for failure in 1...10 {
            store.deliveryEnded(
                delivery.job.id, .retryLater,
                because: ["paid-11": DeliveryAnswer(status: 503, summary: "HTTP 503, no content type")])
            let logged = store.perform().logged
            expectEqual(logged.count, 1)
            #expect(
                logged[0].message.hasPrefix(
                    "The purchase of \"coins\" (transaction paid-11) couldn't be delivered: attempt \(failure) failed "
                        + "(HTTP 503, no content type), the next is in "))
            if logged[0].level == .warning { warnings.append(failure) }
            delivery = try #require(store.fire(.deliveryRetry, at: store.now + 3_600).deliveries.first)
        }
        expectEqual(warnings, [1, 2, 4, 8])
    }

    /// Plays a day in which each purchase gets the same response. Returns the number of requests, and of warnings.
    private func day(
        of purchases: ClosedRange<UInt64>, _ respond: (String) -> (DeliveryDecision, DeliveryAnswer)
    ) -> (requests: [String: Int], warnings: Int) {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        var requests: [String: Int] = [:]
        var warnings = 0
        func answer(_ actions: [StoreAction]) {
            var actions = actions
            while !actions.isEmpty {
                warnings += actions.logged.count { $0.level == .warning }
                for delivery in actions.deliveries {
                    let key = delivery.records[0].transaction.deliveryKey
                    let (decision, answer) = respond(key)
                    if answer.evidence != .nothingSent { requests[key, default: 0] += 1 }
                    store.deliveryEnded(delivery.job.id, decision, because: [key: answer])
                }
                actions = store.perform()
            }
        }
        _ = store.transactionsReported(purchases.map { .entry($0, .purchased, of: "coins \($0)") })
        answer(store.perform())
        while let next = store.timers[.deliveryRetry], next < .seconds(86_400) {
            answer(store.fire(.deliveryRetry, at: next))
        }
        return (requests, warnings)
    }

    @Test func `a purchase that isn't sent says nothing about a server that is down`() {
        let outage = (DeliveryDecision.retryLater(after: nil), DeliveryAnswer(summary: "no response"))
        let alone = day(of: 1...1) { _ in outage }
        let beside = day(of: 1...2) { key in
            guard key == "paid-2" else { return outage }
            return (.retryLater(after: 3_600), DeliveryAnswer(evidence: .nothingSent, summary: "another account"))
        }
        #expect(alone.requests.values.reduce(0, +) <= 40)
        #expect(beside.requests.values.reduce(0, +) <= alone.requests.values.reduce(0, +) + 1, "\(beside)")
        #expect(beside.warnings <= alone.warnings, "\(beside.warnings)")
    }

    @Test(arguments: [200, 413])
    func `a server that postpones a hundred purchases is asked as rarely as for one`(status: Int) {
        func requests(_ count: UInt64) -> Int {
            let answer = DeliveryAnswer(status: status, evidence: .working, summary: "HTTP \(status)")
            return day(of: 1...count) { _ in (.retryLater, answer) }.requests.values.reduce(0, +)
        }
        let one = requests(1)
        #expect((25...40).contains(one), "\(one)")
        #expect(requests(100) <= 2 * one + 10, "\(requests(100))")
    }

    @Test func `a decision for each purchase finishes some of a restore, and tries only the others again`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let restore = CallID()
        store.restoreStarted(restore, .init(applicationUsername: nil, style: .plain))
        let rows = [1, 2, 4, 3].map { StoreTransaction.entry($0, .restored, of: "pro \($0)") }
        _ = store.transactionsReported(rows, during: .awaited(restore))
        store.restoreEnded((.awaited(restore), rows), failure: nil)
        let delivery = try #require(store.perform().deliveries.first)
        let answer = DeliveryAnswer(status: 200, evidence: .working, summary: "HTTP 200")
        var answers = Dictionary(uniqueKeysWithValues: rows.map { ($0.deliveryKey, answer) })
        answers["paid-4"] = DeliveryAnswer(status: 503, summary: "HTTP 503")
        store.deliveryEnded(
            delivery.job.id,
            .each([
                "paid-1": .accepted, "paid-2": .rejected(reason: "No."),
                "paid-3": .retryLater(after: 60, reason: "Later."),
            ]),
            because: answers)
        let ended = store.perform()
        expectEqual(Set(ended.finished), [.entry(1), .entry(2)])
        expectEqual(ended.offered.map(\.transaction.token), [.entry(1)])
        expectEqual(ended.offered.map(\.isHandledElsewhere), [true])
        expectEqual(ended.failures.map(\.error.code), [.deliveryRejected, .deliveryPending])
        let errors = ended.compactMap { action -> StoreError? in
            if case .respondToRestore(restore, .failure(let error)) = action { error } else { nil }
        }
        expectEqual(errors.map(\.code), [.deliveryPending])
        #expect(errors.first?.underlying == nil, "a postponed purchase answers, although another has failed")
        expectEqual(ended.logged.filter { $0.message.contains("HTTP 503") }.count, 1)
        expectEqual(store.diagnostics(isRestoring: false).pendingRetries, 2)
        store.retryDeliveriesNow()
        let again = store.perform().deliveries
        expectEqual(again.map { $0.records.map(\.transaction.token) }, [[.entry(4)]], "one purchase probes the server")
        expectEqual(again.first?.job.lastAnswer?.status, 503)
        store.deliveryEnded(try #require(again.first).job.id, .accepted)
        let last = store.perform().deliveries
        expectEqual(last.map { $0.records.map(\.transaction.token) }, [[.entry(3)]])
    }

    /// Restores four purchases with an installed delivery, and returns the answer of the call.
    private func restoreAnswer(
        _ decisions: [DeliveryDecision], heldBack: Set<String> = []
    ) throws -> Result<[TransactionToken], StoreError>? {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let restore = CallID()
        store.restoreStarted(restore, .init(applicationUsername: nil, style: .plain))
        let rows = (1...UInt64(decisions.count)).map { StoreTransaction.entry($0, .restored, of: "pro \($0)") }
        _ = store.transactionsReported(rows, during: .awaited(restore))
        store.restoreEnded((.awaited(restore), rows), failure: nil)
        let delivery = try #require(store.perform().deliveries.first)
        let answer = DeliveryAnswer(status: 200, evidence: .working, summary: "HTTP 200")
        var answers = Dictionary(uniqueKeysWithValues: rows.map { ($0.deliveryKey, answer) })
        for key in heldBack { answers[key] = DeliveryAnswer(evidence: .nothingSent, summary: "another account") }
        let byKey = Dictionary(uniqueKeysWithValues: zip(rows.map(\.deliveryKey), decisions))
        store.deliveryEnded(delivery.job.id, .each(byKey), because: answers)
        for case .respondToRestore(restore, let result) in store.perform() {
            return result.map { $0.records.map(\.transaction.token) }
        }
        return nil
    }

    @Test func `purchases that are held back or rejected neither fail a restore nor belong to its outcome`() throws {
        let rejected = DeliveryDecision.rejected(reason: "No.")
        let later = DeliveryDecision.retryLater(after: 3_600)
        let mixed = try restoreAnswer([later, .accepted, rejected, .accepted], heldBack: ["paid-1"])
        expectEqual(mixed, .success([.entry(2), .entry(4)]))
        expectEqual(try restoreAnswer([later, later], heldBack: ["paid-1", "paid-2"]), .success([]))
        let pending = try restoreAnswer([later, .accepted, later], heldBack: ["paid-1"])
        expectError(\StoreError.code, .deliveryPending) { try pending?.get() }
        let none = try restoreAnswer([later, rejected], heldBack: ["paid-1"])
        expectEqual(none, .failure(StoreError(.deliveryRejected, "No.")))
    }
}
