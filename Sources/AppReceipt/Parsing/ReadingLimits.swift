/// The limits of this module's readers. Larger input is malformed with
/// ``MalformedReceiptError/Code-swift.struct/limitExceeded``.
///
/// Readers check lengths before they copy, and compare strings by their bytes, so the cost of any input is proportional
/// to its size. `String` normalizes its contents to compare them, and the cost grows with the square of the length of a
/// run of combining marks. ``ASN1Limits`` and ``JSONTape/Limits`` limit nesting and the number of elements.
package enum ReadingLimits {
    /// The maximum bytes of an identifier, a version or another short string. Apple's longest, bundle identifiers,
    /// have at most 155 bytes.
    package static let textLength = 256
    /// The maximum bytes of a member's name in JSON, including escapes. Apple's names have at most 40.
    package static let nameLength = 64
    /// The maximum characters of a number in JSON.
    package static let numberLength = 64
    /// The maximum bytes of a JSON Web Signature. Those of the App Store have about 6,000, and notifications up to
    /// 30,000.
    package static let tokenSize = 1 << 20
    /// The maximum bytes of a request's body: a token in a small JSON object.
    package static let requestBodySize = tokenSize + 1_024
    /// The bytes of memory that unknown fields of a JSON text may use in addition to three times the size of the text.
    package static let unknownFieldSize = 64 << 10
    /// The maximum number of certificates in a JSON Web Signature. Those of the App Store contain three, and those of
    /// Xcode's local testing one.
    package static let tokenCertificates = 3
    /// The maximum number of certificates, and of signers, in a PKCS#7 container.
    package static let containerCertificates = 16
    /// The maximum number of signature checks in the search for a certificate chain.
    package static let chainSignatureChecks = 32
}
