import AppStoreSimulator
import Foundation

/// Mutates bytes in ways that find defects in readers. The same seed creates the same mutations.
package struct MutationGenerator: RandomNumberGenerator {
    /// The seed from the environment, to repeat a failure; otherwise a random seed.
    package static let seed =
        ProcessInfo.processInfo.environment["RECEIPT_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64.max)

    /// Returns the number of inputs of a test, from the environment or `usual`.
    package static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["RECEIPT_TEST_MUTATIONS"].flatMap { Int($0) } ?? usual
    }

    private var random: SeededGenerator

    package init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    package mutating func next() -> UInt64 { random.next() }

    private static let tellingBytes: [UInt8] = [
        0x00, 0x01, 0x7F, 0x80, 0x81, 0x82, 0x84, 0x88, 0xFE, 0xFF, 0x04, 0x24, 0x30, 0x31, 0xA0, 0x1F,
    ]

    package mutating func mutate(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &self)
            let length = min(Int.random(in: 1...24, using: &self), bytes.count - index)
            switch Int.random(in: 0..<8, using: &self) {
            case 0, 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes[index] = Self.tellingBytes.randomElement(using: &self) ?? 0
            case 3: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 4: bytes.removeSubrange(index..<index + length)
            case 5:
                bytes.insert(contentsOf: bytes[index..<index + length], at: Int.random(in: bytes.indices, using: &self))
            case 6: bytes.insert(Self.tellingBytes.randomElement(using: &self) ?? 0, at: index)
            default: bytes.swapAt(index, Int.random(in: bytes.indices, using: &self))
            }
        }
        return bytes
    }
}
