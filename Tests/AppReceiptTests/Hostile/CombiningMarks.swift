import AppReceipt
import AppStoreSimulator
import Foundation

/// Texts that cost the square of their length when they are compared by canonical equivalence, and texts of the same
/// length that do not.
enum CombiningMarks {
    /// `count` marks of one combining class before as many of a lower one: to be in canonical order, each has to pass
    /// all of the others.
    static func run(_ count: Int) -> String {
        String(repeating: "\u{315}", count: count) + String(repeating: "\u{334}", count: count)
    }

    /// The same number of bytes, in ASCII.
    static func plain(_ count: Int) -> String {
        String(repeating: "a", count: run(count).utf8.count)
    }
}

/// Compares how long two ways take.
enum CostComparison {
    /// Whether `hostile` takes at most twenty times as long as `plain`; anything below a hundredth of a second counts
    /// as that.
    ///
    /// What else the machine does can make one of them look slow, so that both are timed again before the answer is no.
    static func isBounded(hostile: () -> Void, plain: () -> Void) -> Bool {
        (0..<3).contains { _ in seconds(hostile) <= 20 * max(seconds(plain), 0.01) }
    }

    static func seconds(_ body: () -> Void) -> TimeInterval {
        let start = ProcessInfo.processInfo.systemUptime
        body()
        return ProcessInfo.processInfo.systemUptime - start
    }
}

/// A receipt's container without certificates and signers, which can be read though not verified, and costs no
/// signature to make.
enum UnsignedContainer {
    static func around(_ content: [UInt8], certificates: [[UInt8]] = []) -> [UInt8] {
        let data = DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 1])
        let signedData = DEREncoding.sequence([
            DEREncoding.integer(1), DEREncoding.set([]),
            DEREncoding.sequence([data, DEREncoding.explicit(0, DEREncoding.octetString(content))]),
            certificates.isEmpty ? [] : DEREncoding.element(0xA0, Array(certificates.joined())), DEREncoding.set([]),
        ])
        return DEREncoding.sequence([DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]), DEREncoding.explicit(0, signedData)])
    }

    static func around(_ receipt: SimulatedReceipt) -> Data {
        Data(around(receipt.encoded()))
    }

    /// A SET with one attribute.
    static func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
        DEREncoding.sequence([DEREncoding.integer(type), DEREncoding.integer(1), DEREncoding.octetString(value)])
    }
}

/// A token whose signature nobody has made; it can be decoded, not verified.
enum UnsignedToken {
    static func around(_ payload: String, header: String = "{\"alg\":\"ES256\",\"x5c\":[\"AAAA\"]}") -> String {
        "\(SimulatedJWSIssuer.base64URL(Data(header.utf8))).\(SimulatedJWSIssuer.base64URL(Data(payload.utf8))).AAAA"
    }
}
