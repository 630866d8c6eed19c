import ReceiptCryptography

/// A root, an intermediate and a leaf certificate with the structure of the App Store's certificates, and the leaf's
/// key.
package struct SimulatedCertificateChain: Sendable {
    package var root: [UInt8]
    package var intermediate: [UInt8]
    package var leaf: [UInt8]
    package var leafKey: SimulatedKey
    package var leafIssuer: String
    package var leafSerialNumber: Int64

    /// Signs the three certificates.
    package init(
        root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate
    ) {
        self.root = root.signed(by: root.key)
        self.intermediate = intermediate.signed(by: root.key)
        self.leaf = leaf.signed(by: intermediate.key)
        leafKey = leaf.key
        leafIssuer = leaf.issuer
        leafSerialNumber = leaf.serialNumber
    }

    /// Apple's marker for certificates that sign receipts and transactions.
    package static let receiptSigningMarker: [UInt64] = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Apple's marker for the intermediate certificates for developers.
    package static let developerRelationsMarker: [UInt64] = [1, 2, 840, 113635, 100, 6, 2, 1]

    /// Returns the unsigned certificates of a chain, which tests can change.
    package static func certificates(
        root: SimulatedKey, intermediate: SimulatedKey, leaf: SimulatedKey
    ) -> (root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate) {
        let rootName = "Simulated App Store Test Root"
        let intermediateName = "Simulated Developer Relations Test Authority"
        return (
            SimulatedCertificate(subject: rootName, issuer: rootName, serialNumber: 1, key: root, isAuthority: true),
            SimulatedCertificate(
                subject: intermediateName, issuer: rootName, serialNumber: 2, key: intermediate, isAuthority: true,
                markers: [developerRelationsMarker]),
            SimulatedCertificate(
                subject: "Simulated App Store Test Receipt Signing", issuer: intermediateName, serialNumber: 3,
                key: leaf,
                isAuthority: false, markers: [receiptSigningMarker])
        )
    }

    /// The chain that signs receipts, with RSA keys of 2048 bits. Created at first use.
    package static let receipts: SimulatedCertificateChain? = {
        guard let root = SimulatedSigningKeys.root, let intermediate = SimulatedSigningKeys.intermediate,
            let leaf = SimulatedSigningKeys.leaf
        else { return nil }
        let parts = certificates(root: .rsa(root), intermediate: .rsa(intermediate), leaf: .rsa(leaf))
        return SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
    }()

    /// The chain that signs transactions, with P-384 keys and a P-256 leaf key. Created at first use.
    package static let signedTransactions: SimulatedCertificateChain? = {
        guard let root = SimulatedSigningKeys.transactionRoot,
            let intermediate = SimulatedSigningKeys.transactionIntermediate,
            let leaf = SimulatedSigningKeys.transactionLeaf
        else { return nil }
        var parts = certificates(
            root: .ellipticCurve(root), intermediate: .ellipticCurve(intermediate), leaf: .ellipticCurve(leaf))
        parts.root.digest = .sha384
        parts.intermediate.digest = .sha384
        parts.leaf.digest = .sha384
        return SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
    }()
}
