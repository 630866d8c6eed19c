import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation

/// Detects the form of a file, reads its contents, and verifies them.
struct ReceiptInspector {
    var bundleID: String?
    var appStoreID: Int64?
    var device: DeviceIdentifier?
    var allowsLocalTesting = false
    let now: Date

    /// Inspects the bytes of a file.
    ///
    /// - Throws: `MalformedReceiptError` with the offset of the error; for base64, the offset in the decoded bytes.
    func inspect(_ data: Data) throws(MalformedReceiptError) -> ReceiptInspection {
        let bytes = data.drop(while: Self.isSpace)
        guard let first = bytes.first else {
            throw MalformedReceiptError(.truncated, at: 0, expected: "a receipt", found: "no bytes")
        }
        if data.first == Self.sequenceTag { return try inspectFile(data, .pkcs7, size: data.count) }
        if first == UInt8(ascii: "{") {
            guard !Self.isPropertyList(bytes) else { throw Self.styleOfiOS6 }
            return try inspectJSON(data)
        }
        if bytes.count(where: { $0 == UInt8(ascii: ".") }) == 2 {
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return try inspectToken(text, size: data.count)
        }
        let decoded = Self.decodingBase64(bytes)
        if let decoded, Self.isPropertyList(decoded) { throw Self.styleOfiOS6 }
        guard let decoded, decoded.first == Self.sequenceTag else {
            throw MalformedReceiptError(
                .unsupported, at: 0,
                expected: "a PKCS#7 receipt (binary or base64), JSON of the App Store, or signed data (JWS)")
        }
        return try inspectFile(decoded, .pkcs7Base64, size: data.count)
    }

    /// Returns whether the bytes begin like `SKPaymentTransaction.transactionReceipt`: `{ "signature" = "…";`.
    private static func isPropertyList(_ bytes: Data) -> Bool {
        let start = String(decoding: bytes.prefix(200), as: UTF8.self)
        return start.range(of: #"^\{\s*"?[A-Za-z-]+"?\s*="#, options: .regularExpression) != nil
    }

    private static let styleOfiOS6 = MalformedReceiptError(
        .unsupported, at: 0, expected: "a receipt of iOS 7 or later",
        found: "a transaction receipt in the style of iOS 6 (property list), which only verifyReceipt reads")

    /// The first byte of every PKCS#7 container: SEQUENCE, constructed.
    private static let sequenceTag: UInt8 = 0x30

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Decodes base64 in either alphabet, with or without line breaks and the first and last line of PEM.
    private static func decodingBase64(_ text: Data) -> Data? {
        let lines = text.split { $0 == 0x0A || $0 == 0x0D }.filter { !$0.starts(with: Data("-----".utf8)) }
        let encoded = [UInt8](lines.joined())[...]
        let alphabets = [Base64.Alphabet.standard, .urlSafe]
        return alphabets.lazy.compactMap { try? Base64.decode(encoded, $0).get() }.first.map { Data($0) }
    }

    /// Returns the environment that a verifier requires. Only Xcode's environment admits certificates of local testing.
    func expected(_ named: ReceiptEnvironment?) -> ReceiptEnvironment? {
        allowsLocalTesting && named == .xcode ? .xcode : nil
    }

    private func inspectFile(_ data: Data, _ form: ReceiptInspection.Form, size: Int) throws(MalformedReceiptError)
        -> ReceiptInspection
    {
        let receipt = try Receipt(CMSSignedData(data))
        var anchors = [ReceiptTrustAnchor.appStore]
        if allowsLocalTesting { anchors += [.localTesting, try .certificate(SimulatedReceiptIssuer.rootCertificate)] }
        let verifier = LocalReceiptVerifier(
            bundleID: bundleID.map(ExpectedBundleID.exactly) ?? .any, environment: expected(receipt.environment),
            device: device, date: now, trustAnchors: anchors)
        let report = verifier.report(on: data)
        if let malformation = report.failure?.malformation { throw malformation }
        return ReceiptInspection(
            form: form, size: size, now: now, receipt: receipt, steps: report.steps.map(ReceiptInspection.Step.init))
    }
}
