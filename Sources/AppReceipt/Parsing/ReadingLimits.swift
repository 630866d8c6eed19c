/// How much the readers of this module take on; beyond that, input is malformed with
/// ``MalformedReceiptError/Code-swift.struct/limitExceeded``.
///
/// Lengths are checked before anything is copied. Together with comparing by bytes they keep the cost of any input,
/// its sender, in proportion to its size: the standard library's comparison of texts normalizes them, which costs
/// the square of the length of a run of combining marks. The limits of nesting and of the number of elements are those
/// of ``ASN1Limits`` and ``JSONTape/Limits``.
package enum ReadingLimits {
    /// The bytes of an identifier, a version or a word. Apple's are at most 155 bytes long, which is a bundle
    /// identifier's longest.
    package static let textLength = 256
    /// The bytes of a member's name in JSON, as it is spelled; Apple's have forty at most.
    package static let nameLength = 64
    /// The characters of a number in JSON.
    package static let numberLength = 64
    /// The bytes of a JSON Web Signature; those of the App Store have about six thousand, notifications up to thirty
    /// thousand.
    package static let tokenSize = 1 << 20
    /// The bytes of a request's body: a token, and a little JSON around it.
    package static let requestBodySize = tokenSize + 1_024
    /// The bytes of memory that the unknown fields of a JSON text may take, beside three times the size of the text.
    package static let unknownFieldSize = 64 << 10
    /// The certificates that a JSON Web Signature may contain. The App Store's contain three, those of Xcode's local
    /// testing one.
    package static let tokenCertificates = 3
    /// The certificates, and the signers, that a PKCS#7 container may bring along.
    package static let containerCertificates = 16
    /// The signatures that are checked to find a chain of certificates.
    package static let chainSignatureChecks = 32
}
