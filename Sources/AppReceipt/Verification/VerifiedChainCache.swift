import Foundation

/// Remembers the chains of certificates in which every check held, so that their signatures are checked once and not
/// for every token.
///
/// A chain is found again for the same certificates in the same order under the same trust anchors; other anchors make
/// it another question. The validity of its certificates is checked for every date. Chains in which a check
/// failed are not remembered: what strangers send must not drive out what Apple's servers send.
// @unchecked because: `entries` and `uses` are only touched while `lock` is held, and nothing else changes.
final class VerifiedChainCache: @unchecked Sendable {
    /// The App Store uses a handful of chains at a time.
    static let shared = VerifiedChainCache(capacity: 64)

    struct Key: Hashable {
        /// SHA-256 over the certificates, each behind its length.
        private let digest: [UInt8]
        private let anchors: [ReceiptTrustAnchor]

        init(_ certificates: [some Collection<UInt8>], trusting anchors: [ReceiptTrustAnchor]) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(certificates.reduce(0) { $0 + $1.count + 8 })
            for certificate in certificates {
                withUnsafeBytes(of: UInt64(certificate.count).bigEndian) { bytes += $0 }
                bytes += certificate
            }
            digest = DigestAlgorithm.sha256.hash(bytes[...])
            self.anchors = anchors
        }
    }

    private struct Entry {
        let chain: CertificateChain
        var lastUse: UInt64
    }

    private let capacity: Int
    private let lock = NSLock()
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many chains are remembered.
    var count: Int { lock.withLock { entries.count } }

    /// The chain for `key`, when all of its certificates were valid at `date`.
    func chain(for key: Key, at date: Date?) -> CertificateChain? {
        guard let date else { return nil }
        let chain = lock.withLock { () -> CertificateChain? in
            uses += 1
            entries[key]?.lastUse = uses
            return entries[key]?.chain
        }
        guard let chain, (try? chain.checkValidity(at: date)) != nil else { return nil }
        return chain
    }

    /// Remembers a chain in which every check held at `date`; the one that was not asked for longest is forgotten when
    /// there are too many.
    func remember(_ chain: CertificateChain?, for key: Key, at date: Date?) {
        guard let date, let chain = chain?.copy(), chain.checksThatHold(at: date) == CertificateChain.allChecks else { return }
        lock.withLock {
            uses += 1
            entries[key] = Entry(chain: chain, lastUse: uses)
            guard entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
            entries[oldest.key] = nil
        }
    }
}

extension CertificateChain {
    /// The same chain in memory of its own: certificates are slices of what they were read from, which would stay with
    /// them.
    fileprivate func copy() -> CertificateChain? {
        let copies = certificates.compactMap { try? Certificate(Array($0.encoding)[...]) }
        return copies.count == certificates.count ? CertificateChain(certificates: copies, ending: ending) : nil
    }
}
