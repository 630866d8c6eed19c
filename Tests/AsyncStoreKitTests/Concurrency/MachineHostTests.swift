import Dispatch
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct MachineHostTests {
    private let performed = Recorder<Int>()
    private let host = MachineHost<[Int], Int>([])
    private let active = Locked((now: 0, most: 0))

    /// Records the action. An action below 10 causes two more.
    private func perform(_ action: Int) {
        active.withLock { active in
            active.now += 1
            active.most = max(active.most, active.now)
        }
        performed.record(action)
        if action < 10 { host.update({ _ in [action * 10, action * 10 + 1] }, perform: perform) }
        active.withLock { $0.now -= 1 }
    }

    @Test func `a change is made before its actions are performed, which happens in order and outside the lock`() {
        host.update { state in
            state += [1, 2]
            return [10, 20]
        } perform: { action in
            performed.record(action)
            expectEqual(host.withLock { $0 }, [1, 2])
        }
        expectEqual(performed.elements, [10, 20])
    }

    @Test func `actions of an action follow those that wait, and none is performed inside another`() {
        host.update({ _ in [1, 2] }, perform: perform)
        expectEqual(performed.elements, [1, 2, 10, 11, 20, 21])
        expectEqual(active.withLock { $0.most }, 1)
        host.update({ _ in [30] }, perform: perform)
        expectEqual(performed.elements.last, 30, "the host performs again")
    }

    @Test func `a reading performs nothing, and throws what its closure throws`() {
        struct Refusal: Error {}
        host.withLock { $0 = [5] }
        expectEqual(host.withLock { $0.popLast() }, 5)
        expectEqual(host.withLock { $0 }, [])
        #expect(throws: Refusal.self) { try host.withLock { _ in throw Refusal() } }
    }

    @Test func `actions may use the host when they are released`() {
        final class LastUse: Sendable {
            private let host: MachineHost<Int, LastUse>

            init(of host: MachineHost<Int, LastUse>) {
                self.host = host
            }

            deinit { host.withLock { $0 += 1 } }
        }
        let host = MachineHost<Int, LastUse>(0)
        host.update({ _ in (0..<4).map { _ in LastUse(of: host) } }, perform: { _ in })
        expectEqual(host.withLock { $0 }, 4)
    }

    @Test func `a thread that changes the state doesn't wait for the action of another`() async {
        let (begun, ended) = (Gate(), Promise<Void>())
        let release = DispatchSemaphore(value: 0)
        let perform: @Sendable (Int) -> Void = { [performed] action in
            performed.record(action)
            guard action == 1 else { return }
            begun.open()
            _ = release.wait(timeout: .now() + 30)
        }
        DispatchQueue.global().async { [host] in
            host.update({ _ in [1] }, perform: perform)
            ended.fulfill(())
        }
        await begun.pass()
        host.update({ _ in [2] }, perform: perform)
        host.update({ _ in [3] }, perform: perform)
        expectEqual(performed.elements, [1])
        release.signal()
        await ended.value()
        expectEqual(performed.elements, [1, 2, 3])
    }

    @Test func `threads perform every action once, one at a time and in the order of the changes`() async {
        let host = MachineHost<Int, Int>(10)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        host.update(
                            { state in
                                state += 2
                                return [state - 1, state]
                            }, perform: perform)
                    }
                }
            }
        }
        expectEqual(active.withLock { $0.most }, 1)
        expectEqual(performed.elements, Array(11...3_210))
    }
}
