import Foundation

/// Looks for the chain of a signer's certificate among the enclosed certificates and the trusted ones.
///
/// Every candidate for an issuer is tried: a certificate of the right name and key that has expired, or is not Apple's,
/// does not hide the right one behind it, and a trusted certificate is used itself, whatever an enclosed one of
/// its name says. The first chain in which every check holds is the result, otherwise the one in which most hold.
struct CertificateChainSearch {
    private let roots: TrustedRoots
    private let date: Date?
    /// The certificates that there are to make chains of, each once; the trusted ones first. Everything else names them
    /// by their places.
    private var certificates: [Certificate] = []
    private var best: (chain: CertificateChain, checks: Int)?
    private var verdicts: [Pair: Bool] = [:]
    private var chainsLeft = 64

    /// The signatures of certificates checked so far, of which there are at most
    /// ``ReadingLimits/chainSignatureChecks``.
    private(set) var signatureChecks = 0

    private struct Pair: Hashable {
        let certificate: Int
        let issuer: Int
    }

    /// - Parameter date: the moment at which the certificates have to be valid; `nil` when that is not known.
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

    /// The best chain from any of `signers` upwards; `nil` when there is no signer.
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
            return note(path, .trusted(path.count == 1 && roots.contains(last) ? .signer(name) : .root(name)))
        }
        if last.isSelfIssued {
            let isLocalTesting = roots.acceptsLocalTesting && path.count == 1 && isSigned(place, by: place)
            return note(path, isLocalTesting ? .trusted(.localTesting) : .untrustedRoot)
        }
        let candidates = certificates.indices.filter { certificates[$0].subject == last.issuer && !path.contains($0) }
        guard !candidates.isEmpty, path.count < 6 else { return note(path, .issuerMissing) }
        var isSigned = false
        for candidate in candidates where !isFound && self.isSigned(place, by: candidate) {
            isSigned = true
            extend(path + [candidate])
        }
        if !isSigned { note(path, .issuerSignatureInvalid) }
    }

    private mutating func isSigned(_ certificate: Int, by issuer: Int) -> Bool {
        let pair = Pair(certificate: certificate, issuer: issuer)
        if let verdict = verdicts[pair] { return verdict }
        guard signatureChecks < ReadingLimits.chainSignatureChecks else { return false }
        signatureChecks += 1
        let verdict = certificates[certificate].isSigned(by: certificates[issuer])
        verdicts[pair] = verdict
        return verdict
    }

    private mutating func note(_ path: [Int], _ ending: CertificateChain.Ending) {
        let chain = CertificateChain(certificates: path.map { certificates[$0] }, ending: ending)
        let checks = chain.checksThatHold(at: date)
        if best.map({ checks > $0.checks }) ?? true { best = (chain, checks) }
    }
}
