import AsyncStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct LockedTests {
    private struct Refusal: Error {}

    @Test func `changes from many threads are all kept`() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { counter.withLock { $0 += 1 } } }
            }
        }
        expectEqual(counter.withLock { $0 }, 80_000)
    }

    @Test func `the value of the closure is returned`() {
        let value = Locked([1, 2])
        expectEqual(value.withLock { $0.removeLast() }, 2)
        expectEqual(value.withLock { $0 }, [1])
    }

    @Test func `a closure that throws leaves the lock free, and keeps its changes`() {
        let value = Locked(1)
        #expect(throws: Refusal.self) {
            try value.withLock { value in
                value = 2
                throw Refusal()
            }
        }
        expectEqual(value.withLock { $0 }, 2)
    }

    @Test func `calls never share an identifier`() async {
        let ids = await withTaskGroup(of: [CallID].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<1_000).map { _ in CallID() } }
            }
            return await group.reduce(into: Set<CallID>()) { $0.formUnion($1) }
        }
        expectEqual(ids.count, 8_000)
    }
}
