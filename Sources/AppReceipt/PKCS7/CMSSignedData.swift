package import Foundation

/// The container of a receipt: PKCS#7 or CMS signed data (RFC 5652, 5.1).
///
/// Reading a container doesn't read the content. The content is a slice of the input unless it consists of pieces.
package struct CMSSignedData: Sendable {
    /// The type of the content; `data` in receipts.
    package let contentType: ASN1ObjectIdentifier
    /// The signed content: the SET of the receipt's attributes.
    package let content: ArraySlice<UInt8>
    package let certificates: [Certificate]
    package let signers: [CMSSignerInfo]
    private let contentPieces: [Range<Int>]

    /// Reads a file. Checks its size before copying.
    package init(_ file: Data, limits: ASN1Limits = ASN1Limits()) throws(MalformedReceiptError) {
        try limits.check(size: file.count)
        try self.init([UInt8](file)[...], limits: limits)
    }

    /// Reads `ContentInfo ::= SEQUENCE { contentType OBJECT IDENTIFIER, content [0] EXPLICIT ANY }`, in BER or DER
    /// without trailing bytes.
    package init(_ bytes: ArraySlice<UInt8>, limits: ASN1Limits = ASN1Limits()) throws(MalformedReceiptError) {
        let container = try BERReader(bytes, limits: limits).only(.sequence, "a PKCS#7 container")
        var information = try container.members("a PKCS#7 container")
        let typeOffset = information.offset
        let type = try information.nextObjectIdentifier("the type of the container")
        guard type == CMSSignedData.signedDataIdentifier else {
            throw MalformedReceiptError(
                .unsupported, at: typeOffset, expected: "signed data (1.2.840.113549.1.7.2)", found: "\(type)")
        }
        let wrapper = try information.only(.context(0), "signed data")
        var fields = try wrapper.onlyMember(.sequence, "signed data").members("signed data")

        let version = try fields.next(.integer, "the version of the signed data").integer(
            "the version of the signed data")
        guard (1...5).contains(version) else {
            throw MalformedReceiptError(
                .unsupported, at: typeOffset, expected: "signed data of version 1 to 5", found: "\(version)")
        }
        _ = try fields.next(.set, "the digest algorithms")
        var encapsulated = try fields.nextMembers(.sequence, "the content")
        contentType = try encapsulated.nextObjectIdentifier("the type of the content")
        let octets = try encapsulated.only(.context(0), "the content").onlyMember(.octetString, "the content's octets")
        contentPieces = try octets.octetPieces("the content")
        content = octets.joined(contentPieces)

        certificates = try CMSSignedData.readCertificates(fields.nextIfPresent(.context(0), "the certificates"))
        _ = try fields.nextIfPresent(.context(1), "the revocation lists")
        let signerInfos = try fields.next(.set, "the signers")
        var signers: [CMSSignerInfo] = []
        try signerInfos.forEachMember("a signer", limit: ReadingLimits.containerCertificates) {
            (member) throws(MalformedReceiptError) in
            signers.append(try CMSSignerInfo(member))
        }
        self.signers = signers
        try fields.finish("the signed data")
    }

    /// `CertificateSet ::= SET OF CertificateChoices`; choices other than certificates have tags and are skipped (RFC
    /// 5652, section 10.2.2).
    private static func readCertificates(_ element: BERElement?) throws(MalformedReceiptError) -> [Certificate] {
        guard let element else { return [] }
        var certificates: [Certificate] = []
        try element.forEachMember("a certificate", limit: ReadingLimits.containerCertificates) {
            (member) throws(MalformedReceiptError) in
            if member.tag == .sequence {
                certificates.append(try Certificate(member.encoding))
            }
        }
        return certificates
    }

    /// Returns the offset in the input of a byte of the content. Content in pieces has its own indices, starting with
    /// zero.
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
