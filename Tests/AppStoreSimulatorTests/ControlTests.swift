import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ControlTests {
    private let store = SimulatedAppStore.stepped()
    private let observer = RecordingObserver()
    private let launch: SimulatedLaunch

    init() {
        launch = store.launch()
        launch.add(observer)
    }

    private func buy(_ products: String...) {
        for product in products { launch.add(SimulatedPayment(productID: product)) }
        store.runUntilIdle()
        observer.forget()
    }

    @Test func `a purchase is approved by its product, the oldest first`() throws {
        store.behavior.askToBuyEnabled = true
        buy("coins", "pro", "coins")
        let waiting = store.allTransactions().filter { $0.productID == "coins" }.map(\.id)
        try store.approvePurchase(of: "coins")
        store.runUntilIdle()
        expectEqual(observer.updates.map(\.id), [waiting[0]])
        expectEqual(observer.states, [.purchased])
        try store.approvePurchase(of: "coins")
        store.runUntilIdle()
        expectEqual(observer.updates.map(\.id), waiting)
        #expect(throws: SimulatorError(.notAwaitingApproval, "No purchase of \"coins\" waits for an approval.")) {
            try store.approvePurchase(of: "coins")
        }
    }

    @Test func `a purchase is declined by its product`() throws {
        store.setNextPurchaseOutcome(.deferred, for: "pro")
        buy("coins", "pro")
        #expect(throws: SimulatorError.self) { try store.declinePurchase(of: "coins") }
        try store.declinePurchase(of: "pro")
        store.runUntilIdle()
        expectEqual(observer.log, ["updated pro:failed"])
        expectEqual(observer.updates.last?.error, .paymentCancelled)
    }

    @Test func `an interrupted purchase is resolved by its product`() throws {
        store.behavior.interruptedPurchasesEnabled = true
        buy("coins", "pro")
        try store.resolvePurchase(of: "pro")
        store.runUntilIdle()
        expectEqual(observer.log, ["updated pro:purchased"])
        #expect(throws: SimulatorError.self) { try store.resolvePurchase(of: "pro") }
    }

    @Test func `the billing issue of a subscription is resolved by its product`() throws {
        buy("monthly")
        #expect(throws: SimulatorError.self) { try store.resolvePurchase(of: "monthly") }
        #expect(throws: SimulatorError(.noIssue, "The subscription to \"monthly\" has no billing issue.")) {
            try store.resolveBillingIssue(of: "monthly")
        }
        store.behavior.shouldEnterBillingRetryOnRenewal = true
        store.advance(by: .days(40))
        #expect(throws: SimulatorError.self) { try store.resolvePurchase(of: "premium") }
        #expect(throws: SimulatorError.self) { try store.resolveBillingIssue(of: "premium") }
        try store.resolvePurchase(of: "monthly")
        store.runUntilIdle()
        expectEqual(observer.log, ["updated monthly:purchased"])
    }

    @Test func `outcomes of purchases are set one after another`() {
        store.setNextPurchaseOutcome(.userCancelled)
        store.setNextPurchaseOutcome(.failed(.paymentInvalid))
        for _ in 0..<3 { launch.add(SimulatedPayment(productID: "coins")) }
        store.runUntilIdle()
        let ends = observer.updates.filter { $0.state != .purchasing }
        expectEqual(ends.map(\.state), [.failed, .failed, .purchased])
        expectEqual(ends.map(\.error), [.paymentCancelled, .paymentInvalid, nil])
    }

    @Test func `a behavior is described by what differs from the default`() {
        var behavior = SimulatorBehavior()
        expectEqual("\(behavior)", "SimulatorBehavior()")
        behavior.isOffline = true
        behavior.listingLag = 2
        behavior.receiptRefreshError = .unknown
        #expect("\(behavior)".hasPrefix("SimulatorBehavior(isOffline: true, receiptRefreshError: Optional("))
        #expect("\(behavior)".hasSuffix("), listingLag: 2.0)"))
        expectEqual("\(SimulatorBehavior.demanding)", "SimulatorBehavior.demanding")
    }

    @Test func `purchases, restores and requests fail offline`() {
        let offline = SimulatedAppStore.stepped { $0.isOffline = true }
        let launch = offline.launch()
        launch.add(observer)
        launch.pay(for: "coins")
        launch.restoreCompletedTransactions()
        let answers = OrderLog<SimulatedRequestEvent>()
        launch.productsRequest(["coins"]) { answers.append($0) }.start()
        launch.receiptRefreshRequest { answers.append($0) }.start()
        offline.runUntilIdle()
        expectEqual(observer.updates.last?.error, .notConnectedToInternet)
        #expect(observer.events.contains(.restoreFailed(.notConnectedToInternet)))
        expectEqual(answers.values, [.failed(.notConnectedToInternet), .failed(.notConnectedToInternet)])
        expectEqual(launch.receipt, nil)
        #expect(throws: SimulatedError.notConnectedToInternet) { try offline.verifyReceipt(Data()) }
    }

    @Test func `a download fails when the connection is lost, and can be started again`() throws {
        launch.buy("level")
        let id = try #require(observer.updates.last?.downloads.first?.id)
        launch.start([id])
        store.advance(by: 1.5)
        store.behavior.isOffline = true
        store.advance(by: 100)
        store.behavior.isOffline = false
        launch.start([id])
        store.pass(100)
        let states = observer.events.compactMap { event -> SimulatedDownload.State? in
            guard case .updatedDownloads(let downloads) = event else { return nil }
            return downloads.first?.state
        }
        #expect(states.contains(.failed))
        expectEqual(states.last, .finished)
    }

    @Test func `a launch reports its end once`() {
        let log = OrderLog<String>()
        launch.onEnd { log.append("ended") }
        #expect(log.values.isEmpty)
        let next = store.launch()
        expectEqual(log.values, ["ended"])
        launch.onEnd { log.append("had ended") }
        next.onEnd { log.append("the next has ended") }
        expectEqual(log.values, ["ended", "had ended"])
        _ = store.launch()
        expectEqual(log.values, ["ended", "had ended", "the next has ended"])
    }
}
