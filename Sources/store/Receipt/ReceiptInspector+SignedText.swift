import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation

/// A decoded signed text of the App Store.
struct SignedText {
    let jws: String
    let payload: SignedPayload
    let notification: AppStoreServerNotification?

    init(_ jws: String) throws(MalformedReceiptError) {
        self.jws = jws
        payload = try SignedPayload.unverified(jws: jws)
        notification = try payload.notification
    }

    /// The app transaction, also that of a notification.
    var application: SignedAppTransactionInfo? { payload.appTransaction ?? notification?.appTransaction }

    var appStoreID: Int64? { notification?.appStoreID ?? application?.appStoreID }

    var environment: ReceiptEnvironment? {
        payload.transaction?.environment ?? payload.renewalInfo?.environment ?? application?.environment
            ?? notification?.environment
    }

    /// Adds the facts of the text to a receipt's. The first text that names a fact determines it.
    func add(to contents: inout ReceiptContents) {
        if let transaction = payload.transaction ?? notification?.transaction {
            contents.transactions.append(ReceiptTransaction(transaction))
        }
        if let renewal = payload.renewalInfo ?? notification?.renewalInfo {
            contents.renewals.append(ReceiptRenewal(renewal))
        }
        contents.bundleID =
            contents.bundleID ?? payload.transaction?.bundleID ?? application?.bundleID ?? notification?.bundleID
        contents.environment = contents.environment ?? environment
        contents.applicationVersion = contents.applicationVersion ?? application?.applicationVersion
        contents.originalApplicationVersion =
            contents.originalApplicationVersion ?? application?.originalApplicationVersion
        contents.originalPurchaseDate = contents.originalPurchaseDate ?? application?.originalPurchaseDate
        contents.appStoreID = contents.appStoreID ?? appStoreID
        contents.creationDate = [contents.creationDate, payload.signedDate].compactMap { $0 }.max()
    }
}

extension ReceiptInspector {
    func inspectToken(_ text: String, size: Int) throws(MalformedReceiptError) -> ReceiptInspection {
        let signed = try SignedText(text)
        let report = try report(on: signed)
        var contents = ReceiptContents()
        signed.add(to: &contents)
        return ReceiptInspection(
            form: ReceiptInspection.Form(signed.payload), size: size, now: now, receipt: Receipt(contents),
            notification: signed.notification, steps: report.steps.map(ReceiptInspection.Step.init))
    }

    /// Verifies a signed text.
    ///
    /// - Parameter namesApp: whether the text has to name the app. Renewal information doesn't.
    func report(
        on signed: SignedText, namesApp: Bool = true
    ) throws(MalformedReceiptError) -> ReceiptVerificationReport {
        var anchors = [ReceiptTrustAnchor.appStoreG3]
        if allowsLocalTesting { anchors += [.localTesting, try .certificate(SimulatedJWSIssuer.rootCertificate)] }
        // Without an Apple ID to compare with, the one in the payload is expected.
        let verifier = SignedTransactionVerifier(
            bundleID: namesApp ? bundleID.map(ExpectedBundleID.exactly) ?? .any : .any,
            environment: expected(signed.environment),
            appStoreID: appStoreID ?? signed.appStoreID.flatMap { $0 == 0 ? nil : $0 }, trustAnchors: anchors)
        let report = verifier.report(on: signed.jws)
        if let malformation = report.failure?.malformation { throw malformation }
        return report
    }
}
