import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct StoreEventsTests {
    private enum Heard: Equatable, Sendable {
        case event(String)
        case end
    }

    private static let failure = PurchaseFailure(
        transaction: .entry(1, .failed), error: StoreError(.unknown, "no reason"), pendingPurchase: nil)
    private let nothing = OutstandingPurchases(purchases: { [] }, batch: { [] }, pending: { [] })

    private func subscriber<Event>(_ heard: Recorder<Heard>, _ name: @escaping @Sendable (Event) -> String)
        -> Subscriber<Event>
    {
        Subscriber(send: { heard.record(.event(name($0))) }, finish: { heard.record(.end) })
    }

    private func record(_ serial: UInt64) -> PurchaseRecord {
        PurchaseRecord(transaction: .entry(serial, .purchased), cause: .unsolicited)
    }

    private func storefronts(_ id: CallID, _ heard: Recorder<Heard>) -> EventSubscription {
        EventSubscription(id, to: \.storefronts, subscriber(heard) { $0?.countryCode ?? "nowhere" })
    }

    private func revocations(_ heard: Recorder<Heard>) -> EventSubscription {
        EventSubscription(CallID(), to: \.revocations, subscriber(heard) { $0.productIDs.joined() })
    }

    @Test func `a subscriber receives one kind of event only`() {
        var events = StoreEvents()
        let (moves, removals) = (Recorder<Heard>(), Recorder<Heard>())
        events.subscribe(storefronts(CallID(), moves), nothing)
        events.subscribe(revocations(removals), nothing)
        events.storefronts.send(nil)
        events.revocations.send(PurchaseRevocation(productIDs: ["pro"]))
        expectEqual(moves.elements, [.event("nowhere")])
        expectEqual(removals.elements, [.event("pro")])
    }

    @Test func `after unsubscribing no event arrives, not even the end`() {
        var events = StoreEvents()
        let heard = Recorder<Heard>()
        let id = CallID()
        events.subscribe(storefronts(id, heard), nothing)
        events.unsubscribe(CallID())
        events.storefronts.send(nil)
        events.unsubscribe(id)
        events.unsubscribe(id)
        events.storefronts.send(nil)
        events.finish()
        expectEqual(heard.elements, [.event("nowhere")])
    }

    @Test func `every subscriber of every kind receives the end once, and nothing after it`() {
        var events = StoreEvents()
        let (moves, removals) = (Recorder<Heard>(), Recorder<Heard>())
        events.subscribe(storefronts(CallID(), moves), nothing)
        events.subscribe(revocations(removals), nothing)
        events.finish()
        events.storefronts.send(nil)
        events.finish()
        expectEqual(moves.elements, [.end])
        expectEqual(removals.elements, [.end])
        expectEqual(remembered(by: events), 0)
    }

    @Test func `a new subscriber to purchases first receives the unfinished ones, one by one`() {
        var events = StoreEvents()
        let heard = Recorder<Heard>()
        let outstanding = OutstandingPurchases(
            purchases: { [record(1), record(2)] }, batch: { [record(3)] }, pending: { [] })
        let subscriber: Subscriber<PurchaseRecord> = subscriber(heard) { "\($0.transaction.token.serial)" }
        events.subscribe(.purchases(CallID(), subscriber), outstanding)
        events.purchases.send(record(4))
        expectEqual(heard.elements, [.event("1"), .event("2"), .event("4")])
    }

    @Test func `a new subscriber to batches first receives the unfinished purchases, as one batch`() {
        var events = StoreEvents()
        let heard = Recorder<Heard>()
        let outstanding = OutstandingPurchases(
            purchases: { [record(1)] }, batch: { [record(2), record(3)] }, pending: { [] })
        events.subscribe(.batches(CallID(), batches(heard)), outstanding)
        events.send([.purchase(record(4)), .batchOnly(record(5))])
        expectEqual(heard.elements, [.event("2+3"), .event("4+5")])
    }

    private func batches(_ heard: Recorder<Heard>) -> Subscriber<[PurchaseRecord]> {
        subscriber(heard) { records in records.map { "\($0.transaction.token.serial)" }.joined(separator: "+") }
    }

    @Test func `reports are sent as one batch first, then one by one to the subscribers of their kind`() {
        var events = StoreEvents()
        let heard = Recorder<Heard>()
        events.subscribe(.batches(CallID(), batches(heard)), nothing)
        let purchases: Subscriber<PurchaseRecord> = subscriber(heard) { "\($0.transaction.token.serial)" }
        events.subscribe(.purchases(CallID(), purchases), nothing)
        let failures: Subscriber<PurchaseFailure> = subscriber(heard) { $0.error.message }
        events.subscribe(EventSubscription(CallID(), to: \.failures, failures), nothing)
        events.send([
            .purchase(record(1)), .batchOnly(record(2)), .failure(Self.failure, record(3)), .failure(Self.failure, nil),
        ])
        expectEqual(
            heard.elements,
            ["1+2+3", "1", "no reason", "no reason"].map { .event($0) })
        events.send([.failure(Self.failure, nil)])
        expectEqual(heard.elements.count, 5, "a failure that the queue didn't report is in no batch")
    }

    @Test func `a failure is kept for the first subscriber to failures, unless a batch contained it`() {
        for hasBatches in [false, true] {
            var events = StoreEvents()
            let heard = Recorder<Heard>()
            if hasBatches { events.subscribe(.batches(CallID(), batches(heard)), nothing) }
            events.send([.failure(Self.failure, record(3)), .failure(Self.failure, nil)])
            expectEqual(remembered(by: events.failures), hasBatches ? 1 : 2)
        }
    }

    @Test func `subscribers of purchases receive purchases, and subscribers of batches receive all reports`() {
        let reports: [StoreReport] = [.purchase(record(1)), .batchOnly(record(2)), .failure(Self.failure, record(3))]
        var events = StoreEvents()
        expectEqual(reports.map(events.isReceived), [false, false, false])
        let purchases = Subscriber<PurchaseRecord>(send: { _ in })
        events.subscribe(EventSubscription(CallID(), to: \.deliveryEnds, Subscriber(send: { _ in })), nothing)
        expectEqual(reports.map(events.isReceived), [false, false, false], "observers never deliver")
        events.subscribe(.purchases(CallID(), purchases), nothing)
        expectEqual(reports.map(events.isReceived), [true, false, false])
        events.subscribe(.batches(CallID(), Subscriber(send: { _ in })), nothing)
        expectEqual(reports.map(events.isReceived), [true, true, true])
    }

    @Test func `without outstanding purchases there is no empty batch, and other kinds of event have none`() {
        var events = StoreEvents()
        let heard = Recorder<Heard>()
        let subscriber: Subscriber<[PurchaseRecord]> = subscriber(heard) { "\($0.count)" }
        events.subscribe(.batches(CallID(), subscriber), nothing)
        let asked = Recorder<Int>()
        let watched = OutstandingPurchases(
            purchases: {
                asked.record(1)
                return [record(1)]
            },
            batch: {
                asked.record(2)
                return [record(2)]
            },
            pending: {
                asked.record(3)
                return []
            })
        events.subscribe(storefronts(CallID(), heard), watched)
        #expect(heard.elements.isEmpty)
        #expect(asked.elements.isEmpty)
    }

    @Test func `failures, revocations, messages and purchases from the App Store are kept for the first subscriber`() {
        var events = StoreEvents()
        events.failures.send(Self.failure)
        events.revocations.send(PurchaseRevocation(productIDs: ["pro"]))
        events.storefronts.send(nil)
        events.purchases.send(record(1))
        events.messages.send(StoreMessage(reason: .billingIssue))
        expectEqual(remembered(by: events.failures), 1)
        expectEqual(remembered(by: events.messages), 1)
        let (first, second) = (Recorder<Heard>(), Recorder<Heard>())
        events.subscribe(revocations(first), nothing)
        events.subscribe(revocations(second), nothing)
        let failures: Subscriber<PurchaseFailure> = subscriber(first) { $0.error.message }
        events.subscribe(EventSubscription(CallID(), to: \.failures, failures), nothing)
        events.subscribe(storefronts(CallID(), second), nothing)
        expectEqual(first.elements, [.event("pro"), .event("no reason")])
        #expect(second.elements.isEmpty, "the backlog was delivered, and storefronts have none")
    }
}
