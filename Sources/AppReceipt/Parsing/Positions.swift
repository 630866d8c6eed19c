/// The order of a list, as the positions of its elements.
///
/// The standard library's sort is specialized for every type of element and for every comparison, into some four
/// kilobytes each. This one is there once: what it moves are positions, whatever is sorted.
@usableFromInline
package enum Positions {
    /// The positions of a list of so many elements, sorted by `precedes`. Equal elements keep their order.
    @inline(never) @usableFromInline
    package static func sorted(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
        withoutActuallyEscaping(precedes) { Comparison(precedes: $0).sorted(count) }
    }

    /// Hides the closure from the compiler, which would make a sort of its own for it.
    private final class Comparison {
        private let precedes: (Int, Int) -> Bool

        init(precedes: @escaping (Int, Int) -> Bool) {
            self.precedes = precedes
        }

        func sorted(_ count: Int) -> [Int] {
            (0..<count).sorted { precedes($0, $1) }
        }
    }
}

extension Sequence {
    /// The elements sorted by `precedes`, as `sorted(by:)` has them, by way of their ``Positions``.
    @inlinable package func inOrder(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return Positions.sorted(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}
