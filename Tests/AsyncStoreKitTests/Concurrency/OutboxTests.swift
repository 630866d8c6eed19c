import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct OutboxTests {
    private struct State: Sendable {
        var outbox = Outbox<Int>()
        var handedOver: [Int] = []
        var active = 0
        var mostActive = 0
    }

    private let state = Locked(State())

    private func append(_ element: Int) { state.withLock { $0.outbox.append(element) } }

    private func handOver(then: (Int) -> Void = { _ in }) {
        state.handOver(from: \.outbox) { element in
            state.withLock { state in
                state.handedOver.append(element)
                state.active += 1
                state.mostActive = max(state.mostActive, state.active)
            }
            then(element)
            state.withLock { $0.active -= 1 }
        }
    }

    @Test func `an element that a receiver appends is handed over afterwards, by the same call`() {
        append(1)
        append(2)
        handOver { element in
            guard element < 10 else { return }
            append(element * 10)
            handOver()
        }
        expectEqual(state.withLock { $0.handedOver }, [1, 2, 10, 20])
        expectEqual(state.withLock { $0.mostActive }, 1)
        handOver()
        append(3)
        handOver()
        expectEqual(state.withLock { $0.handedOver }, [1, 2, 10, 20, 3])
    }

    @Test func `threads hand over every element once, one at a time and in order`() async {
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask { @Sendable in
                    for number in 0..<200 {
                        append(thread * 1_000 + number)
                        handOver()
                    }
                }
            }
        }
        let (handedOver, mostActive) = state.withLock { ($0.handedOver, $0.mostActive) }
        expectEqual(handedOver.count, 1_600)
        expectEqual(mostActive, 1)
        for thread in 0..<8 {
            let own = handedOver.filter { $0 / 1_000 == thread }
            expectEqual(own, own.sorted())
            expectEqual(own.count, 200)
        }
    }
}
