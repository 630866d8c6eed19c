package import AppReceipt
package import AppStoreSimulator
package import Foundation
import Testing

/// A valid receipt and everything needed to verify it. Tests can modify each part.
package struct ReceiptFixture {
    package static let bundleID = "com.example.app"
    package static let version = "1.2.3"
    package static let creationDate = Date(timeIntervalSince1970: 1_600_000_000)
    package static let device = Array(0x20..<0x30) as [UInt8]

    package var receipt: SimulatedReceipt
    package var issuer = SimulatedReceiptIssuer()
    package var verifier: LocalReceiptVerifier

    package init(purchases: Int = 2) {
        receipt = SimulatedReceipt(bundleID: Self.bundleID, appVersion: Self.version, creationDate: Self.creationDate)
        receipt.deviceIdentifier = Self.device
        receipt.appStoreID = 1_234_567_890
        receipt.ageRating = "4+"
        receipt.downloadID = 81_234_567_890_123
        receipt.originalPurchaseDate = Self.creationDate.addingTimeInterval(-86_400)
        receipt.transactions = (0..<purchases).map { index in
            let date = Self.creationDate.addingTimeInterval(Double(index - purchases) * 3_600)
            var purchase = SimulatedReceiptTransaction(
                productID: "com.example.product.\(index % 7)", transactionID: "\(1_000_000 + index)", purchaseDate: date
            )
            purchase.productType = 3
            purchase.expirationDate = date.addingTimeInterval(2_592_000)
            purchase.webOrderLineItemID = Int64(500_000_000_000 + index)
            purchase.isTrialPeriod = index == 0
            purchase.isInIntroductoryOfferPeriod = false
            return purchase
        }
        verifier = LocalReceiptVerifier(
            bundleID: .exactly(Self.bundleID), environment: .production,
            device: DeviceIdentifier(bytes: Self.device), version: Self.version,
            date: Self.creationDate, trustAnchors: .pinning(SimulatedReceiptIssuer.rootCertificate))
    }

    /// The receipt file.
    package func bytes() -> [UInt8] {
        let content = receipt.encoded()
        let chain = issuer.chain ?? .receipts
        guard issuer.signs, !issuer.hasSignedAttributes, case .rsa(let key)? = chain?.leafKey else {
            return issuer.container(around: content)
        }
        // The signature is at the end of a file, and depends on the content only.
        var unsigned = issuer
        unsigned.signs = false
        let signature = SignatureMemo.shared.signature(of: content, by: .rsa(key), issuer.digest)
        return unsigned.container(around: content).dropLast(signature.count) + signature
    }

    package func report() -> ReceiptVerificationReport {
        report(on: bytes())
    }

    package func report(on bytes: [UInt8]) -> ReceiptVerificationReport {
        verifier.report(on: Data(bytes))
    }

    /// The three certificates before they are signed.
    package static func certificates() throws -> (
        root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate
    ) {
        SimulatedCertificateChain.certificates(
            root: .rsa(try #require(SimulatedSigningKeys.root)),
            intermediate: .rsa(try #require(SimulatedSigningKeys.intermediate)),
            leaf: .rsa(try #require(SimulatedSigningKeys.leaf)))
    }

    /// Signs with modified certificates and trusts their root.
    package mutating func sign(
        with parts: (root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate)
    ) {
        issuer.chain = SignatureMemo.shared.chain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
        verifier.trustAnchors = .pinning(Data(issuer.chain?.root ?? []))
    }
}

extension ReceiptVerificationReport {
    /// The failed check with its code.
    package var failures: [ReceiptCheck: ReceiptVerificationError.Code] {
        var failures: [ReceiptCheck: ReceiptVerificationError.Code] = [:]
        for step in steps {
            if case .failed(let error) = step.outcome { failures[step.check] = error.code }
        }
        return failures
    }
}

extension [ReceiptTrustAnchor] {
    /// Returns one trust anchor, or none if the bytes aren't a certificate.
    package static func pinning(_ certificate: Data) -> [ReceiptTrustAnchor] {
        (try? .certificate(certificate)).map { [$0] } ?? []
    }
}
