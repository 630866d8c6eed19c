import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct SharedRequestsConcurrencyTests {
    /// The sets of keys that are being requested, and the number of requests that another one contained.
    private struct Asking: Sendable {
        var now: [Set<Int>] = []
        var repetitions = 0
    }

    private func keys(_ index: Int) -> Set<Int> {
        Set((0..<(index % 5 + 1)).map { (index &* 7 &+ $0 &* 13) % 50 })
    }

    @Test(arguments: [true, false])
    func `repeated calls are answered in their order, even if the next answer arrives at once`(succeeds: Bool)
        async throws
    {
        let requests = SharedRequests<Int, Int>(of: "numbers", timeout: 30, clock: SimulatedClock(), keepsAnswers: true)
        {
            keys throws(StoreError) in
            guard succeeds else { throw StoreError(.networkError, "no server") }
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, -$0) })
        }
        let answered = Recorder<Int>()
        let count = 5_000
        for call in 0..<count {
            requests.register(CallID(), [1], ignoringCache: true) { _ in answered.record(call) }
        }
        expectEqual(try await answered.first(count), Array(0..<count))
    }

    @Test(arguments: [true, false])
    func `of thousands of overlapping calls, none repeats a running request, and each gets all its keys`(
        keepsAnswers: Bool
    ) async throws {
        let asking = Locked(Asking())
        let requests = SharedRequests<Int, Int>(
            of: "numbers", timeout: 30, clock: SimulatedClock(), keepsAnswers: keepsAnswers
        ) { keys throws(StoreError) in
            asking.withLock { state in
                state.repetitions += state.now.count { $0 == keys }
                state.now.append(keys)
            }
            await Task.yield()
            asking.withLock { state in
                if let index = state.now.firstIndex(of: keys) { state.now.remove(at: index) }
            }
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, -$0) })
        }
        let complete = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<2_000 {
                group.addTask {
                    let wanted = keys(index)
                    guard let values = try? await requests.values(for: wanted) else { return false }
                    return wanted.allSatisfy { values[$0] == -$0 }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        expectEqual(complete, 2_000)
        expectEqual(asking.withLock { $0.repetitions }, 0)
        requests.invalidate()
        expectEqual(requests.state.withLock { remembered(by: $0) }, 0)
    }

    @Test func `every call ends once, with any cancellations, failures and invalidations`() async {
        let requests = SharedRequests<Int, Int>(
            of: "numbers", timeout: 30, clock: SimulatedClock(), keepsAnswers: true
        ) { keys throws(StoreError) in
            await Task.yield()
            if keys.contains(where: { $0 % 10 == 3 }) { throw StoreError(.networkError, "No network.") }
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, -$0) })
        }
        let calls = (0..<2_000).map { index in
            Task { () -> StoreError.Code? in
                do throws(StoreError) {
                    let values = try await requests.values(for: keys(index))
                    return keys(index).allSatisfy { values[$0] == -$0 } ? nil : .unknown
                } catch {
                    return error.code
                }
            }
        }
        for index in stride(from: 0, to: calls.count, by: 3) {
            calls[index].cancel()
            if index % 100 == 0 { requests.invalidate() }
        }
        var ended: [StoreError.Code?: Int] = [:]
        for call in calls { ended[await call.value, default: 0] += 1 }
        expectEqual(ended.values.reduce(0, +), 2_000)
        #expect(Set(ended.keys).isSubset(of: [nil, .taskCancelled, .networkError]))
        #expect(ended[nil, default: 0] > 0)
        #expect(ended[.networkError, default: 0] > 0)
        requests.invalidate()
        expectEqual(requests.state.withLock { remembered(by: $0) }, 0)
    }
}
