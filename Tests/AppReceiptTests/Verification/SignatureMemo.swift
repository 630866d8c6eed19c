import AppStoreSimulator
import Foundation
import ReceiptCryptography

/// Remembers what has been signed: without optimization a signature takes a fiftieth of a second, and most tests sign
/// the same.
// @unchecked because: `known` is only touched while `lock` is held.
final class SignatureMemo: @unchecked Sendable {
    static let shared = SignatureMemo()

    private let lock = NSLock()
    private var known: [[String]: [UInt8]] = [:]

    private func bytes(for key: [String], _ make: () -> [UInt8]) -> [UInt8] {
        if let bytes = lock.withLock({ known[key] }) { return bytes }
        let bytes = make()
        lock.withLock { known[key] = bytes }
        return bytes
    }

    private static func text(_ key: SimulatedKey) -> String { Data(key.publicKeyInformation).base64EncodedString() }

    /// The key's signature; RSA's is always the same.
    func signature(of message: [UInt8], by key: SimulatedKey, _ digest: SignatureDigest) -> [UInt8] {
        bytes(for: [Data(message).base64EncodedString(), Self.text(key), "\(digest)"]) { key.signature(of: message, digest) }
    }

    private func certificate(_ certificate: SimulatedCertificate, signedBy issuer: SimulatedKey) -> [UInt8] {
        let parts: [Any?] = [
            certificate.subject, certificate.issuer, certificate.serialNumber, certificate.notBefore, certificate.notAfter,
            certificate.isAuthority, certificate.pathLength, certificate.keyUsage, certificate.markers, certificate.hasCriticalMarkers,
            certificate.digest,
        ]
        return bytes(for: parts.map { "\($0 ?? "")" } + [Self.text(certificate.key), Self.text(issuer)]) { certificate.signed(by: issuer) }
    }

    /// Signs three certificates with one another's keys, as far as they have not been signed before.
    func chain(
        root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate
    ) -> SimulatedCertificateChain? {
        guard var chain = SimulatedCertificateChain.receipts else { return nil }
        chain.root = certificate(root, signedBy: root.key)
        chain.intermediate = certificate(intermediate, signedBy: root.key)
        chain.leaf = certificate(leaf, signedBy: intermediate.key)
        (chain.leafKey, chain.leafIssuer, chain.leafSerialNumber) = (leaf.key, leaf.issuer, leaf.serialNumber)
        return chain
    }
}
