import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt
@testable import AppStoreServer

/// Input at a limit is read, and input beyond it is rejected.
@Suite(.bounded) struct ReadingLimitsTests {
    private typealias F = ReceiptFixtures

    private func code(_ body: () throws -> Void) -> MalformedReceiptError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MalformedReceiptError)?.code ?? (error as? ReceiptVerificationError)?.malformation?.code
        }
    }

    @Test func `names and numbers in JSON`() {
        func parse(_ json: String) -> MalformedReceiptError.Code? { code { _ = try ReceiptFixtures.value(json) } }
        let name = String(repeating: "n", count: ReadingLimits.nameLength)
        expectEqual(parse("{\"\(name)\":1}"), nil)
        expectEqual(parse("{\"\(name)n\":1}"), .limitExceeded)
        let number = String(repeating: "1", count: ReadingLimits.numberLength)
        expectEqual(parse("[\(number)]"), nil)
        expectEqual(parse("[\(number)1]"), .limitExceeded)
        expectEqual(parse("[1e\(number)]"), .limitExceeded)
        expectEqual(
            parse("\"\(String(repeating: "long", count: 1_000))\""), nil,
            "a text that is never compared may have any length")
    }

    @Test func `texts of responses, payloads and attributes`() {
        for (count, expected) in [(ReadingLimits.textLength, false), (ReadingLimits.textLength + 1, true)] {
            let text = String(repeating: "t", count: count)
            expectEqual(
                (code { _ = try Receipt.unverified(verifyReceiptJSON: F.answer(inApp: F.row(text))) } != nil), expected)
            let payload = SignedTransactionFixture.transaction.replacing("\"weekly\"", with: "\"\(text)\"")
            expectEqual(
                (code { _ = try SignedPayload.unverified(jws: UnsignedToken.around(payload)) } != nil), expected)
            var receipt = SimulatedReceipt(bundleID: text, creationDate: F.newYear)
            expectEqual(
                code { _ = try Receipt.unverified(pkcs7: UnsignedContainer.around(receipt)) },
                (expected ? .limitExceeded : nil))
            receipt.bundleID = "com.example.app"
            receipt.transactions = [
                SimulatedReceiptTransaction(productID: text, transactionID: "1", purchaseDate: F.newYear)
            ]
            expectEqual(
                code { _ = try Receipt.unverified(pkcs7: UnsignedContainer.around(receipt)) },
                (expected ? .limitExceeded : nil))
        }
    }

    @Test func `the size of a token, which is looked at before it is copied`() {
        let token = UnsignedToken.around("{}")
        expectEqual(code { _ = try SignedPayload.unverified(jws: token) }, .unexpectedElement)
        let padding = String(repeating: "A", count: ReadingLimits.tokenSize - token.utf8.count)
        #expect(code { _ = try SignedPayload.unverified(jws: token + padding) } != .limitExceeded)
        expectEqual(code { _ = try SignedPayload.unverified(jws: token + padding + "A") }, .limitExceeded)
        let verifier = SignedTransactionVerifier(bundleID: .any, environment: nil)
        let body = Data("{\"signedPayload\":\"\(padding)\(padding)\"}".utf8)
        expectEqual(code { _ = try verifier.notification(requestBody: body) }, .limitExceeded)
    }

    @Test func `the size of a file, a response and a certificate`() throws {
        func zeros(_ count: Int) -> Data { Data(count: count) }
        let receipt = ASN1Limits().maximumSize
        expectEqual(code { _ = try Receipt.unverified(pkcs7: zeros(receipt)) }, .unexpectedElement)
        expectEqual(code { _ = try Receipt.unverified(pkcs7: zeros(receipt + 1)) }, .limitExceeded)
        expectEqual(
            code {
                _ =
                    try LocalReceiptVerifier(bundleID: .any, environment: nil, device: nil).verify(zeros(receipt + 1))
                    as Receipt
            }, .limitExceeded)
        let response = JSONTape.Limits().maximumSize
        expectEqual(code { _ = try VerifyReceiptResponse.unverified(json: zeros(response)) }, .unexpectedElement)
        expectEqual(code { _ = try VerifyReceiptResponse.unverified(json: zeros(response + 1)) }, .limitExceeded)
        let certificate = ASN1Limits.certificate.maximumSize
        expectEqual(code { _ = try Certificate([UInt8](zeros(certificate))[...]) }, .unexpectedElement)
        expectEqual(code { _ = try Certificate([UInt8](zeros(certificate + 1))[...]) }, .limitExceeded)
        expectEqual(code { _ = try ReceiptTrustAnchor.certificate(zeros(2 * certificate)) }, .unexpectedElement)
        expectEqual(code { _ = try ReceiptTrustAnchor.certificate(zeros(2 * certificate + 1)) }, .limitExceeded)
        let verifier = SignedTransactionVerifier(bundleID: .any, environment: nil)
        let body = ReadingLimits.requestBodySize
        expectEqual(code { _ = try verifier.notification(requestBody: zeros(body)) }, .unexpectedElement)
        expectEqual(code { _ = try verifier.notification(requestBody: zeros(body + 1)) }, .limitExceeded)
    }

    @Test func `the documentation names the limits`() throws {
        let article = try DocumentedCode().text(of: "Sources/AppReceipt/AppReceipt.docc/AppReceipt.md")
        let (receipt, response, certificate) = (ASN1Limits(), JSONTape.Limits(), ASN1Limits.certificate)
        for words in [
            "\(receipt.maximumSize >> 20) MiB, 65,536 elements in one list, \(receipt.maximumDepth) levels",
            "\(ReadingLimits.containerCertificates) certificates",
            "\(ReadingLimits.tokenSize >> 20) MiB and \(ReadingLimits.tokenCertificates) certificates",
            "\(response.maximumSize >> 20) MiB, 4,000,000 values and \(response.maximumDepth) levels",
            "\(certificate.maximumSize >> 10) KiB", "\(ReadingLimits.textLength) bytes",
            "\(ReadingLimits.nameLength) bytes",
            "\(ReadingLimits.numberLength) characters",
            "\(ReadingLimits.unknownFieldSize >> 10) KiB of memory plus three times the size",
        ] { #expect(article.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words), "\(words)") }
        expectEqual(receipt.maximumCount, 65_536)
        expectEqual(response.maximumCount, 4_000_000)
    }

    @Test func `the certificates of a token and of a receipt`() throws {
        let chain = try #require(SimulatedCertificateChain.signedTransactions)
        func token(_ count: Int) -> String {
            let certificates = Array(repeating: chain.leaf, count: count)
            let payload = SignedTransactionFixture.transaction
            return UnsignedToken.around(
                payload, header: "{\"alg\":\"ES256\",\(SignedTransactionFixture.x5c(certificates))}")
        }
        expectEqual(code { _ = try SignedPayload.unverified(jws: token(ReadingLimits.tokenCertificates)) }, nil)
        expectEqual(
            code { _ = try SignedPayload.unverified(jws: token(ReadingLimits.tokenCertificates + 1)) }, .invalidValue)
        func file(_ count: Int) -> Data {
            Data(
                UnsignedContainer.around(DEREncoding.set([]), certificates: Array(repeating: chain.leaf, count: count)))
        }
        expectEqual(code { _ = try Receipt.unverified(pkcs7: file(ReadingLimits.containerCertificates)) }, nil)
        expectEqual(
            code { _ = try Receipt.unverified(pkcs7: file(ReadingLimits.containerCertificates + 1)) }, .limitExceeded)
    }

    @Test func `elements inside one of indefinite length`() {
        let limits = ASN1Limits(maximumCount: 100)
        func read(_ count: Int) -> MalformedReceiptError.Code? {
            let members = Array(repeating: [0x05, 0x00] as [UInt8], count: count).joined()
            return code {
                var reader = try BERReader(([0x30, 0x80] + members + [0x00, 0x00])[...], limits: limits)
                _ = try reader.next()
            }
        }
        expectEqual(read(99), nil)
        expectEqual(read(100), .limitExceeded)
    }
}

extension ReceiptFixtures {
    static func value(_ json: String) throws(MalformedReceiptError) -> ReceiptValue {
        try JSONTape(Array(json.utf8)).value(0)
    }
}
