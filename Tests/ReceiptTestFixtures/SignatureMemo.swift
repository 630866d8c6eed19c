package import AppStoreSimulator
import Foundation
package import ReceiptCryptography

/// A cache of signatures. In debug builds a signature takes 20 ms, and most tests sign the same bytes.
// @unchecked because: `known` is only accessed while `lock` is held.
package final class SignatureMemo: @unchecked Sendable {
    package static let shared = SignatureMemo()

    private let lock = NSLock()
    private var known: [[String]: [UInt8]] = [:]

    private func bytes(for key: [String], _ make: () -> [UInt8]) -> [UInt8] {
        if let bytes = lock.withLock({ known[key] }) { return bytes }
        let bytes = make()
        lock.withLock { known[key] = bytes }
        return bytes
    }

    private static func text(_ key: SimulatedKey) -> String { Data(key.publicKeyInformation).base64EncodedString() }

    /// Returns the key's signature. RSA signatures are deterministic.
    package func signature(of message: [UInt8], by key: SimulatedKey, _ digest: SignatureDigest) -> [UInt8] {
        bytes(for: [Data(message).base64EncodedString(), Self.text(key), "\(digest)"]) {
            key.signature(of: message, digest)
        }
    }

    private func certificate(_ certificate: SimulatedCertificate, signedBy issuer: SimulatedKey) -> [UInt8] {
        let parts: [Any?] = [
            certificate.subject, certificate.issuer, certificate.serialNumber, certificate.notBefore,
            certificate.notAfter,
            certificate.isAuthority, certificate.pathLength, certificate.keyUsage, certificate.markers,
            certificate.hasCriticalMarkers,
            certificate.digest,
        ]
        return bytes(for: parts.map { "\($0 ?? "")" } + [Self.text(certificate.key), Self.text(issuer)]) {
            certificate.signed(by: issuer)
        }
    }

    /// Signs three certificates with each other's keys, unless they are cached.
    package func chain(
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
