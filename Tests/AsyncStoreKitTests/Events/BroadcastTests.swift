import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct BroadcastTests {
    private enum Heard: Equatable, Sendable {
        case event(Int)
        case end
    }

    private func subscriber(_ heard: Recorder<Heard>) -> Subscriber<Int> {
        Subscriber(send: { heard.record(.event($0)) }, finish: { heard.record(.end) })
    }

    @Test func `every subscriber hears every event, in order`() {
        var broadcast = Broadcast<Int>()
        let (first, second) = (Recorder<Heard>(), Recorder<Heard>())
        broadcast.subscribe(CallID(), subscriber(first), outstanding: [])
        broadcast.subscribe(CallID(), subscriber(second), outstanding: [])
        for event in 1...3 { broadcast.send(event) }
        #expect(first.elements == [.event(1), .event(2), .event(3)])
        #expect(second.elements == first.elements)
    }

    @Test func `what is outstanding comes first, and to the new subscriber only`() {
        var broadcast = Broadcast<Int>()
        let (first, second) = (Recorder<Heard>(), Recorder<Heard>())
        broadcast.subscribe(CallID(), subscriber(first), outstanding: [])
        broadcast.subscribe(CallID(), subscriber(second), outstanding: [7, 8])
        broadcast.send(9)
        #expect(first.elements == [.event(9)])
        #expect(second.elements == [.event(7), .event(8), .event(9)])
    }

    @Test func `whoever has unsubscribed hears nothing more, not even the end`() {
        var broadcast = Broadcast<Int>()
        let (first, second) = (Recorder<Heard>(), Recorder<Heard>())
        let id = CallID()
        broadcast.subscribe(id, subscriber(first), outstanding: [])
        broadcast.subscribe(CallID(), subscriber(second), outstanding: [])
        broadcast.unsubscribe(id)
        broadcast.unsubscribe(id)
        broadcast.send(1)
        broadcast.finish()
        #expect(first.elements.isEmpty)
        #expect(second.elements == [.event(1), .end])
    }

    @Test func `the end is told once, and nothing after it`() {
        var broadcast = Broadcast<Int>()
        let heard = Recorder<Heard>()
        broadcast.subscribe(CallID(), subscriber(heard), outstanding: [])
        broadcast.finish()
        broadcast.send(1)
        broadcast.finish()
        #expect(heard.elements == [.end])
        #expect(remembered(by: broadcast) == 0)
    }

    @Test func `it is empty without subscribers`() {
        var broadcast = Broadcast<Int>()
        #expect(broadcast.isEmpty)
        let id = CallID()
        broadcast.subscribe(id, subscriber(Recorder()), outstanding: [])
        #expect(!broadcast.isEmpty)
        broadcast.unsubscribe(id)
        #expect(broadcast.isEmpty)
    }
}
