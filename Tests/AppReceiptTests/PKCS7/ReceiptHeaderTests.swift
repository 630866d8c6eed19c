import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Reading and verifying a receipt agree on every value of every attribute.
@Suite(.bounded) struct ReceiptHeaderTests {
    private typealias F = ReceiptFixtures

    private static let usual: [Int64: [UInt8]] = [
        0: DEREncoding.utf8String("Production"), 1: DEREncoding.integer(5),
        2: DEREncoding.utf8String("com.example.app"),
        3: DEREncoding.utf8String("1"), 4: [1], 5: [2], 8: DEREncoding.receiptTime(F.newYear),
        10: DEREncoding.ia5String("4+"),
        12: DEREncoding.receiptTime(F.newYear), 15: DEREncoding.integer(6), 18: DEREncoding.receiptTime(F.newYear),
        19: DEREncoding.utf8String("1"), 21: DEREncoding.receiptTime(.distantFuture),
    ]

    private static let values: [(name: String, octets: [UInt8])] = [
        ("nothing", []), ("empty UTF8String", DEREncoding.utf8String("")),
        ("empty IA5String", DEREncoding.ia5String("")),
        ("zero", DEREncoding.integer(0)),
        ("text of 256 bytes", DEREncoding.utf8String(String(repeating: "a", count: 256))),
        ("text of 257 bytes", DEREncoding.utf8String(String(repeating: "a", count: 257))),
        ("a long text", DEREncoding.utf8String(String(repeating: "a", count: 5_000))),
        ("integer of nine octets", [2, 9] + Array(1...9)),
        ("BOOLEAN", [1, 1, 0xFF]), ("NULL", [5, 0]), ("cut off", [0x0C, 5, 0x61]),
        ("trailing byte", DEREncoding.utf8String("a") + [0]),
        ("no UTF-8", [0x0C, 1, 0xFF]), ("no date", DEREncoding.ia5String("soon")),
    ]

    @Test(arguments: usual.keys.sorted()) func `every attribute with every value`(type: Int64) throws {
        for (name, octets) in Self.values {
            var attributes = Self.usual
            attributes[type] = octets
            let content = attributes.sorted { $0.key < $1.key }.flatMap {
                UnsignedContainer.attribute($0.key, $0.value)
            }
            let file = Data(UnsignedContainer.around(DEREncoding.element(0x31, content)))
            let verifier = LocalReceiptVerifier(bundleID: .any, environment: nil, device: nil)
            let failure = verifier.report(on: file).failure
            do throws(MalformedReceiptError) {
                let contents = try Receipt.unverified(pkcs7: file).contents
                // The checks read the header.
                let header = try ReceiptHeader(CMSSignedData(file))
                expectEqual(failure?.check, .signer, "\(name)")
                expectEqual(header.bundleID, contents.bundleID, "\(name)")
                expectEqual(header.applicationVersion, contents.applicationVersion, "\(name)")
                expectEqual(header.environment, contents.environment, "\(name)")
                expectEqual(header.creationDate, contents.creationDate, "\(name)")
                expectEqual(header.expirationDate, contents.expirationDate, "\(name)")
                let isBound =
                    contents.deviceBinding.map { !$0.opaqueValue.isEmpty && !$0.bundleIDBytes.isEmpty } ?? false
                let hasHash = header.opaqueValue != nil && header.encodedBundleID != nil && header.deviceHash != nil
                expectEqual(hasHash, isBound, "\(name)")
            } catch {
                expectEqual(failure?.malformation, error, "\(name)")
            }
        }
    }

    @Test func `certificates are checked at the creation date that the receipt shows`() throws {
        var fixture = ReceiptFixture()
        func dated(_ attributes: [Int64: [UInt8]]) -> [UInt8] {
            let content = attributes.flatMap { UnsignedContainer.attribute($0.key, $0.value) }
            return fixture.issuer.container(around: DEREncoding.element(0x31, content))
        }
        fixture.verifier = LocalReceiptVerifier(
            bundleID: .any, environment: nil, device: nil, trustAnchors: fixture.verifier.trustAnchors)
        let date = ReceiptFixture.creationDate
        for (attributes, expected) in [
            ([12: DEREncoding.receiptTime(date)], date), ([8: DEREncoding.receiptTime(date)], date),
            ([12: [], 8: DEREncoding.receiptTime(date)], date), ([12: DEREncoding.ia5String("")], nil), ([:], nil),
        ] as [([Int64: [UInt8]], Date?)] {
            let file = dated(attributes)
            expectEqual(try Receipt.unverified(pkcs7: Data(file)).creationDate, expected)
            expectEqual(fixture.report(on: file).failures, expected == nil ? [.validity: .creationDateMissing] : [:])
        }
    }

    @Test func `a receipt with unreadable purchases isn't verified, even with a valid signature`() throws {
        var fixture = ReceiptFixture()
        fixture.receipt.transactions[0].productID = ""
        expectEqual(fixture.report().failures, [.structure: .malformed])
        #expect(throws: ReceiptVerificationError.self) { try fixture.verifier.verify(Data(fixture.bytes())) }
    }
}
