/// A signature of a container with its signer and algorithms (RFC 5652, section 5.3). A class for the same reason as
/// ``Certificate``.
package final class CMSSignerInfo: Sendable {
    package let signer: SignerIdentifier
    package let digestAlgorithm: AlgorithmIdentifier
    /// The attributes that are signed instead of the content.
    package let signedAttributes: SignedAttributes?
    package let signatureAlgorithm: AlgorithmIdentifier
    package let signature: ArraySlice<UInt8>

    package enum SignerIdentifier: Sendable {
        case issuerAndSerialNumber(DistinguishedName, serialNumber: ArraySlice<UInt8>)
        /// Not used by the App Store.
        case subjectKeyIdentifier(ArraySlice<UInt8>)
    }

    package init(_ element: BERElement) throws(MalformedReceiptError) {
        guard element.tag == .sequence else {
            throw MalformedReceiptError(
                .unexpectedElement, at: element.offset, expected: "SEQUENCE (a signer)", found: "\(element.tag)")
        }
        var fields = try element.members("a signer")
        _ = try fields.next(.integer, "the version of a signer").integer("the version of a signer")
        signer = try CMSSignerInfo.readIdentifier(&fields)
        digestAlgorithm = try AlgorithmIdentifier(
            fields.next(.sequence, "a signer's digest algorithm"), "a signer's digest algorithm")
        if let attributes = try fields.nextIfPresent(.context(0), "signed attributes") {
            signedAttributes = try SignedAttributes(attributes)
        } else {
            signedAttributes = nil
        }
        signatureAlgorithm = try AlgorithmIdentifier(
            fields.next(.sequence, "a signer's signature algorithm"), "a signer's signature algorithm")
        signature = try fields.next(.octetString, "a signature").octets("a signature")
        _ = try fields.nextIfPresent(.context(1), "unsigned attributes")
        try fields.finish("a signer")
    }

    /// `SignerIdentifier ::= CHOICE { issuerAndSerialNumber SEQUENCE, subjectKeyIdentifier [0] OCTET STRING }`.
    private static func readIdentifier(_ fields: inout BERReader) throws(MalformedReceiptError) -> SignerIdentifier {
        if let key = try fields.nextIfPresent(.context(0), "a signer's key identifier") {
            return .subjectKeyIdentifier(try key.octets("a signer's key identifier"))
        }
        var members = try fields.nextMembers(.sequence, "a signer's issuer and serial number")
        let issuer = try DistinguishedName(members.next(.sequence, "a signer's issuer"))
        let serialNumber = try members.only(.integer, "a signer's serial number").integerOctets(
            "a signer's serial number")
        return .issuerAndSerialNumber(issuer, serialNumber: serialNumber)
    }

    package func isSigner(_ certificate: Certificate) -> Bool {
        switch signer {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            certificate.issuer == issuer && certificate.serialNumber == serialNumber
        case .subjectKeyIdentifier: false
        }
    }
}

extension CMSSignerInfo {
    /// The signed attributes, with the two values that RFC 5652, section 5.3 requires.
    package struct SignedAttributes: Sendable {
        /// The type of the signed content (section 11.1).
        package let contentType: ASN1ObjectIdentifier
        /// The digest of the signed content (section 11.2).
        package let messageDigest: ArraySlice<UInt8>
        private let content: ArraySlice<UInt8>
        private let isDefinite: Bool

        init(_ element: BERElement) throws(MalformedReceiptError) {
            var contentType: ASN1ObjectIdentifier?
            var messageDigest: ArraySlice<UInt8>?
            try element.forEachMember("a signed attribute", limit: 64) { (attribute) throws(MalformedReceiptError) in
                var members = try attribute.members("a signed attribute")
                let type = try members.nextObjectIdentifier("the type of a signed attribute")
                let values = try members.only(.set, "the values of a signed attribute")
                switch type {
                case SignedAttributes.contentTypeIdentifier:
                    guard contentType == nil else { throw SignedAttributes.repeated(attribute) }
                    contentType = try values.onlyMember(.objectIdentifier, "the signed content type")
                        .objectIdentifier("the signed content type")
                case SignedAttributes.messageDigestIdentifier:
                    guard messageDigest == nil else { throw SignedAttributes.repeated(attribute) }
                    messageDigest = try values.onlyMember(.octetString, "the signed digest").octets("the signed digest")
                default: break
                }
            }
            guard let contentType, let messageDigest else {
                throw MalformedReceiptError(
                    .invalidValue, at: element.offset,
                    expected: "a content type and a digest among the signed attributes")
            }
            self.contentType = contentType
            self.messageDigest = messageDigest
            content = element.content
            isDefinite = !element.isIndefinite
        }

        /// The signed bytes: the attributes as a SET in DER (section 5.4), although the container has another tag for
        /// them.
        ///
        /// `nil` if they have an indefinite length and therefore aren't DER.
        package var encoding: [UInt8]? {
            guard isDefinite else { return nil }
            var header: [UInt8] = [UInt8(truncatingIfNeeded: content.count)]
            if content.count >= 0x80 {
                let octets = withUnsafeBytes(of: UInt64(content.count).bigEndian) { Array($0.drop { $0 == 0 }) }
                header = [0x80 | UInt8(octets.count)] + octets
            }
            return [0x31] + header + content
        }

        private static func repeated(_ attribute: BERElement) -> MalformedReceiptError {
            MalformedReceiptError(
                .invalidValue, at: attribute.offset, expected: "each signed attribute once", found: "a repetition")
        }

        private static let contentTypeIdentifier = ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 9, 3)
        private static let messageDigestIdentifier = ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 9, 4)
    }
}
