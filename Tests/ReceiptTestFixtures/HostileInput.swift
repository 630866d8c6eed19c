import AppStoreSimulator
import Foundation
import ReceiptCryptography

/// Input with the highest cost for a parser at its size, in each format. `NormalizationCostTests` cover combining
/// marks.
package struct HostileInput: Sendable, CustomStringConvertible {
    private let name: String
    package let bytes: [UInt8]

    package var description: String { name }

    /// Returns inputs of every format, of at most `size` bytes each.
    package static func all(_ size: Int) -> [HostileInput] { pkcs7(size) + json(size) + tokens(size) }

    /// Returns PKCS#7 inputs of at most `size` bytes.
    private static func pkcs7(_ size: Int) -> [HostileInput] {
        func input(_ name: String, _ content: [UInt8]) -> HostileInput {
            HostileInput(name: "PKCS#7, \(name)", bytes: container(DEREncoding.octetString(content)))
        }
        let room = size - 200
        // The largest allowed number of elements fills the size.
        let filler = [UInt8](repeating: 7, count: max(room / largestCount - 110, 0))
        let pieces = [0x24, 0x80] + repeated([0x04, 0x01, 0x31], room) + [0, 0]
        return [
            input("one unknown attribute", set(attribute(9_999, [UInt8](repeating: 7, count: room - 40)))),
            input("unknown attributes", set(filled(room) { attribute(Int64(2_000 + $0), filler) })),
            input("empty purchases", set(filled(room) { _ in attribute(17, set([])) })),
            input("purchases of one subscription", set(filled(room) { purchase("p", "\($0)", filler) })),
            input(
                "purchases, each of another subscription",
                set(filled(room) { purchase("\(long.prefix(40))\($0)", "\($0)", filler) })),
            HostileInput(name: "PKCS#7, content in pieces of one byte", bytes: container(pieces)),
            HostileInput(
                name: "PKCS#7, content in nested pieces",
                bytes: container([0x24, 0x80] + repeated(nest(20), room) + [0, 0])),
            HostileInput(name: "PKCS#7, lengths that are nowhere said", bytes: indefinite(room)),
            HostileInput(
                name: "PKCS#7, certificates that have all signed one another", bytes: rings(size)),
        ]
    }

    /// Returns `verifyReceipt` responses of at most `size` bytes.
    private static func json(_ size: Int) -> [HostileInput] {
        func input(_ name: String, _ members: String) -> HostileInput {
            HostileInput(
                name: "JSON, \(name)",
                bytes: Array("{\"status\":0,\"receipt\":{\"in_app\":[]},\(members)}".utf8))
        }
        let room = size - 100
        func list(_ element: (Int) -> String) -> String {
            let elements = filled(room, largestCount: .max) { Array((($0 == 0 ? "" : ",") + element($0)).utf8) }
            return String(decoding: elements, as: UTF8.self)
        }
        func row(_ product: String, _ index: Int) -> String {
            "{\"product_id\":\"\(product)\",\"transaction_id\":\"\(index)\",\"purchase_date_ms\":1,\"expires_date_ms\":2}"
        }
        func named(_ index: Int) -> String {
            String(row("p", index).dropLast()) + (0..<100).map { ",\"\($0)\":0" }.joined() + "}"
        }
        let deep = String(repeating: "[", count: 28) + String(repeating: "]", count: 28)
        return [
            input("rows, each of another product", "\"latest_receipt_info\":[\(list { row("\(long)\($0)", $0) })]"),
            input("rows of one product", "\"latest_receipt_info\":[\(list { row("p", $0) })]"),
            input("deep lists", "\"x\":[\(list { _ in deep })]"),
            input("short names", list { "\"\($0)\":0" }),
            input("numbers", "\"x\":[\(list { _ in "0" })]"),
            input("rows with short names", "\"latest_receipt_info\":[\(list { named($0) })]"),
            input("escapes", "\"x\":\"\(String(repeating: "\\u0315", count: room / 6))\""),
        ]
    }

    /// Returns signed texts of at most `size` bytes.
    private static func tokens(_ size: Int) -> [HostileInput] {
        func token(
            _ name: String, header: [UInt8] = Array("{\"alg\":\"ES256\",\"x5c\":[\"AAAA\"]}".utf8), _ payload: [UInt8]
        )
            -> HostileInput
        {
            let parts = [header, payload].map { SimulatedJWSIssuer.base64URL(Data($0)) }
            return HostileInput(
                name: "token, \(name)", bytes: Array("\(parts[0]).\(parts[1]).AAAA".utf8))
        }
        let payloads = json(size / 4 * 3 - 600).map { response in
            token(
                "payload: \(response.name)",
                Array(payload.utf8.dropLast()) + Array(",\"y\":".utf8) + response.bytes + Array("}".utf8))
        }
        // As many as a token may have.
        let certificates = ring(count: 3).map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",")
        let header = "{\"alg\":\"ES256\",\"x5c\":[\(certificates)]}"
        return payloads + [
            token("certificates that have all signed one another", header: Array(header.utf8), Array(payload.utf8)),
            HostileInput(
                name: "token, dots", bytes: [UInt8](repeating: UInt8(ascii: "."), count: size)),
        ]
    }

    private static let payload = """
        {"transactionId":"1","originalTransactionId":"1","bundleId":"com.example.app","productId":"p","purchaseDate":1,"signedDate":1}
        """

    /// The beginning of identifiers that differ at their end.
    private static let long = String(repeating: "p", count: 120)

    private static func repeated(_ unit: [UInt8], _ size: Int) -> [UInt8] {
        Array(repeatElement(unit, count: size / max(unit.count, 1)).joined())
    }

    /// One less than the maximum length of a list in a receipt.
    private static let largestCount = 65_535

    /// Returns elements up to a size in bytes.
    private static func filled(_ size: Int, largestCount: Int = largestCount, _ element: (Int) -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var index = 0
        while index < largestCount, case let next = element(index), bytes.count + next.count <= size {
            bytes += next
            index += 1
        }
        return bytes
    }
}

extension HostileInput {
    private static func set(_ members: [UInt8]) -> [UInt8] { DEREncoding.element(0x31, members) }

    private static func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
        DEREncoding.sequence([DEREncoding.integer(type), DEREncoding.integer(1), DEREncoding.octetString(value)])
    }

    private static func purchase(_ product: String, _ transaction: String, _ filler: [UInt8]) -> [UInt8] {
        let members = [
            filler.isEmpty ? [] : attribute(1_799, filler),
            attribute(1702, DEREncoding.utf8String(product)), attribute(1703, DEREncoding.utf8String(transaction)),
            attribute(1704, DEREncoding.ia5String("2026-01-01T00:00:00Z")),
            attribute(1708, DEREncoding.ia5String("2026-02-01T00:00:00Z")),
        ]
        return attribute(17, set(Array(members.joined())))
    }

    private static func nest(_ depth: Int) -> [UInt8] {
        repeated([0x24, 0x80], depth * 2) + [0x04, 0x00] + repeated([0, 0], depth * 2)
    }

    /// Returns signed data with an encoded OCTET STRING as its content.
    private static func container(_ octets: [UInt8], certificates: [[UInt8]] = [], signer: [UInt8] = []) -> [UInt8] {
        let data = DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 1])
        let signedData = DEREncoding.sequence([
            DEREncoding.integer(1), DEREncoding.set([]), DEREncoding.sequence([data, DEREncoding.explicit(0, octets)]),
            DEREncoding.element(0xA0, Array(certificates.joined())), DEREncoding.set([signer]),
        ])
        return DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]), DEREncoding.explicit(0, signedData),
        ])
    }

    /// Returns signed data with indefinite lengths and only empty pieces.
    private static func indefinite(_ size: Int) -> [UInt8] {
        func open(_ identifier: UInt8, _ members: [UInt8]) -> [UInt8] { [identifier, 0x80] + members + [0, 0] }
        let pieces = open(0x24, repeated([0x04, 0x00], size))
        let data = DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 1])
        let signedData =
            DEREncoding.integer(1) + DEREncoding.set([]) + open(0x30, data + open(0xA0, pieces)) + DEREncoding.set([])
        return open(
            0x30, DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]) + open(0xA0, open(0x30, signedData)))
    }

    /// Returns certificates of two names, each signed by every certificate of the other name, so that no path ends.
    private static func ring(count: Int) -> [[UInt8]] {
        guard let key = SimulatedSigningKeys.transactionRoot.map(SimulatedKey.ellipticCurve) else { return [] }
        return (0..<count).map { index in
            let names = index.isMultiple(of: 2) ? ("A", "B") : ("B", "A")
            var certificate = SimulatedCertificate(
                subject: names.0, issuer: names.1, serialNumber: index < 8 ? 7 : Int64(index), key: key,
                isAuthority: true, digest: .sha384)
            // A different date for certificates with the same serial number.
            certificate.notAfter.addTimeInterval(Double(-index))
            return certificate.signed(by: key)
        }
    }

    /// Returns a container with the maximum number of such certificates, several of them the signer's, and content that
    /// fills the size.
    private static func rings(_ size: Int) -> [UInt8] {
        let certificates = ring(count: 16)
        let algorithm = DEREncoding.sequence([
            DEREncoding.objectIdentifier([2, 16, 840, 1, 101, 3, 4, 2, 1]), DEREncoding.null,
        ])
        let signer = DEREncoding.sequence([
            DEREncoding.integer(1), DEREncoding.sequence([SimulatedCertificate.name("B"), DEREncoding.integer(7)]),
            algorithm,
            DEREncoding.sequence([DEREncoding.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])]),
            DEREncoding.octetString(DEREncoding.sequence([DEREncoding.integer(7), DEREncoding.integer(7)])),
        ])
        let date = attribute(12, DEREncoding.ia5String("2026-01-01T00:00:00Z"))
        let rest = size - certificates.reduce(0) { $0 + $1.count } - 600
        let content = set(date + attribute(9_999, [UInt8](repeating: 7, count: max(rest, 0))))
        return container(DEREncoding.octetString(content), certificates: certificates, signer: signer)
    }
}
