import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct StoreExplorationTests {
    typealias Alphabet = StoreModel.Alphabet

    @Test func `payments, their answers, silence and cancellations`() async {
        var alphabet = Alphabet()
        alphabet.purchases = [.init(), .init(product: "gems", style: .closure), .init()]
        alphabet.cancels = true
        alphabet.outcomes = [.purchased, .deferred]
        alphabet.finishes = false
        alphabet.ticks = 2
        await explore("StoreStateMachine, payments", StoreModel(alphabet), depth: 7)
    }

    @Test func `one payment, and every event of a queue for its entry`() async {
        var alphabet = Alphabet()
        alphabet.purchases = [.init(timeout: 60), .init()]
        alphabet.reportsPurchasing = true
        alphabet.outcomes = [.purchased, .failed]
        alphabet.duplicates = 1
        alphabet.removals = 1
        alphabet.ticks = 1
        await explore("StoreStateMachine, entries", StoreModel(alphabet), depth: 8)
    }

    @Test func `installed deliveries and closures that succeed, fail and are tried again`() async {
        var alphabet = Alphabet()
        alphabet.purchases = [.init(), .init(product: "gems", style: .closure)]
        alphabet.cancels = true
        alphabet.renewals = 1
        alphabet.installs = true
        alphabet.decisions = [.accepted, .rejected(reason: "No."), .retryLater]
        alphabet.closuresThrow = true
        alphabet.releases = true
        alphabet.ticks = 2
        await explore("StoreStateMachine, deliveries", StoreModel(alphabet), depth: 6)
    }

    @Test func `restores beside a payment for an owned product`() async {
        var alphabet = Alphabet()
        alphabet.purchases = [.init(product: "pro")]
        alphabet.cancels = true
        alphabet.outcomes = [.restored]
        alphabet.restores = [.plain, .closure]
        alphabet.rows = 2
        alphabet.restoreFails = true
        alphabet.installs = true
        await explore("StoreStateMachine with RestoreStateMachine", StoreModel(alphabet), depth: 6)
    }

    @Test func `lists that lack transactions or are out of date, during deliveries and after them`() async {
        var alphabet = Alphabet()
        alphabet.purchases = [.init(style: .closure)]
        alphabet.cancels = true
        alphabet.renewals = 1
        alphabet.lists = 3
        alphabet.installs = true
        alphabet.decisions = [.accepted, .retryLater]
        alphabet.closuresThrow = true
        await explore("StoreStateMachine, lists", StoreModel(alphabet), depth: 7)
    }

    @Test func `restores of purchases that are being delivered`() async {
        var alphabet = Alphabet()
        alphabet.purchases = [.init(style: .closure)]
        alphabet.cancels = true
        alphabet.renewals = 1
        alphabet.lists = 1
        alphabet.restores = [.closure, .plain]
        alphabet.restoresEntries = true
        alphabet.restoreFails = true
        alphabet.installs = true
        alphabet.decisions = [.accepted, .retryLater]
        alphabet.closuresThrow = true
        await explore("StoreStateMachine, restores of entries", StoreModel(alphabet), depth: 5)
    }

    @Test func `restores that stop waiting for a running delivery`() async {
        var alphabet = Alphabet()
        alphabet.purchases = [.init(product: "pro", style: .closure)]
        alphabet.outcomes = [.restored]
        alphabet.restores = [.closure]
        alphabet.rows = 1
        alphabet.closuresThrow = true
        alphabet.ticks = 1
        await explore("StoreStateMachine, restores during a delivery", StoreModel(alphabet), depth: 8)
    }
}
