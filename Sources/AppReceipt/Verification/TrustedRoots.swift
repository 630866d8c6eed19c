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
