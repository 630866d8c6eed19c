public import Foundation
package import ReceiptCryptography

/// Signs receipts of the simulated App Store in the App Store's format, with a chain of certificates.
///
/// The signing key is public, so a signature proves nothing. To verify these receipts in a test, trust
/// ``rootCertificate`` explicitly. Equal receipts have equal bytes. Signing takes about a fiftieth of a second in a
/// debug build, so create a receipt when it's read, not after each purchase.
public struct SimulatedReceiptIssuer: Sendable {
    /// Whether to sign. Otherwise zeros replace the signature.
    package var signs = true
    /// The hash function of the signature. The App Store changed from SHA-1 to SHA-256 in 2023.
    package var digest: SignatureDigest = .sha256
    /// Whether to sign attributes with the content's digest instead of the content.
    package var hasSignedAttributes = false
    /// Whether the signature's algorithm identifier includes its hash function.
    package var namesSignatureDigest = true
    /// The certificates; `nil` for the simulator's certificates.
    package var chain: SimulatedCertificateChain?
    /// The certificates to enclose; `nil` for leaf, intermediate and root.
    package var enclosedCertificates: [[UInt8]]?

    /// Creates an issuer that signs with SHA-256 under the simulator's test root.
    public init() {}

    /// The default identifier of the simulated device, which receipts are tied to.
    package static let deviceIdentifier = [UInt8](repeating: 0, count: 16)

    /// The certificate to trust in tests, in DER.
    public static var rootCertificate: Data {
        Data(SimulatedCertificateChain.receipts?.root ?? [])
    }

    /// Returns the signed receipt file of a receipt.
    public func issue(_ receipt: SimulatedReceipt) -> Data {
        Data(container(around: receipt.encoded()))
    }

    /// Signs any content (RFC 5652, section 5.1).
    package func container(around content: [UInt8]) -> [UInt8] {
        guard let chain = chain ?? SimulatedCertificateChain.receipts else { return [] }
        let data = DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 1])
        let signedData = DEREncoding.sequence([
            DEREncoding.integer(1),
            DEREncoding.set([digestAlgorithm]),
            DEREncoding.sequence([data, DEREncoding.explicit(0, DEREncoding.octetString(content))]),
            DEREncoding.element(
                0xA0, (enclosedCertificates ?? [chain.leaf, chain.intermediate, chain.root]).flatMap { $0 }),
            DEREncoding.set([signer(of: content, chain)]),
        ])
        return DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]), DEREncoding.explicit(0, signedData),
        ])
    }

    /// Returns the `SignerInfo` (RFC 5652, section 5.3). Signed attributes are encoded as [0] and signed as a SET
    /// (section 5.4).
    private func signer(of content: [UInt8], _ chain: SimulatedCertificateChain) -> [UInt8] {
        var message = content
        var sentAttributes: [UInt8] = []
        if hasSignedAttributes {
            message = signedAttributes(of: content)
            sentAttributes = [0xA0] + message.dropFirst()
        }
        let rsaEncryption = DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 1, 1]), DEREncoding.null,
        ])
        return DEREncoding.sequence([
            DEREncoding.integer(1),
            DEREncoding.sequence([
                SimulatedCertificate.name(chain.leafIssuer), DEREncoding.integer(chain.leafSerialNumber),
            ]),
            digestAlgorithm,
            sentAttributes,
            namesSignatureDigest ? chain.leafKey.signatureAlgorithm(digest) : rsaEncryption,
            DEREncoding.octetString(
                signs ? chain.leafKey.signature(of: message, digest) : [UInt8](repeating: 0, count: 256)),
        ])
    }

    private func signedAttributes(of content: [UInt8]) -> [UInt8] {
        func attribute(_ number: UInt64, _ value: [UInt8]) -> [UInt8] {
            DEREncoding.sequence([
                DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 9, number]), DEREncoding.set([value]),
            ])
        }
        return DEREncoding.set([
            attribute(3, DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 1])),
            attribute(4, DEREncoding.octetString(digest.hash(content[...]))),
        ])
    }

    private var digestAlgorithm: [UInt8] {
        let identifier: [UInt64] =
            switch digest {
            case .sha1: [1, 3, 14, 3, 2, 26]
            case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
            case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
            }
        return DEREncoding.sequence([DEREncoding.objectIdentifier(identifier), DEREncoding.null])
    }
}
