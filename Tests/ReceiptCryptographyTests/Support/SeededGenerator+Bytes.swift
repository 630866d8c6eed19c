import AppStoreSimulator
import Foundation

extension SeededGenerator {
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
