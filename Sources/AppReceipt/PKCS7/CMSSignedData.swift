package import Foundation

/// The container of a receipt: PKCS#7 or CMS signed data (RFC 5652, 5.1).
///
/// Reading it touches the headers and the certificates, not the content: that stays where it is in the input, unless it
/// comes in pieces.
package struct CMSSignedData: Sendable {
    /// The type of the content; `data` in receipts.
    package let contentType: ASN1ObjectIdentifier
    /// The signed content: the SET of the receipt's attributes.
    package let content: ArraySlice<UInt8>
    package let certificates: [Certificate]
    package let signers: [CMSSignerInfo]
    private let contentPieces: [Range<Int>]

    /// Reads a file. Its size is looked at before it is copied.
    package init(_ file: Data, limits: ASN1Limits = ASN1Limits()) throws(MalformedReceiptError) {
        try limits.check(size: file.count)
        try self.init([UInt8](file)[...], limits: limits)
    }

    /// Reads `ContentInfo ::= SEQUENCE { contentType OBJECT IDENTIFIER, content [0] EXPLICIT ANY }`, BER or DER, with
    /// nothing behind it.
    package init(_ bytes: ArraySlice<UInt8>, limits: ASN1Limits = ASN1Limits()) throws(MalformedReceiptError) {
        var outer = try BERReader(bytes, limits: limits)
        var information = try outer.next(.sequence, "a PKCS#7 container").members("a PKCS#7 container")
        try outer.finish("the PKCS#7 container")
        let typeOffset = information.offset
        let type = try information.next(.objectIdentifier, "the type of the container").objectIdentifier("the type of the container")
        guard type == CMSSignedData.signedDataIdentifier else {
            throw MalformedReceiptError(.unsupported, at: typeOffset, expected: "signed data (1.2.840.113549.1.7.2)", found: "\(type)")
        }
        var wrapper = try information.next(.context(0), "signed data").members("signed data")
        try information.finish("the PKCS#7 container")
        var fields = try wrapper.next(.sequence, "signed data").members("signed data")
        try wrapper.finish("the signed data")

        let version = try fields.next(.integer, "the version of the signed data").integer("the version of the signed data")
        guard (1...5).contains(version) else {
            throw MalformedReceiptError(.unsupported, at: typeOffset, expected: "signed data of version 1 to 5", found: "\(version)")
        }
        _ = try fields.next(.set, "the digest algorithms")
        var encapsulated = try fields.next(.sequence, "the content").members("the content")
        contentType = try encapsulated.next(.objectIdentifier, "the type of the content").objectIdentifier("the type of the content")
        var explicit = try encapsulated.next(.context(0), "the content's octets").members("the content's octets")
        try encapsulated.finish("the content")
        let octets = try explicit.next(.octetString, "the content's octets")
        try explicit.finish("the content's octets")
        contentPieces = try octets.octetPieces("the content")
        content = octets.joined(contentPieces)

        certificates = try CMSSignedData.readCertificates(fields.nextIfPresent(.context(0), "the certificates"))
        _ = try fields.nextIfPresent(.context(1), "the revocation lists")
        let signerInfos = try fields.next(.set, "the signers")
        var signers: [CMSSignerInfo] = []
        try signerInfos.forEachMember("a signer", limit: ReadingLimits.containerCertificates) { (member) throws(MalformedReceiptError) in
            signers.append(try CMSSignerInfo(member))
        }
        self.signers = signers
        try fields.finish("the signed data")
    }

    /// `CertificateSet ::= SET OF CertificateChoices`; choices other than a certificate are tagged, and passed over
    /// (RFC 5652, 10.2.2).
    private static func readCertificates(_ element: BERElement?) throws(MalformedReceiptError) -> [Certificate] {
        guard let element else { return [] }
        var certificates: [Certificate] = []
        try element.forEachMember("a certificate", limit: ReadingLimits.containerCertificates) { (member) throws(MalformedReceiptError) in
            if member.tag == .sequence {
                certificates.append(try Certificate(member.encoding))
            }
        }
        return certificates
    }

    /// Where in the input a byte of the content is; content in pieces has its own indices, starting from zero.
    package func inputOffset(ofContent offset: Int) -> Int {
        guard contentPieces.count > 1 else { return offset }
        var rest = offset
        for piece in contentPieces {
            if rest < piece.count { return piece.lowerBound + rest }
            rest -= piece.count
        }
        return contentPieces.last?.upperBound ?? offset
    }

    private static let signedDataIdentifier = ASN1ObjectIdentifier(1, 2, 840, 113549, 1, 7, 2)
}
