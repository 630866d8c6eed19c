import Foundation

/// What an OCSP responder says (RFC 6960, 4.2), read strictly as DER and not yet verified.
struct OCSPResponse {
    /// The part that is signed.
    let signedPart: ArraySlice<UInt8>
    let signatureAlgorithm: AlgorithmIdentifier
    let signature: ArraySlice<UInt8>
    /// The certificates that the responder sends along, as many as may be read.
    let certificates: [Certificate]
    let responder: Responder
    let nonce: [UInt8]?
    let answers: [Answer]

    /// Who has signed.
    enum Responder {
        case name(ArraySlice<UInt8>)
        /// The SHA-1 of the key's bits.
        case key([UInt8])
    }

    /// The answer about one certificate.
    struct Answer {
        /// `nil` for a name that is made with an unknown function.
        let certificate: OCSPCertificateID?
        let status: Status
        let thisUpdate: Date
        let nextUpdate: Date?
    }

    enum Status: Hashable {
        case good, unknown
        case revoked(Date)
    }

    /// Responders send one certificate and one answer.
    private static let greatestCount = 8

    /// Reads `OCSPResponse ::= SEQUENCE { responseStatus ENUMERATED, responseBytes [0] EXPLICIT SEQUENCE { responseType
    /// OBJECT IDENTIFIER, response OCTET STRING } OPTIONAL }`.
    init(_ bytes: ArraySlice<UInt8>) throws(MalformedReceiptError) {
        var outer = try BERReader(bytes, rules: .distinguished, limits: .certificate)
        var members = try outer.next(.sequence, "an OCSP response").members("an OCSP response")
        try outer.finish("an OCSP response")
        let status = try members.next(.enumerated, "the status of a response")
        guard Array(status.content) == [0] else {
            throw MalformedReceiptError(
                .unsupported, at: status.offset, expected: "a successful response",
                found: "status \(Array(status.content))")
        }
        var wrapper = try members.next(.context(0), "the bytes of a response").members("the bytes of a response")
        try members.finish("an OCSP response")
        var inside = try wrapper.next(.sequence, "the bytes of a response").members("the bytes of a response")
        try wrapper.finish("the bytes of a response")
        let type = try inside.next(.objectIdentifier, "the type of a response").objectIdentifier(
            "the type of a response")
        guard type == Self.basicResponse else {
            throw MalformedReceiptError(.unsupported, at: inside.offset, expected: "a basic response", found: "\(type)")
        }
        var content = try inside.next(.octetString, "a basic response").wrapped("a basic response")
        try inside.finish("the bytes of a response")
        var basic = try content.next(.sequence, "a basic response").members("a basic response")
        try content.finish("a basic response")

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
            var list = try enclosed.members("the certificates of a response")
            try list.next(.sequence, "the certificates of a response").forEachMember(
                "a certificate", limit: Self.greatestCount
            ) { (element) throws(MalformedReceiptError) in certificates.append(try Certificate(element.encoding)) }
            try list.finish("the certificates of a response")
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
            var inside = try name.members("the responder's name")
            responder = .name(try inside.next(.sequence, "the responder's name").encoding)
            try inside.finish("the responder's name")
        } else {
            var inside = try members.next(.context(2), "the responder's key").members("the responder's key")
            responder = .key(Array(try inside.next(.octetString, "the responder's key").octets("the responder's key")))
            try inside.finish("the responder's key")
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
        var list = try wrapper.members("the extensions of a response")
        try list.next(.sequence, "the extensions of a response").forEachMember("an extension", limit: greatestCount) {
            (element) throws(MalformedReceiptError) in
            var members = try element.members("an extension")
            let identifier = try members.next(.objectIdentifier, "an extension").objectIdentifier("an extension")
            let isCritical = try members.nextIfPresent(.boolean, "a criticality")?.boolean("a criticality") ?? false
            let value = try members.next(.octetString, "the value of an extension")
            try members.finish("an extension")
            if identifier == .ocspNonce {
                var inside = try value.wrapped("a nonce")
                nonce = Array(try inside.next(.octetString, "a nonce").octets("a nonce"))
                try inside.finish("a nonce")
            } else if isCritical {
                throw MalformedReceiptError(
                    .unsupported, at: element.offset, expected: "no unknown critical extension", found: "\(identifier)")
            }
        }
        try list.finish("the extensions of a response")
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
            var inside = try wrapper.members("the end of an answer")
            nextUpdate = try inside.next(.generalizedTime, "the end of an answer").time("the end of an answer")
            try inside.finish("the end of an answer")
        } else {
            nextUpdate = nil
        }
        _ = try members.nextIfPresent(.context(1), "the extensions of an answer")
        try members.finish("an answer")
    }
}
