import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct BroadcastTests {
    /// A broadcast of numbers, and what each subscriber has received.
    private struct Sending {
        var broadcast = Broadcast<Int>()
        var calls = CallNames()
        var received = [String: Recorder<Int>]()

        mutating func perform(_ step: Script.Step) -> String? {
            switch step.verb {
            case "keepsBacklog": broadcast = Broadcast(keepsBacklog: true)
            case "subscribe":
                let recorder = Recorder<Int>()
                received[step[0]] = recorder
                let subscriber = Subscriber<Int>(send: { recorder.record($0) })
                broadcast.subscribe(calls.id(step[0]), subscriber, outstanding: step.arguments.compactMap { Int($0) })
            case "unsubscribe": broadcast.unsubscribe(calls.id(step[0]))
            case "send": broadcast.send(Int(step[0]) ?? 0, wasDelivered: step.has("delivered"))
            case "received": return Script.list((received[step[0]]?.elements ?? []).map { "\($0)" })
            case "isEmpty": return Script.answer(broadcast.isEmpty)
            case "remembered": return "\(TestHarness.remembered(by: broadcast))"
            default: return step.unknown
            }
            return nil
        }
    }

    static let scripts = [
        Script(
            "every subscriber receives every event, in order",
            "subscribe a, subscribe b, send 1, send 2, send 3, received a → 1 + 2 + 3, received b → 1 + 2 + 3"),
        Script(
            "outstanding elements arrive first, and only at the new subscriber",
            "subscribe a, subscribe b outstanding 7 8, send 9, received a → 9, received b → 7 + 8 + 9"),
        Script(
            "nothing arrives after unsubscribing",
            "subscribe a, subscribe b, unsubscribe a, unsubscribe a, send 1, received a → none, received b → 1"),
        Script(
            "a broadcast without subscribers is empty",
            "isEmpty → yes, subscribe a, isEmpty → no, unsubscribe a, isEmpty → yes"),
        // Events without a subscriber.
        Script(
            "an event without a subscriber is lost",
            "send 1, send 2, remembered → 0, subscribe a, send 3, received a → 3"),
        Script(
            "a broadcast with a backlog keeps events without a subscriber",
            "keepsBacklog, send 1, send 2, remembered → 2, subscribe a, send 3, received a → 1 + 2 + 3"),
        Script(
            "only the first subscriber receives the backlog, before the outstanding elements",
            "keepsBacklog, send 1, subscribe a outstanding 2, subscribe b, received a → 1 + 2, received b → none"),
        Script(
            "a new backlog begins when the last subscriber has left",
            """
            keepsBacklog, subscribe a, send 1, unsubscribe a, send 2, subscribe b
            received a → 1, received b → 2
            """),
        Script(
            "an event that was delivered in another way isn't kept, but is sent to subscribers",
            "keepsBacklog, send 1 delivered, subscribe a, send 2 delivered, received a → 2"),
    ]

    @Test func `a limited backlog has the newest events, and keeps few others`() {
        var broadcast = Broadcast<Int>(keepsBacklog: true, limit: 10)
        for number in 0..<1_000 { broadcast.send(number) }
        #expect(TestHarness.remembered(by: broadcast) <= 20)
        let received = Recorder<Int>()
        broadcast.subscribe(CallID(), Subscriber(send: { received.record($0) }))
        expectEqual(received.elements, Array(990..<1_000))
    }

    @Test(arguments: scripts) func `events reach their subscribers once`(script: Script) {
        var sending = Sending()
        script.play { sending.perform($0) }
    }
}
