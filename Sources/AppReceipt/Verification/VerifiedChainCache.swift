import Foundation

/// A cache of certificate chains that passed all checks, so that their signatures aren't checked for every token.
///
/// The key consists of the certificates in order and the trust anchors. Every lookup checks the validity of the
/// certificates at its date. Chains with a failed check aren't stored, so that hostile tokens can't evict Apple's
/// chains.
// @unchecked because: `entries` and `uses` are only accessed while `lock` is held, and nothing else changes.
final class VerifiedChainCache: @unchecked Sendable {
    /// The App Store uses a handful of chains at a time.
    static let shared = VerifiedChainCache(capacity: 64)

    struct Key: Hashable {
        /// The SHA-256 of the certificates, each after its length.
        private let digest: [UInt8]
        fileprivate let anchors: [ReceiptTrustAnchor]

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

    /// The number of stored chains.
    var count: Int { lock.withLock { entries.count } }

    /// Returns the chain for `key`; `nil` unless all of its certificates were valid at `date`.
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

    /// Searches for the chain for `key`, and stores the chain if it passes all checks.
    func newChain(
        for key: Key, from signers: ArraySlice<Certificate>, among enclosed: ArraySlice<Certificate>, at date: Date?
    ) -> CertificateChain? {
        var search = CertificateChainSearch(among: Array(enclosed), trusting: TrustedRoots(key.anchors), at: date)
        let chain = search.chain(from: Array(signers))
        remember(chain, for: key, at: date)
        return chain
    }

    /// Stores a chain that passes all checks at `date`, and removes the least recently used chain if there are too
    /// many.
    func remember(_ chain: CertificateChain?, for key: Key, at date: Date?) {
        guard let date, let chain = chain?.copy(), chain.passedChecks(at: date) == CertificateChain.allChecks else {
            return
        }
        lock.withLock {
            uses += 1
            entries[key] = Entry(chain: chain, lastUse: uses)
            guard entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
                return
            }
            entries[oldest.key] = nil
        }
    }
}

extension CertificateChain {
    /// Returns a copy of the chain. The original certificates are slices that keep the whole input in memory.
    fileprivate func copy() -> CertificateChain? {
        let copies = certificates.compactMap { try? Certificate(Array($0.encoding)[...]) }
        return copies.count == certificates.count ? CertificateChain(certificates: copies, ending: ending) : nil
    }
}
