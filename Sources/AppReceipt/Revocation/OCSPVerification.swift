import Foundation

/// Verifies the response of an OCSP responder for one question (RFC 6960, 3.2).
struct OCSPVerification {
    let request: OCSPRequest
    /// The issuer of the certificate in question.
    let issuer: Certificate
    /// The moment for which the response has to be valid.
    let date: Date

    /// How far the responder's clock may differ.
    private static let clockTolerance: TimeInterval = 300
    /// How long an answer counts that doesn't say when the next one comes.
    private static let defaultLifetime: TimeInterval = 3_600

    /// Why a response isn't believed.
    enum Failure: Error, Hashable {
        /// The bytes aren't those of a successful response.
        case malformed(MalformedReceiptError)
        /// The response answers another question.
        case otherCertificate
        /// The response doesn't repeat the nonce.
        case nonceMismatch
        /// Neither the issuer nor a responder of the issuer's has signed.
        case untrustedResponder
        /// The signature doesn't belong to the responder's key.
        case signatureInvalid
        /// The answer is from the future, or has been replaced by a newer one.
        case outdated
    }

    /// Returns the status that a response gives the certificate, and until when the answer counts.
    func status(in bytes: ArraySlice<UInt8>) throws(Failure) -> (status: OCSPResponse.Status, end: Date) {
        let response: OCSPResponse
        do throws(MalformedReceiptError) {
            response = try OCSPResponse(bytes)
        } catch {
            throw .malformed(error)
        }
        guard let answer = response.answers.first(where: { $0.certificate == request.certificate }) else {
            throw .otherCertificate
        }
        if let nonce = request.nonce, response.nonce != nonce { throw .nonceMismatch }
        let keys = signers(of: response)
        guard !keys.isEmpty else { throw .untrustedResponder }
        guard let scheme = SignatureScheme(response.signatureAlgorithm),
            keys.contains(where: { $0.isValidSignature(response.signature, of: response.signedPart, scheme: scheme) })
        else { throw .signatureInvalid }
        let end = answer.nextUpdate ?? answer.thisUpdate.addingTimeInterval(Self.defaultLifetime)
        guard answer.thisUpdate <= date.addingTimeInterval(Self.clockTolerance),
            end.addingTimeInterval(Self.clockTolerance) > date, end >= answer.thisUpdate
        else { throw .outdated }
        return (answer.status, end)
    }

    /// The keys that may have signed: the issuer's, and those of the responders to whom the issuer has delegated it
    /// (4.2.2.2).
    private func signers(of response: OCSPResponse) -> [PublicKey] {
        ([issuer] + response.certificates.filter(isDelegate)).filter { isResponder($0, of: response) }.map(\.publicKey)
    }

    private func isResponder(_ certificate: Certificate, of response: OCSPResponse) -> Bool {
        switch response.responder {
        case .name(let name): certificate.subject.encoding == name
        case .key(let hash): certificate.publicKey.bits.map { DigestAlgorithm.sha1.hash($0) } == hash
        }
    }

    /// Whether the issuer itself has certified a responder, which is valid now.
    private func isDelegate(_ certificate: Certificate) -> Bool {
        let extensions = certificate.extensions
        guard certificate.issuer == issuer.subject, certificate.notBefore <= date, date <= certificate.notAfter,
            extensions.unknownCritical.isEmpty, extensions.keyUsage?.contains(.digitalSignature) ?? true,
            certificate.isForOCSPSigning
        else { return false }
        return certificate.isSigned(by: issuer)
    }
}

extension Certificate {
    /// `ExtKeyUsageSyntax ::= SEQUENCE OF OBJECT IDENTIFIER` with `id-kp-OCSPSigning` among them (RFC 5280, 4.2.1.12).
    fileprivate var isForOCSPSigning: Bool {
        guard let value = extensions.extendedKeyUsage else { return false }
        var isFound = false
        do throws(MalformedReceiptError) {
            var outer = try BERReader(value, rules: .distinguished, limits: .certificate)
            try outer.next(.sequence, "extended key usage").forEachMember("a usage") {
                (usage) throws(MalformedReceiptError) in
                let identifier = try usage.objectIdentifier("a usage")
                if identifier == ASN1ObjectIdentifier(1, 3, 6, 1, 5, 5, 7, 3, 9) { isFound = true }
            }
            try outer.finish("extended key usage")
        } catch {
            return false
        }
        return isFound
    }

    /// Where the issuer's OCSP responder is: the first address for `id-ad-ocsp` in the authority information access
    /// extension (RFC 5280, 4.2.2.1). `nil` without an address, or with one that isn't of HTTP.
    var responderAddress: URL? {
        guard let value = extensions.authorityInformation else { return nil }
        var address: URL?
        do throws(MalformedReceiptError) {
            var outer = try BERReader(value, rules: .distinguished, limits: .certificate)
            let list = try outer.next(.sequence, "authority information")
            try list.forEachMember("a description", limit: 16) { (description) throws(MalformedReceiptError) in
                var members = try description.members("a description")
                let method = try members.next(.objectIdentifier, "a method").objectIdentifier("a method")
                let place = try members.next("a place")
                // uniformResourceIdentifier [6] IA5String, implicitly tagged.
                guard address == nil, method == ASN1ObjectIdentifier(1, 3, 6, 1, 5, 5, 7, 48, 1),
                    place.tag == .context(6),
                    let url = URL(string: String(decoding: place.content, as: UTF8.self)),
                    let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host != nil
                else { return }
                address = url
            }
            try outer.finish("authority information")
        } catch {
            return nil
        }
        return address
    }
}
