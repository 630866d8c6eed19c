import AppReceipt
import Foundation

/// Verifies the response of an OCSP responder to a request (RFC 6960, section 3.2).
struct OCSPVerification {
    let request: OCSPRequest
    /// The issuer of the certificate.
    let issuer: Certificate
    /// The date at which the response must be valid.
    let date: Date

    /// The maximum difference of the responder's clock.
    private static let clockTolerance: TimeInterval = 300
    /// The lifetime of an answer without the date of the next update.
    private static let defaultLifetime: TimeInterval = 3_600

    /// The reason why a response isn't accepted.
    enum Failure: Error, Equatable {
        /// The bytes aren't a successful response.
        case malformed(MalformedReceiptError)
        /// The response is for another certificate.
        case otherCertificate
        /// The response doesn't repeat the nonce.
        case nonceMismatch
        /// Neither the issuer nor one of its authorized responders signed the response.
        case untrustedResponder
        /// The signature isn't valid for the responder's key.
        case signatureInvalid
        /// Every answer is from the future or no longer current.
        case outdated
    }

    /// Returns the status of the certificate in a response, and when the answer expires. Of several answers, the worst
    /// is used. A revocation is permanent, so it's used even if the answer is no longer current.
    func status(in bytes: ArraySlice<UInt8>) throws(Failure) -> (status: OCSPResponse.Status, end: Date) {
        let response: OCSPResponse
        do throws(MalformedReceiptError) {
            response = try OCSPResponse(bytes)
        } catch {
            throw .malformed(error)
        }
        let answers = response.answers.filter {
            $0.certificate?.isSame(as: request.certificate, issuer: issuer) ?? false
        }
        guard !answers.isEmpty else { throw .otherCertificate }
        if let nonce = request.nonce, response.nonce != nonce { throw .nonceMismatch }
        let keys = signers(of: response)
        guard !keys.isEmpty else { throw .untrustedResponder }
        guard let scheme = SignatureScheme(response.signatureAlgorithm),
            keys.contains(where: { $0.isValidSignature(response.signature, of: response.signedPart, scheme: scheme) })
        else { throw .signatureInvalid }
        let current = answers.filter(isCurrent)
        guard let worst = current.max(by: { $0.status.severity < $1.status.severity }) else { throw .outdated }
        return (worst.status, current.map(end).reduce(end(of: worst), min))
    }

    private func end(of answer: OCSPResponse.Answer) -> Date {
        answer.nextUpdate ?? answer.thisUpdate.addingTimeInterval(Self.defaultLifetime)
    }

    private func isCurrent(_ answer: OCSPResponse.Answer) -> Bool {
        guard answer.thisUpdate <= date.addingTimeInterval(Self.clockTolerance) else { return false }
        if case .revoked = answer.status { return true }
        let end = end(of: answer)
        return end.addingTimeInterval(Self.clockTolerance) > date && end >= answer.thisUpdate
    }

    /// Returns the keys that may sign: the issuer's key, and those of authorized responders (section 4.2.2.2).
    private func signers(of response: OCSPResponse) -> [PublicKey] {
        ([issuer] + response.certificates.filter(isDelegate)).filter { isResponder($0, of: response) }.map(\.publicKey)
    }

    private func isResponder(_ certificate: Certificate, of response: OCSPResponse) -> Bool {
        switch response.responder {
        case .name(let name): certificate.subject.encoding == name
        case .key(let hash): certificate.publicKey.bits.map { DigestAlgorithm.sha1.hash($0) } == hash
        }
    }

    /// Returns whether a certificate is that of an authorized responder, issued by the issuer itself and currently
    /// valid.
    private func isDelegate(_ certificate: Certificate) -> Bool {
        let extensions = certificate.extensions
        guard certificate.issuer == issuer.subject, certificate.notBefore <= date, date <= certificate.notAfter,
            extensions.unknownCritical.isEmpty, extensions.keyUsage?.contains(.digitalSignature) ?? true,
            certificate.isForOCSPSigning
        else { return false }
        return certificate.isSigned(by: issuer)
    }
}

extension OCSPResponse.Status {
    fileprivate var severity: Int {
        switch self {
        case .good: 0
        case .unknown: 1
        case .revoked: 2
        }
    }
}

extension Certificate {
    /// `ExtKeyUsageSyntax ::= SEQUENCE OF OBJECT IDENTIFIER` with `id-kp-OCSPSigning` among them (RFC 5280, 4.2.1.12).
    fileprivate var isForOCSPSigning: Bool {
        guard let value = extensions.extendedKeyUsage else { return false }
        var isFound = false
        do throws(MalformedReceiptError) {
            let outer = try BERReader(value, rules: .distinguished, limits: .certificate)
            try outer.only(.sequence, "extended key usage").forEachMember("a usage") {
                (usage) throws(MalformedReceiptError) in
                let identifier = try usage.objectIdentifier("a usage")
                if identifier == ASN1ObjectIdentifier(1, 3, 6, 1, 5, 5, 7, 3, 9) { isFound = true }
            }
        } catch {
            return false
        }
        return isFound
    }

    /// The address of the issuer's OCSP responder: the first address for `id-ad-ocsp` in the authority information
    /// access extension (RFC 5280, section 4.2.2.1); `nil` without an HTTP address.
    var responderAddress: URL? {
        guard let value = extensions.authorityInformation else { return nil }
        var address: URL?
        do throws(MalformedReceiptError) {
            let outer = try BERReader(value, rules: .distinguished, limits: .certificate)
            let list = try outer.only(.sequence, "authority information")
            try list.forEachMember("a description", limit: 16) { (description) throws(MalformedReceiptError) in
                var members = try description.members("a description")
                let method = try members.nextObjectIdentifier("a method")
                let place = try members.next("a place")
                // uniformResourceIdentifier [6] IA5String, implicitly tagged.
                guard address == nil, method == ASN1ObjectIdentifier(1, 3, 6, 1, 5, 5, 7, 48, 1),
                    place.tag == .context(6),
                    let url = URL(string: String(decoding: place.content, as: UTF8.self)),
                    let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host != nil
                else { return }
                address = url
            }
        } catch {
            return nil
        }
        return address
    }
}
