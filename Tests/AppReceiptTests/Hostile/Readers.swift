import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import Testing

@testable import AppReceipt
@testable import AppStoreServer

/// All readers of the module, for inputs of any kind.
enum Readers {
    /// The results of the readers for an input, and their first defect. A trap ends the process.
    struct Findings {
        var accepted: [String] = []
        /// The result of each reader, with the expectation of an error. An input with a new result has reached new
        /// code.
        var answers: [String] = []
        var complaints: [String] = []
    }

    private static let local = LocalReceiptVerifier(
        bundleID: "com.example.app", environment: .xcode, device: nil, trustAnchors: [.appStore, .localTesting])
    private static let signed = SignedTransactionVerifier(
        bundleID: "com.example.app", environment: nil, trustAnchors: [.appStoreG3])

    static func read(_ bytes: [UInt8]) -> Findings {
        var findings = Findings()
        func note(_ reader: String, length: Int = bytes.count, _ body: () throws -> Void) {
            do {
                try body()
                findings.accepted.append(reader)
                findings.answers.append(reader)
            } catch let error as MalformedReceiptError {
                findings.answers.append("\(reader): \(error.code.rawValue), \(error.expected)")
                if !(0...length).contains(error.offset) || error.expected.isEmpty {
                    findings.complaints.append("\(reader): \(error)")
                }
            } catch let error as ReceiptVerificationError {
                findings.answers.append("\(reader): \(error.code.rawValue), \(error.malformation?.expected ?? "")")
                if error.reason.isEmpty { findings.complaints.append("\(reader): \(error)") }
            } catch {
                findings.complaints.append("\(reader): \(error) is of no documented type")
            }
        }
        note("container") { _ = try CMSSignedData(bytes[...]) }
        note("receipt") { ask(try Receipt.unverified(pkcs7: Data(bytes))) }
        note("verified receipt") { _ = try local.verify(Data(bytes)) as Receipt }
        note("certificate") { _ = try Certificate(bytes[...]) }
        note("anchor") { _ = try ReceiptTrustAnchor.certificate(Data(bytes)) }
        note("response") { try VerifyReceiptResponse.unverified(json: Data(bytes)).receipt.map(ask) }
        note("lenient response") { try VerifyReceiptResponse(leniently: bytes).receipt.map(ask) }
        note("lenient transaction") { _ = try ReceiptTransaction(leniently: bytes) }
        note("value") { _ = try JSONTape(bytes).value(0) }
        let text = String(decoding: bytes, as: UTF8.self)
        note("payload", length: text.utf8.count) {
            let payload = try SignedPayload.unverified(jws: text)
            _ = try payload.notification
        }
        note("verified payload", length: text.utf8.count) { _ = try signed.payload(jws: text) }
        note("notification") { _ = try signed.notification(requestBody: Data(bytes)) }
        for accepted in ["verified receipt", "verified payload", "notification"]
        where findings.accepted.contains(accepted) {
            findings.complaints.append("\(accepted): the input isn't signed")
        }
        _ = DeviceIdentifier(text)
        return findings
    }

    /// Calls all functions of a receipt that visit its rows.
    private static func ask(_ receipt: Receipt) {
        _ = receipt.subscriptionStatuses(at: .now)
        for product in receipt.distinctProductIDs.prefix(50) {
            _ = receipt.subscriptionStatus(of: [product], at: .requestDate)
            _ = receipt.subscriptionStatus(ofNonRenewing: [product], duration: 1e300, at: .date(.distantPast))
            _ = receipt.owns(product, at: .now, includingFamilyShared: false)
            _ = receipt.quantity(of: product)
        }
    }
}

/// The initial inputs, one of every kind.
enum ReaderSeeds {
    static func all() throws -> [(name: String, bytes: [UInt8])] {
        var signed = ReceiptFixture(purchases: 1)
        signed.issuer.hasSignedAttributes = true
        let file = ReceiptFixture(purchases: 1).bytes()
        var seeds: [(name: String, bytes: [UInt8])] = [
            ("receipt", file), ("receipt with signed attributes", signed.bytes()),
            ("streamed receipt", try BERStream.reencode(file, pieceSize: 50)),
            ("token", Array(SignedTransactionFixture().token().utf8)),
            (
                "response",
                Array(
                    ReceiptFixtures.answer(
                        "\"pending_renewal_info\":[{\"product_id\":\"pro\"}]", inApp: ReceiptFixtures.row("pro")))
            ),
            ("certificate", Array(Base64.decode(AppleRoots.rootCA.encoding) ?? [])),
            ("fingerprint", AppleRoots.rootCAG3.fingerprint),
            (
                "PEM",
                Array("-----BEGIN CERTIFICATE-----\n\(AppleRoots.rootCAG3.encoding)\n-----END CERTIFICATE-----\n".utf8)
            ),
        ]
        for (name, payload) in SignedPayloadSamples.all.sorted(by: { $0.key < $1.key }) {
            seeds.append(("\(name) token", Array(UnsignedToken.around(payload).utf8)))
            seeds.append((name, Array(payload.utf8)))
        }
        return seeds
    }
}
