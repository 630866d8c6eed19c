import AppStoreSimulator
import TestHarness
import Testing

@Suite(.bounded) struct ProtectedTests {
    private struct Refusal: Error, Equatable {}

    @Test func `changes from many threads are all kept`() async {
        let counter = Protected(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { counter.withLock { $0 += 1 } } }
            }
        }
        expectEqual(counter.current, 80_000)
    }

    @Test func `a closure that throws leaves the lock free, and keeps its changes`() {
        let value = Protected(1)
        #expect(throws: Refusal()) {
            try value.withLock { value in
                value = 2
                throw Refusal()
            }
        }
        expectEqual(value.current, 2)
    }
}
