import AppReceipt
import AppStoreServer
import Foundation

extension ReceiptInspector {
    /// Inspects a JSON object: the body of a request to a server, a reply of the App Store Server API, a notification
    /// of version 1, or a response of `verifyReceipt`. The names in the object tell the forms apart.
    func inspectJSON(_ data: Data) throws(MalformedReceiptError) -> ReceiptInspection {
        let tape = try JSONTape(data)
        var values: [String: Int] = [:]
        for name in tape.names(of: 0) { values[tape.string(tape.node(name))] = name + 1 }
        if let value = values["signedPayload"] {
            guard let text = try AppStoreServerNotification.signedPayload(inRequestBody: data) else {
                throw MalformedReceiptError(
                    .invalidValue, at: tape.offset(tape.node(value)), expected: "a signed text as signedPayload")
            }
            return try inspectToken(text, size: data.count)
        }
        if values["unified_receipt"] != nil || values["notification_type"] != nil {
            return try inspectNotificationOfVersion1(tape, values)
        }
        let texts = SignedTexts(tape)
        guard texts.all.isEmpty, values.keys.allSatisfy({ !SignedTexts.lists.contains($0) }) else {
            return try inspect(texts, size: data.count)
        }
        let response = try VerifyReceiptResponse.unverified(json: data)
        return inspection(of: response, .verifyReceipt, size: data.count, named: response.receipt?.bundleID)
    }

    private func inspectNotificationOfVersion1(
        _ tape: JSONTape, _ values: [String: Int]
    ) throws(MalformedReceiptError) -> ReceiptInspection {
        guard let node = values["unified_receipt"].map(tape.node), node.kind == .object else {
            throw MalformedReceiptError(
                .unexpectedElement, at: 0, expected: "an object unified_receipt in the notification")
        }
        let bundleID = values["bid"].map(tape.node).flatMap { $0.kind == .string ? tape.string($0) : nil }
        do throws(MalformedReceiptError) {
            let response = try VerifyReceiptResponse.unverified(json: Data(tape.bytes[Int(node.start)..<Int(node.end)]))
            return inspection(of: response, .notificationOfVersion1, size: tape.bytes.count, named: bundleID)
        } catch {
            throw error.relocated { tape.offset(node) + $0 }
        }
    }

    private func inspection(
        of response: VerifyReceiptResponse, _ form: ReceiptInspection.Form, size: Int, named bundleID: String?
    ) -> ReceiptInspection {
        var steps = [
            ReceiptInspection.Step(
                name: "structure", hasPassed: true,
                detail: "a response with status \(response.status)"
                    + (response.omitsUnknownFields ? ", without unknown fields that need too much memory" : ""))
        ]
        if response.receipt == nil {
            let detail =
                response.status == 0
                ? "there is neither a receipt nor a list of transactions"
                : "Apple refused the receipt with status \(response.status)"
            steps.append(.init(name: "status", hasPassed: false, detail: detail))
        }
        steps.append(.init(name: "signature", hasPassed: false, detail: "JSON has no signature"))
        if response.receipt != nil { steps.append(bundleStep(bundleID)) }
        var receipt = response.receipt
        if let contents = receipt?.contents, contents.bundleID == nil, let bundleID {
            var contents = contents
            contents.bundleID = bundleID
            receipt = Receipt(contents)
        }
        return ReceiptInspection(
            form: form, size: size, now: now, receipt: receipt, status: response.status, steps: steps)
    }

    private func bundleStep(_ named: String?) -> ReceiptInspection.Step {
        guard let bundleID else { return .init(name: "bundleID", hasPassed: nil, detail: "no --bundle-id") }
        let hasPassed = named?.utf8.elementsEqual(bundleID.utf8) ?? false
        return .init(
            name: "bundleID", hasPassed: hasPassed,
            detail: hasPassed ? bundleID : "the receipt is for \(named ?? "no app"), not for \(bundleID)")
    }
}

/// The signed texts in a reply of the App Store Server API, in the order of the reply.
private struct SignedTexts {
    private(set) var all: [(text: String, offset: Int)] = []

    /// The names of lists that may be empty.
    static let lists: Set<String> = ["signedTransactions", "data", "notificationHistory"]
    private static let names: Set<String> = [
        "signedTransactions", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "signedPayload",
    ]

    init(_ tape: JSONTape) {
        collect(0, of: tape, isSigned: false)
    }

    /// Collects the texts in the value at `index`. The scanner limits the depth.
    private mutating func collect(_ index: Int, of tape: JSONTape, isSigned: Bool) {
        let node = tape.node(index)
        switch node.kind {
        case .string where isSigned: all.append((tape.string(node), tape.offset(node)))
        case .array:
            for element in tape.elements(of: index) { collect(element, of: tape, isSigned: isSigned) }
        case .object:
            for name in tape.names(of: index) {
                collect(name + 1, of: tape, isSigned: Self.names.contains(tape.string(tape.node(name))))
            }
        default: break
        }
    }
}

extension ReceiptInspector {
    /// Inspects all signed texts of a reply as one receipt. A check passes if all texts pass.
    private func inspect(_ texts: SignedTexts, size: Int) throws(MalformedReceiptError) -> ReceiptInspection {
        var contents = ReceiptContents()
        var reports: [ReceiptVerificationReport] = []
        for (text, offset) in texts.all {
            do throws(MalformedReceiptError) {
                let signed = try SignedText(text)
                signed.add(to: &contents)
                // The transaction of the same subscription names the app.
                let renewal = signed.payload.renewalInfo
                let hasTransaction = contents.transactions.contains {
                    $0.originalTransactionID == renewal?.originalTransactionID
                }
                reports.append(try report(on: signed, namesApp: renewal == nil || !hasTransaction))
            } catch {
                throw MalformedReceiptError(
                    error.code, at: offset, expected: "\(error.expected), in a signed text", found: error.found)
            }
        }
        var steps = [
            ReceiptInspection.Step(
                name: "signedTexts", hasPassed: !reports.isEmpty, detail: "\(reports.count) in the reply")
        ]
        steps += ReceiptCheck.allCases.compactMap { step($0, in: reports) }
        return ReceiptInspection(form: .reply, size: size, now: now, receipt: Receipt(contents), steps: steps)
    }

    /// Returns the first failure of a check with the number of its text, or else the first outcome; `nil` for a check
    /// that wasn't made for every text.
    private func step(_ check: ReceiptCheck, in reports: [ReceiptVerificationReport]) -> ReceiptInspection.Step? {
        let steps = reports.map { report in report.steps.first { $0.check == check }.map(ReceiptInspection.Step.init) }
        if let place = steps.firstIndex(where: { $0?.hasPassed == false }), let failed = steps[place] {
            return .init(name: failed.name, hasPassed: false, detail: "signed text \(place + 1): \(failed.detail)")
        }
        let made = steps.compactMap(\.self)
        guard made.count == steps.count else { return nil }
        return made.first { $0.hasPassed == true } ?? made.first
    }
}
