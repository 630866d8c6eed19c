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
            // This is the body of a notification as Apple posts it, or else a response of verifyReceipt.
            if let text = try? AppStoreServerNotification.signedPayload(inRequestBody: data) {
                return try inspectToken(text, size: data.count)
            }
            return try inspectResponse(data)
        }
        if bytes.count(where: { $0 == UInt8(ascii: ".") }) == 2 {
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return try inspectToken(text, size: data.count)
        }
        guard let decoded = Self.decodingBase64(bytes), decoded.first == Self.sequenceTag else {
            throw MalformedReceiptError(
                .unsupported, at: 0,
                expected: "a PKCS#7 receipt (binary or base64), JSON of verifyReceipt, or signed data (JWS)")
        }
        return try inspectFile(decoded, .pkcs7Base64, size: data.count)
    }

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

    private func inspectFile(_ data: Data, _ form: ReceiptInspection.Form, size: Int) throws(MalformedReceiptError)
        -> ReceiptInspection
    {
        let container = try CMSSignedData(data)
        let receipt = try Receipt(container)
        var anchors = [ReceiptTrustAnchor.appStore]
        if allowsLocalTesting { anchors += [.localTesting, try .certificate(SimulatedReceiptIssuer.rootCertificate)] }
        let verifier = LocalReceiptVerifier(
            bundleID: bundleID.map(ExpectedBundleID.exactly) ?? .any, device: device, date: now, trustAnchors: anchors)
        let report = verifier.report(on: container)
        if let malformation = report.failure?.malformation { throw malformation }
        return ReceiptInspection(
            form: form, size: size, now: now, receipt: receipt, steps: report.steps.map(ReceiptInspection.Step.init))
    }

    private func inspectResponse(_ data: Data) throws(MalformedReceiptError) -> ReceiptInspection {
        let response = try VerifyReceiptResponse(json: data)
        var steps = [
            ReceiptInspection.Step(
                name: "structure", hasPassed: true, detail: "a response with status \(response.status)")
        ]
        if response.status != 0 && response.status != 21_006 {
            steps.append(
                .init(
                    name: "status", hasPassed: false, detail: "Apple refused the receipt with status \(response.status)"
                ))
        }
        steps.append(
            .init(
                name: "signature", hasPassed: false, detail: "JSON has no signature"))
        if let receipt = response.receipt {
            steps.append(bundleStep(receipt.bundleID))
        }
        return ReceiptInspection(
            form: .verifyReceipt, size: data.count, now: now, receipt: response.receipt, status: response.status,
            steps: steps)
    }

    private func bundleStep(_ named: String?) -> ReceiptInspection.Step {
        guard let bundleID else { return .init(name: "bundleID", hasPassed: nil, detail: "no --bundle-id") }
        let hasPassed = named?.utf8.elementsEqual(bundleID.utf8) ?? false
        return .init(
            name: "bundleID", hasPassed: hasPassed,
            detail: hasPassed ? bundleID : "the receipt is for \(named ?? "no app"), not for \(bundleID)")
    }

    private func inspectToken(_ text: String, size: Int) throws(MalformedReceiptError) -> ReceiptInspection {
        let token = try SignedPayload.unverified(jws: text)
        var anchors = [ReceiptTrustAnchor.appStoreG3]
        if allowsLocalTesting { anchors += [.localTesting, try .certificate(SimulatedJWSIssuer.rootCertificate)] }
        let expected = bundleID.map(ExpectedBundleID.exactly) ?? .any
        // Where no Apple ID is given, the one that the payload names is as good as another.
        let (notification, request) = (try token.notification, try token.realtimeRequest)
        let named = notification?.appStoreID ?? request?.appStoreID
        let verifier = SignedTransactionVerifier(
            bundleID: expected, environment: nil, appStoreID: appStoreID ?? named.flatMap { $0 == 0 ? nil : $0 },
            trustAnchors: anchors)
        let report = verifier.report(on: text)
        if let malformation = report.failure?.malformation { throw malformation }
        var contents = ReceiptContents()
        contents.transactions = [token.transaction ?? notification?.transaction].compactMap { $0 }.map(
            ReceiptTransaction.init)
        contents.renewals = [token.renewalInfo ?? notification?.renewalInfo].compactMap { $0 }.compactMap(
            ReceiptRenewal.init)
        let application = token.appTransaction ?? notification?.appTransaction
        contents.bundleID = token.transaction?.bundleID ?? application?.bundleID ?? notification?.bundleID
        contents.environment =
            token.transaction?.environment ?? token.renewalInfo?.environment ?? application?.environment
            ?? notification?.environment ?? request?.environment
        contents.applicationVersion = application?.applicationVersion
        contents.originalApplicationVersion = application?.originalApplicationVersion
        contents.originalPurchaseDate = application?.originalPurchaseDate
        contents.appStoreID = application?.appStoreID ?? named
        contents.creationDate = token.signedDate
        return ReceiptInspection(
            form: ReceiptInspection.Form(token), size: size, now: now, receipt: Receipt(contents),
            notification: notification,
            steps: report.steps.map(ReceiptInspection.Step.init))
    }
}
