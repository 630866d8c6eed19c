/// An amount of data, such as `2.5 kB`. A kilobyte has 1,000 bytes, as in the App Store.
struct ByteCount: Sendable, Hashable, CustomStringConvertible {
    private let bytes: Double

    init(_ count: Int64) {
        bytes = Double(count)
    }

    var description: String {
        let (amount, unit) = bytes < 1_000_000 ? (bytes / 1_000, "kB") : (bytes / 1_000_000, "MB")
        let rounded = "\((amount * 10).rounded() / 10)"
        return "\(rounded.hasSuffix(".0") ? String(rounded.dropLast(2)) : rounded) \(unit)"
    }
}
