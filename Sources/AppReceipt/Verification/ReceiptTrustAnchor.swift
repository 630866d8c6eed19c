public import Foundation

/// A trusted certificate at the end of a certificate chain.
public struct ReceiptTrustAnchor: Hashable, Sendable {
    /// The SHA-256 of the certificate; empty for local testing.
    let fingerprint: [UInt8]
    /// The complete certificate, if known. The verified data doesn't need to contain it.
    let certificate: Certificate?
    /// The name in reports.
    let name: String

    /// Apple Root CA, under which the App Store signs receipts.
    ///
    /// Apple publishes the certificate and its SHA-256 `b0b1730e…1001f024`, on its certificate authority page.
    public static let appStore = ReceiptTrustAnchor(AppleRoots.rootCA, "Apple Root CA")

    /// Apple Root CA - G3, under which the App Store signs transactions and notifications.
    ///
    /// Apple publishes the certificate and its SHA-256 `63343abf…653e9179`, on its certificate authority page.
    public static let appStoreG3 = ReceiptTrustAnchor(AppleRoots.rootCAG3, "Apple Root CA - G3")

    /// The certificates of Xcode's local testing. For tests only, because anyone can create such a signature.
    ///
    /// Has an effect only if the verifier requires the environment ``ReceiptEnvironment/xcode``, and then accepts only
    /// data that names it. Any self-signed certificate is accepted, without Apple's markers. To accept one
    /// installation of Xcode only, export its certificate (Editor > Save Public Certificate) and use
    /// ``certificate(_:)``.
    public static let localTesting = ReceiptTrustAnchor(fingerprint: [], certificate: nil, name: "local testing")

    /// Returns a trust anchor for a certificate in DER or PEM, such as the test root of the simulated App Store or a
    /// certificate exported from Xcode.
    ///
    /// The verified data doesn't need to contain the certificate. The chain must have the same length and markers as
    /// Apple's chains, unless the certificate is the signer's own.
    ///
    /// - Parameter encoding: one certificate of at most 64 KiB in DER, or 128 KiB in PEM.
    /// - Throws: an error if `encoding` isn't a certificate.
    public static func certificate(_ encoding: Data) throws(MalformedReceiptError) -> ReceiptTrustAnchor {
        let certificate = try Certificate(PEM.certificate(in: encoding)[...])
        return ReceiptTrustAnchor(
            fingerprint: certificate.fingerprint, certificate: certificate, name: "the trusted certificate")
    }

    /// Returns a trust anchor for the certificate with a SHA-256. The verified data must contain the certificate.
    ///
    /// - Throws: an error if `sha256` doesn't have 32 bytes.
    public static func fingerprint(sha256: Data) throws(MalformedReceiptError) -> ReceiptTrustAnchor {
        guard sha256.count == 32 else {
            throw MalformedReceiptError(
                .invalidValue, at: 0, expected: "a SHA-256 of 32 bytes", found: "\(sha256.count) bytes")
        }
        return ReceiptTrustAnchor(fingerprint: [UInt8](sha256), certificate: nil, name: "the pinned root")
    }

    private init(fingerprint: [UInt8], certificate: Certificate?, name: String) {
        self.fingerprint = fingerprint
        self.certificate = certificate
        self.name = name
    }

    private init(_ root: AppleRoots.Root, _ name: String) {
        self.init(
            fingerprint: root.fingerprint, certificate: try? Certificate((Base64.decode(root.encoding) ?? [])[...]),
            name: name)
    }

    /// Returns whether both trust the same certificate in the same way.
    public static func == (left: ReceiptTrustAnchor, right: ReceiptTrustAnchor) -> Bool {
        left.fingerprint == right.fingerprint && (left.certificate == nil) == (right.certificate == nil)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fingerprint)
        hasher.combine(certificate == nil)
    }
}

/// The trust anchors of one verification.
struct TrustedRoots {
    private let anchors: [ReceiptTrustAnchor]
    /// The complete certificates, which verified data doesn't need to contain.
    let certificates: [Certificate]
    let acceptsLocalTesting: Bool

    init(_ anchors: [ReceiptTrustAnchor]) {
        self.anchors = anchors.filter { !$0.fingerprint.isEmpty }
        certificates = anchors.compactMap(\.certificate)
        acceptsLocalTesting = anchors.contains(.localTesting)
    }

    /// Returns the name of the anchor for a certificate; `nil` if the certificate isn't trusted.
    func name(of certificate: Certificate) -> String? {
        if let anchor = anchors.first(where: { $0.certificate?.encoding == certificate.encoding }) {
            return anchor.name
        }
        // Anchors with complete certificates are compared above. The others have only a digest.
        let pinned = anchors.filter { $0.certificate == nil }
        guard !pinned.isEmpty else { return nil }
        let fingerprint = certificate.fingerprint
        return pinned.first { $0.fingerprint == fingerprint }?.name
    }

    /// Returns whether a certificate is a complete trust anchor, which may be the signer's own.
    func contains(_ certificate: Certificate) -> Bool {
        certificates.contains { $0.encoding == certificate.encoding }
    }
}
