/// The memory limit for all unknown fields of one JSON text.
///
/// Lists and objects can use up to a hundred times the bytes of their text. The unknown fields of real responses use
/// far less memory than the size of the text. Fields beyond the limit are left out: they decide nothing, and a text
/// with them may be a genuine purchase.
package final class UnknownFieldAllowance {
    private var rest: Int
    /// Whether a field was left out.
    package private(set) var isExceeded = false

    /// Creates the allowance for a text of `size` bytes.
    package init(size: Int) {
        rest = ReadingLimits.unknownFieldSize + 3 * size
    }

    /// Subtracts the memory of the value at `index` and its name. Returns `false` for a field that has to be left out.
    package func admits(_ index: Int, named name: JSONTape.Node, of tape: JSONTape) -> Bool {
        let size = tape.footprint(index) + 40 + (name.length > 15 ? name.length + 32 : 0)
        guard size <= rest else {
            isExceeded = true
            return false
        }
        rest -= size
        return true
    }
}
