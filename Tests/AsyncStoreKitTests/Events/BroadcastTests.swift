import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct BroadcastTests {
    private func subscriber(_ heard: Recorder<Int>) -> Subscriber<Int> {
        Subscriber(send: { heard.record($0) })
    }

    @Test func `every subscriber receives every event, in order`() {
        var broadcast = Broadcast<Int>()
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        broadcast.subscribe(CallID(), subscriber(first))
        broadcast.subscribe(CallID(), subscriber(second))
        for event in 1...3 { broadcast.send(event) }
        expectEqual(first.elements, [1, 2, 3])
        expectEqual(second.elements, first.elements)
    }

    @Test func `outstanding elements arrive first, and only at the new subscriber`() {
        var broadcast = Broadcast<Int>()
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        broadcast.subscribe(CallID(), subscriber(first))
        broadcast.subscribe(CallID(), subscriber(second), outstanding: [7, 8])
        broadcast.send(9)
        expectEqual(first.elements, [9])
        expectEqual(second.elements, [7, 8, 9])
    }

    @Test func `nothing arrives after unsubscribing`() {
        var broadcast = Broadcast<Int>()
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        let id = CallID()
        broadcast.subscribe(id, subscriber(first))
        broadcast.subscribe(CallID(), subscriber(second))
        broadcast.unsubscribe(id)
        broadcast.unsubscribe(id)
        broadcast.send(1)
        #expect(first.elements.isEmpty)
        expectEqual(second.elements, [1])
    }

    @Test func `a broadcast without subscribers is empty`() {
        var broadcast = Broadcast<Int>()
        #expect(broadcast.isEmpty)
        let id = CallID()
        broadcast.subscribe(id, subscriber(Recorder()))
        #expect(!broadcast.isEmpty)
        broadcast.unsubscribe(id)
        #expect(broadcast.isEmpty)
    }
}

// Events without a subscriber.
extension BroadcastTests {
    @Test func `an event without a subscriber is lost, unless the broadcast keeps a backlog`() {
        for keepsBacklog in [false, true] {
            var broadcast = Broadcast<Int>(keepsBacklog: keepsBacklog)
            broadcast.send(1)
            broadcast.send(2)
            expectEqual(remembered(by: broadcast), (keepsBacklog ? 2 : 0))
            let heard = Recorder<Int>()
            broadcast.subscribe(CallID(), subscriber(heard))
            broadcast.send(3)
            expectEqual(heard.elements, (keepsBacklog ? [1, 2, 3] : [3]))
        }
    }

    @Test func `only the first subscriber receives the backlog, before the outstanding elements`() {
        var broadcast = Broadcast<Int>(keepsBacklog: true)
        broadcast.send(1)
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        broadcast.subscribe(CallID(), subscriber(first), outstanding: [2])
        broadcast.subscribe(CallID(), subscriber(second))
        expectEqual(first.elements, [1, 2])
        #expect(second.elements.isEmpty)
    }

    @Test func `a new backlog begins when the last subscriber has left`() {
        var broadcast = Broadcast<Int>(keepsBacklog: true)
        let id = CallID()
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        broadcast.subscribe(id, subscriber(first))
        broadcast.send(1)
        broadcast.unsubscribe(id)
        broadcast.send(2)
        broadcast.subscribe(CallID(), subscriber(second))
        expectEqual(first.elements, [1])
        expectEqual(second.elements, [2])
    }

    @Test func `an event that was delivered in another way isn't kept, but is sent to subscribers`() {
        var broadcast = Broadcast<Int>(keepsBacklog: true)
        broadcast.send(1, wasDelivered: true)
        let heard = Recorder<Int>()
        broadcast.subscribe(CallID(), subscriber(heard))
        broadcast.send(2, wasDelivered: true)
        expectEqual(heard.elements, [2])
    }
}
