import Dispatch
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct MachineHostTests {
    private let performed = Recorder<Int>()

    private func host() -> MachineHost<[Int], Int> {
        MachineHost([]) { [performed] in performed.record($0) }
    }

    @Test func `a change is made before its actions are performed, in order and by the calling thread`() {
        let host = MachineHost<[Int], Int>([])
        host.perform { [performed] action in
            performed.record(action)
            // The lock is free while an action is performed.
            expectEqual(host.withLock { $0 }, [1, 2])
        }
        host.update { state in
            state += [1, 2]
            return [10, 20]
        }
        expectEqual(performed.elements, [10, 20])
        host.perform(with: nil)
    }

    @Test func `actions of an action follow those that wait, and none is performed inside another`() {
        let host = MachineHost<[Int], Int>([])
        let active = Locked((now: 0, most: 0))
        host.perform { [performed] action in
            active.withLock { active in
                active.now += 1
                active.most = max(active.most, active.now)
            }
            performed.record(action)
            if action < 10 { host.update { _ in [action * 10, action * 10 + 1] } }
            active.withLock { $0.now -= 1 }
        }
        host.update { _ in [1, 2] }
        expectEqual(performed.elements, [1, 2, 10, 11, 20, 21])
        expectEqual(active.withLock { $0.most }, 1)
        host.update { _ in [30] }
        expectEqual(performed.elements.last, 30, "the host performs again")
        host.perform(with: nil)
    }

    @Test func `actions wait while nothing performs them`() {
        let host = MachineHost<[Int], Int>([])
        host.update { _ in [1] }
        host.update { _ in [2] }
        host.perform { [performed] in performed.record($0) }
        expectEqual(performed.elements, [1, 2])
        host.perform(with: nil)
        host.update { _ in [3] }
        expectEqual(performed.elements, [1, 2])
        host.perform { [performed] in performed.record(-$0) }
        expectEqual(performed.elements, [1, 2, -3])
    }

    @Test func `an action that removes the closure is the last one until there is another`() {
        let host = MachineHost<[Int], Int>([])
        host.perform { [performed] action in
            performed.record(action)
            if action == 1 { host.perform(with: nil) }
        }
        host.update { _ in [1, 2, 3] }
        expectEqual(performed.elements, [1])
        host.perform { [performed] in performed.record(-$0) }
        expectEqual(performed.elements, [1, -2, -3])
    }

    @Test func `a reading performs nothing, and throws what its closure throws`() {
        struct Refusal: Error {}
        let host = host()
        host.withLock { $0 = [5] }
        expectEqual(host.withLock { $0.removeLast() }, 5)
        #expect(throws: Refusal.self) { try host.withLock { _ in throw Refusal() } }
        #expect(performed.elements.isEmpty)
    }

    @Test func `a host that performs its actions itself keeps nothing`() {
        let host = host()
        for number in 0..<10 { host.update { _ in [number] } }
        expectEqual(performed.elements, Array(0..<10))
        final class Witness: Sendable {}
        weak let gone: Witness?
        do {
            let witness = Witness()
            let host = MachineHost<Void, Witness>(()) { _ in }
            host.update { _ in [witness] }
            gone = witness
            #expect(gone != nil)
            withExtendedLifetime(host) {}
        }
        #expect(gone == nil)
    }

    /// Uses a host when it's released.
    private final class LastUse: Sendable {
        private let host: MachineHost<Int, LastUse>

        init(of host: MachineHost<Int, LastUse>) {
            self.host = host
        }

        deinit { host.withLock { $0 += 1 } }
    }

    @Test func `actions may use the host when they are released`() {
        let host = MachineHost<Int, LastUse>(0) { _ in }
        host.update { _ in (0..<4).map { _ in LastUse(of: host) } }
        expectEqual(host.withLock { $0 }, 4)
    }

    @Test func `the closure that performs actions may use the host when it's released`() {
        let host = MachineHost<Int, LastUse>(0)
        do {
            let use = LastUse(of: host)
            host.perform { _ in withExtendedLifetime(use) {} }
        }
        expectEqual(host.withLock { $0 }, 0)
        host.perform(with: nil)
        expectEqual(host.withLock { $0 }, 1)
    }

    @Test func `a thread that changes the state doesn't wait for the action of another`() async {
        let (begun, ended) = (Gate(), Promise<Void>())
        let release = DispatchSemaphore(value: 0)
        let host = MachineHost<Int, Int>(0) { [performed] action in
            performed.record(action)
            guard action == 1 else { return }
            begun.open()
            _ = release.wait(timeout: .now() + 30)
        }
        DispatchQueue.global().async {
            host.update { _ in [1] }
            ended.fulfill(())
        }
        await begun.pass()
        host.update { _ in [2] }
        host.update { _ in [3] }
        expectEqual(performed.elements, [1])
        release.signal()
        await ended.value()
        expectEqual(performed.elements, [1, 2, 3])
    }

    @Test func `threads perform every action once, one at a time and in the order of the changes`() async {
        let log = Locked((active: 0, mostActive: 0, actions: [Int]()))
        let host = MachineHost<Int, Int>(0) { action in
            log.withLock { log in
                log.active += 1
                log.mostActive = max(log.mostActive, log.active)
            }
            log.withLock { log in
                log.actions.append(action)
                log.active -= 1
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        host.update { state in
                            state += 2
                            return [state - 1, state]
                        }
                    }
                }
            }
        }
        let (mostActive, actions) = log.withLock { ($0.mostActive, $0.actions) }
        expectEqual(mostActive, 1)
        expectEqual(actions, Array(1...3_200))
    }
}
