import Foundation

/// Reproducible random numbers: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns random bytes with frequent runs of ones or zeros, which cause long carries.
    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let word = next()
            let kind = next() % 4
            bytes += (0..<8).map {
                kind == 0 ? 0xFF : kind == 1 ? 0 : UInt8(truncatingIfNeeded: word >> UInt64($0 * 8))
            }
        }
        return Array(bytes.prefix(count))
    }

    /// The seed of `ARITHMETIC_SEED`, or a random seed.
    static let seed =
        ProcessInfo.processInfo.environment["ARITHMETIC_SEED"].flatMap(UInt64.init) ?? .random(in: 0...999_999)
}
