public import Foundation

/// A certificate at which a chain may end for its signature to be believed.
public struct ReceiptTrustAnchor: Hashable, Sendable {
    let kind: Kind

    enum Kind: Hashable, Sendable {
        case fingerprint([UInt8], name: String)
        case certificate([UInt8])
        case localTesting
    }

    /// Apple Root CA, under which the App Store signs receipts.
    ///
    /// Pinned by its SHA-256, which Apple publishes on its certificate authority page.
    public static let appStore = ReceiptTrustAnchor(
        kind: .fingerprint(
            [
                0xB0, 0xB1, 0x73, 0x0E, 0xCB, 0xC7, 0xFF, 0x45, 0x05, 0x14, 0x2C, 0x49, 0xF1, 0x29, 0x5E, 0x6E,
                0xDA, 0x6B, 0xCA, 0xED, 0x7E, 0x2C, 0x68, 0xC5, 0xBE, 0x91, 0xB5, 0xA1, 0x10, 0x01, 0xF0, 0x24,
            ], name: "Apple Root CA"))

    /// Apple Root CA - G3, under which the App Store signs transactions.
    ///
    /// Pinned by its SHA-256, which Apple publishes on its certificate authority page.
    public static let appStoreG3 = ReceiptTrustAnchor(
        kind: .fingerprint(
            [
                0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7, 0xBE,
                0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E, 0x91, 0x79,
            ], name: "Apple Root CA - G3"))

    /// Whatever Xcode's local testing signs with, for tests only: anybody can make such a signature.
    ///
    /// The signer's certificate has to have issued itself; that it is a particular one is not checked, nor are Apple's markers. To accept
    /// one Xcode only, export its certificate (Editor > Save Public Certificate) and use ``certificate(_:)``.
    public static let localTesting = ReceiptTrustAnchor(kind: .localTesting)

    /// A certificate of one's own, in DER: the simulated App Store's test root, or the one Xcode exports.
    ///
    /// It need not be enclosed in what is verified. Below it the chain has to have Apple's shape, markers included, unless the certificate
    /// itself is the signer's.
    public static func certificate(_ encoding: Data) -> ReceiptTrustAnchor {
        ReceiptTrustAnchor(kind: .certificate(Array(encoding)))
    }

    /// Any certificate with this SHA-256, if what is verified encloses it.
    public static func fingerprint(sha256: Data) -> ReceiptTrustAnchor {
        ReceiptTrustAnchor(kind: .fingerprint(Array(sha256), name: "the pinned root"))
    }
}

/// The trust anchors of one verification, in the form in which certificates are compared with them.
struct TrustedRoots {
    private let fingerprints: [[UInt8]: String]
    /// Anchors that are known in full, and so can be the end of a chain that does not enclose them.
    let certificates: [Certificate]
    let acceptsLocalTesting: Bool

    /// A certificate of an anchor that cannot be read is still pinned, by its fingerprint, and just never found.
    init(_ anchors: [ReceiptTrustAnchor]) {
        var fingerprints: [[UInt8]: String] = [:]
        var certificates: [Certificate] = []
        for anchor in anchors {
            switch anchor.kind {
            case .fingerprint(let fingerprint, let name): fingerprints[fingerprint] = name
            case .certificate(let encoding):
                fingerprints[DigestAlgorithm.sha256.hash(encoding[...])] = "the trusted certificate"
                if let certificate = try? Certificate(encoding[...]) {
                    certificates.append(certificate)
                }
            case .localTesting: break
            }
        }
        self.fingerprints = fingerprints
        self.certificates = certificates
        acceptsLocalTesting = anchors.contains(.localTesting)
    }

    /// What the anchor is called that this certificate is, or `nil` when it is none.
    func name(of certificate: Certificate) -> String? {
        fingerprints[certificate.fingerprint]
    }
}
