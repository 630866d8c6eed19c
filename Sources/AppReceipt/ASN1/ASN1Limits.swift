/// How much a reader takes on before it calls the input malformed.
///
/// Real receipts nest about twelve levels deep and stay below a few megabytes; the limits leave ample room above that, and keep hostile input
/// from costing more than time in proportion to its size.
package struct ASN1Limits: Hashable, Sendable {
    /// The number of elements one may be inside of.
    package var maximumDepth: Int
    /// The number of bytes of the whole input.
    package var maximumSize: Int
    /// The number of members of one SEQUENCE OF or SET OF.
    package var maximumCount: Int

    package init(maximumDepth: Int = 32, maximumSize: Int = 16 << 20, maximumCount: Int = 1_000_000) {
        self.maximumDepth = maximumDepth
        self.maximumSize = maximumSize
        self.maximumCount = maximumCount
    }

    /// What a certificate or a signature may be: small things, read strictly.
    package static let certificate = ASN1Limits(maximumDepth: 24, maximumSize: 1 << 20, maximumCount: 1_000)
}

/// Which of X.690's encoding rules a reader insists on.
package enum ASN1EncodingRules: Hashable, Sendable {
    /// Basic encoding rules: lengths may be indefinite or longer than need be, strings may come in pieces.
    case basic
    /// Distinguished encoding rules: one encoding for every value.
    case distinguished
}
