import AppReceipt
import Foundation

/// The response of an OCSP responder (RFC 6960, section 4.2), read strictly as DER but not verified.
struct OCSPResponse {
    /// The signed part.
    let signedPart: ArraySlice<UInt8>
    let signatureAlgorithm: AlgorithmIdentifier
    let signature: ArraySlice<UInt8>
    /// The certificates in the response.
    let certificates: [Certificate]
    let responder: Responder
    let nonce: [UInt8]?
    let answers: [Answer]

    /// The signer of a response.
    enum Responder {
        case name(ArraySlice<UInt8>)
        /// The SHA-1 of the key's bits.
        case key([UInt8])
    }

    /// The answer about one certificate.
    struct Answer {
        /// The identifier of the certificate; `nil` for an unknown hash function.
        let certificate: OCSPCertificateID?
        let status: Status
        let thisUpdate: Date
        let nextUpdate: Date?
    }

    enum Status: Equatable {
        case good, unknown
        case revoked(Date)
    }

    /// The limit for lists. Responders send one certificate and one answer.
    private static let greatestCount = 8

    /// Reads `OCSPResponse ::= SEQUENCE { responseStatus ENUMERATED, responseBytes [0] EXPLICIT SEQUENCE { responseType
    /// OBJECT IDENTIFIER, response OCTET STRING } OPTIONAL }`.
    init(_ bytes: ArraySlice<UInt8>) throws(MalformedReceiptError) {
        let outer = try BERReader(bytes, rules: .distinguished, limits: .certificate)
        var members = try outer.only(.sequence, "an OCSP response").members("an OCSP response")
        let status = try members.next(.enumerated, "the status of a response")
        guard Array(status.content) == [0] else {
            throw MalformedReceiptError(
                .unsupported, at: status.offset, expected: "a successful response",
                found: "status \(Array(status.content))")
        }
        let wrapper = try members.only(.context(0), "the bytes of a response")
        var inside = try wrapper.onlyMember(.sequence, "the bytes of a response").members("the bytes of a response")
        let type = try inside.nextObjectIdentifier("the type of a response")
        guard type == Self.basicResponse else {
            throw MalformedReceiptError(.unsupported, at: inside.offset, expected: "a basic response", found: "\(type)")
        }
        let content = try inside.only(.octetString, "a basic response").wrapped("a basic response")
        var basic = try content.only(.sequence, "a basic response").members("a basic response")

        // BasicOCSPResponse ::= SEQUENCE { tbsResponseData, signatureAlgorithm, signature BIT STRING, certs [0]
        // OPTIONAL }
        let signed = try basic.next(.sequence, "the data of a response")
        signedPart = signed.encoding
        signatureAlgorithm = try AlgorithmIdentifier(
            basic.next(.sequence, "the signature algorithm of a response"), "the signature algorithm of a response")
        signature = try basic.next(.bitString, "the signature of a response").wholeOctetBitString(
            "the signature of a response")
        var certificates: [Certificate] = []
        if let enclosed = try basic.nextIfPresent(.context(0), "the certificates of a response") {
            try enclosed.onlyMember(.sequence, "the certificates of a response").forEachMember(
                "a certificate", limit: Self.greatestCount
            ) { (element) throws(MalformedReceiptError) in certificates.append(try Certificate(element.encoding)) }
        }
        self.certificates = certificates
        try basic.finish("a basic response")
        (responder, answers, nonce) = try Self.readData(signed)
    }

    /// `ResponseData ::= SEQUENCE { version [0] DEFAULT v1, responderID CHOICE { byName [1] Name, byKey [2] OCTET
    /// STRING }, producedAt GeneralizedTime, responses SEQUENCE OF SingleResponse, responseExtensions [1] EXPLICIT
    /// OPTIONAL }`.
    private static func readData(
        _ element: BERElement
    ) throws(MalformedReceiptError) -> (Responder, [Answer], nonce: [UInt8]?) {
        var members = try element.members("the data of a response")
        _ = try members.nextIfPresent(.context(0), "the version of a response")
        let responder: Responder
        if let name = try members.nextIfPresent(.context(1), "the responder's name") {
            responder = .name(try name.onlyMember(.sequence, "the responder's name").encoding)
        } else {
            let key = try members.next(.context(2), "the responder's key").onlyMember(
                .octetString, "the responder's key")
            responder = .key(Array(try key.octets("the responder's key")))
        }
        _ = try members.next(.generalizedTime, "when the response was made").time("when the response was made")
        var answers: [Answer] = []
        try members.next(.sequence, "the answers").forEachMember("an answer", limit: greatestCount) {
            (element) throws(MalformedReceiptError) in answers.append(try Answer(element))
        }
        var nonce: [UInt8]?
        if let wrapper = try members.nextIfPresent(.context(1), "the extensions of a response") {
            nonce = try readNonce(wrapper)
        }
        try members.finish("the data of a response")
        return (responder, answers, nonce)
    }

    private static func readNonce(_ wrapper: BERElement) throws(MalformedReceiptError) -> [UInt8]? {
        var nonce: [UInt8]?
        let list = try wrapper.onlyMember(.sequence, "the extensions of a response")
        try list.forEachMember("an extension", limit: greatestCount) { (element) throws(MalformedReceiptError) in
            var members = try element.members("an extension")
            let identifier = try members.nextObjectIdentifier("an extension")
            let isCritical = try members.nextIfPresent(.boolean, "a criticality")?.boolean("a criticality") ?? false
            let value = try members.only(.octetString, "the value of an extension")
            if identifier == .ocspNonce {
                nonce = Array(try value.wrapped("a nonce").only(.octetString, "a nonce").octets("a nonce"))
            } else if isCritical {
                throw MalformedReceiptError(
                    .unsupported, at: element.offset, expected: "no unknown critical extension", found: "\(identifier)")
            }
        }
        return nonce
    }

    /// 1.3.6.1.5.5.7.48.1.1.
    private static let basicResponse = ASN1ObjectIdentifier(1, 3, 6, 1, 5, 5, 7, 48, 1, 1)
}

extension OCSPResponse.Answer {
    /// `SingleResponse ::= SEQUENCE { certID CertID, certStatus CHOICE { good [0], revoked [1] SEQUENCE {
    /// revocationTime GeneralizedTime, revocationReason [0] OPTIONAL }, unknown [2] }, thisUpdate GeneralizedTime,
    /// nextUpdate [0] EXPLICIT GeneralizedTime OPTIONAL, singleExtensions [1] EXPLICIT OPTIONAL }`.
    fileprivate init(_ element: BERElement) throws(MalformedReceiptError) {
        var members = try element.members("an answer")
        certificate = try OCSPCertificateID(members.next(.sequence, "a certificate's name"))
        let status = try members.next("the status of a certificate")
        switch status.tag {
        case .context(0): self.status = .good
        case .context(1):
            var details = try status.members("a revocation")
            self.status = .revoked(try details.next(.generalizedTime, "a revocation date").time("a revocation date"))
        case .context(2): self.status = .unknown
        default:
            throw MalformedReceiptError(
                .unexpectedElement, at: status.offset, expected: "the status of a certificate", found: "\(status.tag)")
        }
        thisUpdate = try members.next(.generalizedTime, "the date of an answer").time("the date of an answer")
        if let wrapper = try members.nextIfPresent(.context(0), "the end of an answer") {
            nextUpdate = try wrapper.onlyMember(.generalizedTime, "the end of an answer").time("the end of an answer")
        } else {
            nextUpdate = nil
        }
        _ = try members.nextIfPresent(.context(1), "the extensions of an answer")
        try members.finish("an answer")
    }
}
