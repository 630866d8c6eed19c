/// How much memory the fields that this library doesn't know may take, all those of one JSON text together.
///
/// Lists and objects take up to a hundred times the bytes of their text. The unknown fields of real responses and
/// payloads take far less than the text as a whole; a text whose unknown fields take three times its size has been made
/// to cost memory.
final class UnknownFieldAllowance {
    private let size: Int
    private var rest: Int

    /// The allowance for a text of so many bytes.
    init(size: Int) {
        self.size = ReadingLimits.unknownFieldSize + 3 * size
        rest = self.size
    }

    /// Takes what the value at `index` and its name need.
    ///
    /// - Throws: an error at the value if there is too little left.
    func take(_ index: Int, named name: JSONTape.Node, of tape: JSONTape) throws(MalformedReceiptError) {
        rest -= tape.footprint(index) + 40 + (name.length > 15 ? name.length + 32 : 0)
        guard rest >= 0 else {
            throw MalformedReceiptError(
                .limitExceeded, at: tape.offset(tape.node(index)),
                expected: "unknown fields that take at most \(size) bytes of memory")
        }
    }
}
