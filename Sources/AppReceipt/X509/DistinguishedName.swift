/// The name of a certificate's subject or issuer (RFC 5280, 4.1.2.4).
///
/// Names compare by their encoding, because an authority copies its subject byte by byte into the certificates that it
/// issues.
package struct DistinguishedName: Equatable, Sendable {
    package let encoding: ArraySlice<UInt8>
    /// The last readable common name.
    package let commonName: String?

    /// `Name ::= SEQUENCE OF SET OF SEQUENCE { type OBJECT IDENTIFIER, value ANY }`.
    package init(_ element: BERElement) throws(MalformedReceiptError) {
        encoding = element.encoding
        var commonName: String?
        try element.forEachMember("a name", limit: 64) { (set) throws(MalformedReceiptError) in
            guard set.tag == .set else {
                throw MalformedReceiptError(
                    .unexpectedElement, at: set.offset, expected: "SET (a part of a name)", found: "\(set.tag)")
            }
            try set.forEachMember("a part of a name", limit: 16) { (pair) throws(MalformedReceiptError) in
                var members = try pair.members("a part of a name")
                let type = try members.nextObjectIdentifier("the type of a part of a name")
                let value = try members.next("the value of a part of a name")
                try members.finish("a part of a name")
                if type == DistinguishedName.commonNameIdentifier {
                    commonName =
                        value.content.count <= ReadingLimits.textLength ? try? value.string("a common name") : nil
                }
            }
        }
        self.commonName = commonName
    }

    package static func == (left: DistinguishedName, right: DistinguishedName) -> Bool {
        left.encoding == right.encoding
    }

    private static let commonNameIdentifier = ASN1ObjectIdentifier(2, 5, 4, 3)
}

extension DistinguishedName: CustomStringConvertible {
    package var description: String {
        commonName.map { "“\($0)”" } ?? "a name without a common name"
    }
}
