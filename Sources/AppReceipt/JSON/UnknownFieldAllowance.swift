/// The memory limit for all unknown fields of one JSON text.
///
/// Lists and objects can use up to a hundred times the bytes of their text. The unknown fields of real responses use
/// far less memory than the size of the text. Only hostile input needs more than three times its size.
package final class UnknownFieldAllowance {
    private let size: Int
    private var rest: Int

    /// Creates the allowance for a text of `size` bytes.
    package init(size: Int) {
        self.size = ReadingLimits.unknownFieldSize + 3 * size
        rest = self.size
    }

    /// Subtracts the memory of the value at `index` and its name.
    ///
    /// - Throws: an error at the value if the allowance is used up.
    package func take(_ index: Int, named name: JSONTape.Node, of tape: JSONTape) throws(MalformedReceiptError) {
        rest -= tape.footprint(index) + 40 + (name.length > 15 ? name.length + 32 : 0)
        guard rest >= 0 else {
            throw MalformedReceiptError(
                .limitExceeded, at: tape.offset(tape.node(index)),
                expected: "unknown fields that take at most \(size) bytes of memory")
        }
    }
}
