import AppReceipt
import AppStoreSimulator
import Foundation

/// Texts with a quadratic cost of comparison by canonical equivalence, and texts of the same length with a linear cost.
enum CombiningMarks {
    /// Returns `count` marks of one combining class before `count` marks of a lower class. For canonical order, each
    /// mark has to move past all others.
    static func run(_ count: Int) -> String {
        String(repeating: "\u{315}", count: count) + String(repeating: "\u{334}", count: count)
    }

    /// Returns the same number of bytes in ASCII.
    static func plain(_ count: Int) -> String {
        String(repeating: "a", count: run(count).utf8.count)
    }
}

/// Compares the durations of two functions.
enum CostComparison {
    /// Returns whether `hostile` takes at most twenty times as long as `plain`. Durations below 10 ms are treated as 10
    /// ms.
    ///
    /// Other load can make one of them slow, so both are measured again before the result is `false`.
    static func isBounded(hostile: () -> Void, plain: () -> Void) -> Bool {
        (0..<3).contains { _ in seconds(hostile) <= 20 * max(seconds(plain), 0.01) }
    }

    static func seconds(_ body: () -> Void) -> TimeInterval {
        let start = ProcessInfo.processInfo.systemUptime
        body()
        return ProcessInfo.processInfo.systemUptime - start
    }
}

/// A receipt's container without certificates and signers. It can be read but not verified, and needs no signature.
enum UnsignedContainer {
    static func around(_ content: [UInt8], certificates: [[UInt8]] = []) -> [UInt8] {
        let data = DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 1])
        let signedData = DEREncoding.sequence([
            DEREncoding.integer(1), DEREncoding.set([]),
            DEREncoding.sequence([data, DEREncoding.explicit(0, DEREncoding.octetString(content))]),
            certificates.isEmpty ? [] : DEREncoding.element(0xA0, Array(certificates.joined())), DEREncoding.set([]),
        ])
        return DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]), DEREncoding.explicit(0, signedData),
        ])
    }

    static func around(_ receipt: SimulatedReceipt) -> Data {
        Data(around(receipt.encoded()))
    }

    /// A SET with one attribute.
    static func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
        DEREncoding.sequence([DEREncoding.integer(type), DEREncoding.integer(1), DEREncoding.octetString(value)])
    }
}
