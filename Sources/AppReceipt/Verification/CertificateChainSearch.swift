import Foundation

/// Searches the enclosed and trusted certificates for the chain of a signer's certificate.
///
/// The search tries every candidate for an issuer. An expired or foreign certificate with the right name and key
/// doesn't hide the right one, and trusted certificates take precedence over enclosed certificates with the same name.
/// The result is the first chain that passes all checks, or the chain that passes most of them.
struct CertificateChainSearch {
    private let roots: TrustedRoots
    private let date: Date?
    /// The trusted certificates followed by the enclosed ones, without duplicates. Paths contain indices of this list.
    private var certificates: [Certificate] = []
    private var best: (chain: CertificateChain, checks: Int)?
    /// The checked signatures, at most ``ReadingLimits/chainSignatureChecks``.
    private var verdicts: [(certificate: Int, issuer: Int, isSigned: Bool)] = []
    private var chainsLeft = 64

    var signatureChecks: Int { verdicts.count }

    /// - Parameter date: the date at which the certificates must be valid; `nil` if the date is unknown.
    init(among enclosed: [Certificate], trusting roots: TrustedRoots, at date: Date?) {
        self.roots = roots
        self.date = date
        for certificate in roots.certificates + enclosed { _ = place(of: certificate) }
    }

    private mutating func place(of certificate: Certificate) -> Int {
        if let known = certificates.firstIndex(where: { $0.encoding == certificate.encoding }) { return known }
        certificates.append(certificate)
        return certificates.count - 1
    }

    /// Returns the best chain from any of `signers` upwards; `nil` without signers.
    mutating func chain(from signers: [Certificate]) -> CertificateChain? {
        for signer in signers where !isFound { extend([place(of: signer)]) }
        return best?.chain
    }

    private var isFound: Bool { best?.checks == CertificateChain.allChecks }

    private mutating func extend(_ path: [Int]) {
        guard let place = path.last, chainsLeft > 0 else { return }
        chainsLeft -= 1
        let last = certificates[place]
        if let name = roots.name(of: last) {
            return record(path, .trusted(path.count == 1 && roots.contains(last) ? .signer(name) : .root(name)))
        }
        if last.isSelfIssued {
            let isLocalTesting = roots.acceptsLocalTesting && path.count == 1 && isSigned(place, by: place)
            return record(path, isLocalTesting ? .trusted(.localTesting) : .untrustedRoot)
        }
        let candidates = certificates.indices.filter { certificates[$0].subject == last.issuer && !path.contains($0) }
        guard !candidates.isEmpty, path.count < 6 else { return record(path, .issuerMissing) }
        var isSigned = false
        for candidate in candidates where !isFound && self.isSigned(place, by: candidate) {
            isSigned = true
            extend(path + [candidate])
        }
        if !isSigned { record(path, .issuerSignatureInvalid) }
    }

    private mutating func isSigned(_ certificate: Int, by issuer: Int) -> Bool {
        if let verdict = verdicts.first(where: { $0.certificate == certificate && $0.issuer == issuer }) {
            return verdict.isSigned
        }
        guard signatureChecks < ReadingLimits.chainSignatureChecks else { return false }
        let isSigned = certificates[certificate].isSigned(by: certificates[issuer])
        verdicts.append((certificate, issuer, isSigned))
        return isSigned
    }

    private mutating func record(_ path: [Int], _ ending: CertificateChain.Ending) {
        let chain = CertificateChain(certificates: path.map { certificates[$0] }, ending: ending)
        let checks = chain.passedChecks(at: date)
        if best.map({ checks > $0.checks }) ?? true { best = (chain, checks) }
    }
}
