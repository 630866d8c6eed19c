import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct FirstInFirstOutTests {
    @Test func `the first element in is the first element out`() {
        var queue = FirstInFirstOut<Int>()
        for element in 1...100 { queue.append(element) }
        var out: [Int] = []
        while let element = queue.removeFirst() { out.append(element) }
        expectEqual(out, Array(1...100))
    }

    @Test func `an empty queue returns nil, and accepts elements afterwards`() {
        var queue = FirstInFirstOut<Int>()
        #expect(queue.isEmpty)
        expectEqual(queue.first, nil)
        expectEqual(queue.removeFirst(), nil)
        queue.append(1)
        expectEqual(queue.removeFirst(), 1)
        expectEqual(queue.removeFirst(), nil)
        queue.append(2)
        expectEqual(queue.first, 2)
        expectEqual(queue.count, 1)
    }

    @Test func `reading the first element doesn't remove it`() {
        var queue = FirstInFirstOut<Int>()
        queue.append(1)
        queue.append(2)
        expectEqual(queue.first, 1)
        expectEqual(queue.first, 1)
        expectEqual(queue.count, 2)
    }

    @Test func `order and count are correct while both ends move`() {
        var queue = FirstInFirstOut<Int>()
        var model: [Int] = []
        for step in 0..<1_000 {
            if step % 7 < 4 {
                queue.append(step)
                model.append(step)
            } else {
                expectEqual(queue.removeFirst(), (model.isEmpty ? nil : model.removeFirst()))
            }
            expectEqual(queue.count, model.count)
            expectEqual(queue.isEmpty, model.isEmpty)
            expectEqual(queue.first, model.first)
        }
    }

    @Test func `a removed element is released by the caller, not by a later call`() {
        final class Witness: Sendable {}
        var queue = FirstInFirstOut<Witness>()
        weak let gone: Witness?
        do {
            let first = Witness()
            queue.append(first)
            for _ in 0..<3 { queue.append(Witness()) }
            gone = first
            queue.removeFirst()
        }
        #expect(gone == nil)
        expectEqual(queue.count, 3)
    }

    @Test func `removed elements don't take up memory for long`() {
        var queue = FirstInFirstOut<Int>()
        for element in 0..<1_000 { queue.append(element) }
        while queue.removeFirst() != nil {
            if queue.count % 100 == 0 { #expect(remembered(by: queue) <= 2 * queue.count) }
        }
        expectEqual(remembered(by: queue), 0)
    }

    @Test func `every matching element in the queue is changed, and no removed element is`() {
        var queue = FirstInFirstOut<Int>()
        for element in 1...6 { queue.append(element) }
        queue.removeFirst()
        var visited: [Int] = []
        queue.update(
            where: {
                visited.append($0)
                return $0 % 2 == 0
            }, { $0 *= 10 })
        expectEqual(visited, [2, 3, 4, 5, 6])
        var out: [Int] = []
        while let element = queue.removeFirst() { out.append(element) }
        expectEqual(out, [20, 3, 40, 5, 60])
    }

    @Test func `removing an element from the middle keeps the order`() {
        var queue = FirstInFirstOut<Int>()
        for element in 1...8 { queue.append(element) }
        queue.removeFirst()
        queue.removeFirst()
        queue.removeAll { $0 % 2 == 0 }
        expectEqual(queue.count, 3)
        expectEqual(remembered(by: queue), 3)
        queue.append(9)
        var out: [Int] = []
        while let element = queue.removeFirst() { out.append(element) }
        expectEqual(out, [3, 5, 7, 9])
    }

    @Test func `the first matching element is removed, at any position`() {
        var queue = FirstInFirstOut<Int>()
        for element in 0...6 { queue.append(element) }
        queue.removeFirst()
        expectEqual(queue.removeFirst { $0 % 2 == 0 }, 2)
        expectEqual(queue.removeFirst { $0 > 0 }, 1)
        expectEqual(queue.removeFirst { $0 > 6 }, nil)
        var out: [Int] = []
        while let element = queue.removeFirst() { out.append(element) }
        expectEqual(out, [3, 4, 5, 6])
    }
}
