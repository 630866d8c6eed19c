public import Foundation

/// A certificate at which a chain may end for its signature to be trusted.
public struct ReceiptTrustAnchor: Hashable, Sendable {
    /// The SHA-256 of the certificate; empty for local testing.
    let fingerprint: [UInt8]
    /// The complete certificate, if it is known: then the verified data needn't contain it.
    let certificate: Certificate?
    /// What reports call it.
    let name: String

    /// Apple Root CA, under which the App Store signs receipts.
    ///
    /// Apple publishes it, and its SHA-256 `b0b1730e…1001f024`, on its certificate authority page.
    public static let appStore = ReceiptTrustAnchor(AppleRoots.rootCA, "Apple Root CA")

    /// Apple Root CA - G3, under which the App Store signs transactions and notifications.
    ///
    /// Apple publishes it, and its SHA-256 `63343abf…653e9179`, on its certificate authority page.
    public static let appStoreG3 = ReceiptTrustAnchor(AppleRoots.rootCAG3, "Apple Root CA - G3")

    /// The certificates of Xcode's local testing. For tests only, because anyone can create such a signature.
    ///
    /// Accepts only what says that it comes from local testing (``ReceiptEnvironment/xcode``), and so nothing where
    /// production is expected. The signer's certificate has to have issued itself; that it is a particular one is not
    /// checked, nor are Apple's markers. To accept one Xcode only, export its certificate (Editor > Save Public
    /// Certificate) and use ``certificate(_:)``.
    public static let localTesting = ReceiptTrustAnchor(fingerprint: [], certificate: nil, name: "local testing")

    /// A certificate of one's own, in DER or PEM: the simulated App Store's test root, or the one Xcode exports.
    ///
    /// The verified data needn't contain it. Below it the chain has to have Apple's shape, markers included,
    /// unless the certificate itself is the signer's.
    ///
    /// - Parameter encoding: one certificate, of at most 64 KiB; in PEM with the lines around it at most 128 KiB.
    /// - Throws: the reason why `encoding` is no certificate.
    public static func certificate(_ encoding: Data) throws(MalformedReceiptError) -> ReceiptTrustAnchor {
        let certificate = try Certificate(PEM.certificate(in: encoding)[...])
        return ReceiptTrustAnchor(fingerprint: certificate.fingerprint, certificate: certificate, name: "the trusted certificate")
    }

    /// Any certificate with this SHA-256, if the verified data contains it.
    ///
    /// - Throws: an error when `sha256` does not have the 32 bytes of a SHA-256.
    public static func fingerprint(sha256: Data) throws(MalformedReceiptError) -> ReceiptTrustAnchor {
        guard sha256.count == 32 else {
            throw MalformedReceiptError(.invalidValue, at: 0, expected: "a SHA-256 of 32 bytes", found: "\(sha256.count) bytes")
        }
        return ReceiptTrustAnchor(fingerprint: [UInt8](sha256), certificate: nil, name: "the pinned root")
    }

    private init(fingerprint: [UInt8], certificate: Certificate?, name: String) {
        self.fingerprint = fingerprint
        self.certificate = certificate
        self.name = name
    }

    private init(_ root: AppleRoots.Root, _ name: String) {
        self.init(fingerprint: root.fingerprint, certificate: try? Certificate((Base64.decode(root.encoding) ?? [])[...]), name: name)
    }

    /// Whether both trust the same certificate, in the same way.
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
    /// Anchors that are known in full, and so can be the end of a chain that does not enclose them.
    let certificates: [Certificate]
    let acceptsLocalTesting: Bool

    init(_ anchors: [ReceiptTrustAnchor]) {
        self.anchors = anchors.filter { !$0.fingerprint.isEmpty }
        certificates = anchors.compactMap(\.certificate)
        acceptsLocalTesting = anchors.contains(.localTesting)
    }

    /// What the anchor is called that this certificate is, or `nil` when it is none.
    func name(of certificate: Certificate) -> String? {
        if let anchor = anchors.first(where: { $0.certificate?.encoding == certificate.encoding }) { return anchor.name }
        // The certificate of an anchor that is known in full has just been compared; of the others only the digest is
        // known.
        let pinned = anchors.filter { $0.certificate == nil }
        guard !pinned.isEmpty else { return nil }
        let fingerprint = certificate.fingerprint
        return pinned.first { $0.fingerprint == fingerprint }?.name
    }

    /// Whether this certificate was handed over in full, so that it may be the signer's.
    func contains(_ certificate: Certificate) -> Bool {
        certificates.contains { $0.encoding == certificate.encoding }
    }
}
