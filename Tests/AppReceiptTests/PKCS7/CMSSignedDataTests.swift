import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct CMSSignedDataTests {
    private let fixture = ReceiptFixture()

    private func failure(_ bytes: [UInt8]) -> MalformedReceiptError? {
        do throws(MalformedReceiptError) {
            _ = try CMSSignedData(bytes[...])
            return nil
        } catch {
            return error
        }
    }

    @Test func `the content is a slice of the input`() throws {
        let bytes = fixture.bytes()
        let container = try CMSSignedData(bytes[...])
        let content = fixture.receipt.encoded()
        expectEqual(Array(container.content), content)
        expectEqual(bytes[container.content.startIndex..<container.content.endIndex], container.content)
        expectEqual(container.inputOffset(ofContent: container.content.startIndex), container.content.startIndex)
        let storage = bytes.withUnsafeBytes { $0.baseAddress }
        let slice = container.content.withUnsafeBytes { $0.baseAddress }
        expectEqual(storage.map { $0 + container.content.startIndex }, slice)
        expectEqual(container.certificates.count, 3)
        expectEqual(container.signers.count, 1)
    }

    @Test func `indefinite lengths and content in pieces have the same result`() throws {
        let bytes = fixture.bytes()
        let content = fixture.receipt.encoded()
        for size in [1, 7, 1_000, content.count, content.count + 1] {
            let streamed = try BERStream.reencode(bytes, pieceSize: size)
            #expect(streamed != bytes)
            let container = try CMSSignedData(streamed[...])
            expectEqual(Array(container.content), content)
            #expect(fixture.report(on: streamed).isVerified)
        }
    }

    @Test func `content in a single piece is not copied`() throws {
        let streamed = try BERStream.reencode(fixture.bytes(), pieceSize: 1 << 20)
        let content = try CMSSignedData(streamed[...]).content
        #expect(content.startIndex > 20)
        expectEqual(streamed[content.startIndex..<content.endIndex], content)
    }

    @Test func `an error inside content in pieces has its offset in the input`() throws {
        // The second attribute's length exceeds the input.
        let good = DEREncoding.sequence([
            DEREncoding.integer(0), DEREncoding.integer(1), DEREncoding.octetString([0x0C, 1, 0x41]),
        ])
        var content = DEREncoding.element(0x31, good + good)
        let place = 2 + good.count + 8
        content[place + 1] = 0x7F
        let bytes = fixture.issuer.container(around: content)
        let plain = try #require(fixture.report(on: bytes).failure?.malformation)
        let streamed = try BERStream.reencode(bytes, pieceSize: 5)
        let pieces = try #require(fixture.report(on: streamed).failure?.malformation)
        expectEqual(plain.code, .truncated)
        expectEqual(bytes[plain.offset], 0x04)
        expectEqual(bytes[plain.offset + 1], 0x7F)
        expectEqual(pieces.code, .truncated)
        expectEqual(streamed[pieces.offset], 0x04)
        #expect(pieces.offset != plain.offset)
    }

    @Test func `input that isn't a container fails with the right offset`() throws {
        expectEqual(failure([])?.code, .truncated)
        expectEqual(failure(Array("{\"status\":0}".utf8))?.code, .truncated)
        expectEqual(failure(Array("MIIT".utf8))?.code, .truncated)
        expectEqual(failure([0x04, 0x00])?.code, .unexpectedElement)
        let bytes = fixture.bytes()
        expectEqual(failure(bytes + [0])?.code, .trailingBytes)
        expectEqual(failure(bytes + [0])?.offset, bytes.count)
        var other = bytes
        let type = try #require(other.firstIndex(of: 0x06))
        other[type + 10] = 3
        let error = try #require(failure(other))
        expectEqual(error.code, .unsupported)
        expectEqual(error.offset, type)
        expectEqual(error.found, "1.2.840.113549.1.7.3")
    }

    @Test func `a receipt truncated anywhere is malformed, with an offset in the input`() {
        let bytes = fixture.bytes()
        for count in bytes.indices {
            let error = failure(Array(bytes[..<count]))
            #expect(error != nil, "cut off after \(count) bytes")
            #expect((error?.offset ?? -1) <= count)
        }
    }

    @Test func `a receipt in pieces truncated anywhere is malformed`() throws {
        let streamed = try BERStream.reencode(ReceiptFixture(purchases: 0).bytes(), pieceSize: 40)
        for count in stride(from: 0, to: streamed.count, by: 3) {
            #expect(failure(Array(streamed[..<count])) != nil, "cut off after \(count) bytes")
        }
    }
}
