import AppReceipt
import AppStoreSimulator
import Foundation

/// Finds out what a file is, reads it and verifies it.
struct ReceiptInspector {
    private let bundleID: String?
    private let device: DeviceIdentifier?
    private let allowsLocalTesting: Bool
    private let now: Date

    init(_ options: ReceiptCommandOptions, now: Date) {
        bundleID = options.bundleID
        device = options.device
        allowsLocalTesting = options.allowsLocalTesting
        self.now = now
    }

    /// Inspects a file's bytes.
    ///
    /// - Throws: where the bytes stop being any of the forms, in offsets of what was decoded from base64 if they were in it.
    func inspect(_ data: Data) throws(MalformedReceiptError) -> ReceiptInspection {
        guard let first = data.first(where: { !Self.isSpace($0) }) else {
            throw MalformedReceiptError(.truncated, at: 0, expected: "a receipt", found: "no bytes")
        }
        if data.first == Self.sequenceTag { return try inspectFile(data, .pkcs7, size: data.count) }
        if first == UInt8(ascii: "{") { return try inspectAnswer(data) }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.filter({ $0 == "." }).count == 2 { return try inspectToken(text, size: data.count) }
        guard let decoded = Self.decodingBase64(text), decoded.first == Self.sequenceTag else {
            throw MalformedReceiptError(
                .unsupported, at: 0, expected: "a PKCS#7 receipt (binary or base64), JSON of verifyReceipt, or a signed transaction")
        }
        return try inspectFile(decoded, .pkcs7Base64, size: data.count)
    }

    /// The first byte of every PKCS#7 container: SEQUENCE, constructed.
    private static let sequenceTag: UInt8 = 0x30

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Base64 in either alphabet, in lines or not, with or without padding, and between the lines that PEM puts around it.
    private static func decodingBase64(_ text: String) -> Data? {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        var joined = lines.joined().filter { !$0.isWhitespace && $0 != "=" }
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        joined += String(repeating: "=", count: (4 - joined.utf8.count % 4) % 4)
        return Data(base64Encoded: joined)
    }

    private func inspectFile(_ data: Data, _ form: ReceiptInspection.Form, size: Int) throws(MalformedReceiptError) -> ReceiptInspection {
        let container = try CMSSignedData([UInt8](data)[...])
        let receipt = try Receipt(container)
        var anchors = [ReceiptTrustAnchor.appStore]
        if allowsLocalTesting { anchors += [.localTesting, try .certificate(ReceiptIssuer.rootCertificate)] }
        let verifier = LocalReceiptVerifier(
            bundleID: bundleID.map(ExpectedBundleID.exactly) ?? .any, device: device, date: now, trustAnchors: anchors)
        let report = verifier.report(on: container)
        if let malformation = report.failure?.malformation { throw malformation }
        return ReceiptInspection(form: form, size: size, now: now, receipt: receipt, steps: report.steps.map(ReceiptInspection.Step.init))
    }

    private func inspectAnswer(_ data: Data) throws(MalformedReceiptError) -> ReceiptInspection {
        let response = try VerifyReceiptResponse(json: data)
        var steps = [ReceiptInspection.Step(name: "structure", holds: true, detail: "an answer with status \(response.status)")]
        if response.status != 0 && response.status != 21_006 {
            steps.append(.init(name: "status", holds: false, detail: "Apple refused the receipt with status \(response.status)"))
        }
        steps.append(
            .init(name: "signature", holds: false, detail: "JSON is not signed: only who received it from Apple's server can believe it"))
        if let receipt = response.receipt {
            steps.append(bundleStep(receipt.bundleID))
        }
        return ReceiptInspection(
            form: .verifyReceipt, size: data.count, now: now, receipt: response.receipt, status: response.status, steps: steps)
    }

    private func bundleStep(_ named: String?) -> ReceiptInspection.Step {
        guard let bundleID else { return .init(name: "bundleID", holds: nil, detail: "no bundle identifier was given") }
        let holds = named == bundleID
        return .init(
            name: "bundleID", holds: holds, detail: holds ? bundleID : "the receipt is for \(named ?? "no app"), not for \(bundleID)")
    }

    private func inspectToken(_ text: String, size: Int) throws(MalformedReceiptError) -> ReceiptInspection {
        let token = try SignedPayload.unverified(jws: text)
        var anchors = [ReceiptTrustAnchor.appStoreG3]
        if allowsLocalTesting { anchors += [.localTesting, try .certificate(SignedTransactionIssuer.rootCertificate)] }
        let expected = bundleID.map(ExpectedBundleID.exactly) ?? .any
        let verifier = SignedTransactionVerifier(bundleID: expected, environment: nil, trustAnchors: anchors)
        let report = verifier.report(on: text)
        if let malformation = report.failure?.malformation { throw malformation }
        var contents = ReceiptContents()
        let notification = token.notification
        contents.transactions = [token.transaction ?? notification?.transaction].compactMap { $0 }.map(ReceiptTransaction.init)
        contents.renewals = [token.renewalInfo ?? notification?.renewalInfo].compactMap { $0 }.compactMap(ReceiptRenewal.init)
        let application = token.appTransaction ?? notification?.appTransaction
        contents.bundleID = token.transaction?.bundleID ?? application?.bundleID ?? notification?.bundleID
        contents.environment =
            token.transaction?.environment ?? token.renewalInfo?.environment ?? application?.environment ?? notification?.environment
        contents.applicationVersion = application?.applicationVersion
        contents.originalApplicationVersion = application?.originalApplicationVersion
        contents.originalPurchaseDate = application?.originalPurchaseDate
        contents.creationDate = token.signedDate
        return ReceiptInspection(
            form: ReceiptInspection.Form(token), size: size, now: now, receipt: Receipt(contents),
            steps: report.steps.map(ReceiptInspection.Step.init))
    }
}
