/// Sorts the positions of a list's elements instead of the elements.
///
/// The compiler specializes the sort of the standard library for every element type and every comparison, about 4 kB
/// each. This sort exists once, because it moves positions.
@usableFromInline
package enum Positions {
    /// Returns the positions of `count` elements, sorted by `precedes`. Equal elements keep their order.
    @inline(never) @usableFromInline
    package static func sorted(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
        withoutActuallyEscaping(precedes) { Comparison(precedes: $0).sorted(count) }
    }

    /// Hides the closure from the compiler, so that the sort isn't specialized for it.
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
    /// Returns the elements sorted by `precedes`, as `sorted(by:)` does, without a specialized sort.
    @inlinable package func inOrder(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return Positions.sorted(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}
