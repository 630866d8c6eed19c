public import Foundation
import ReceiptCryptography

/// Signs transactions and renewal information in the format of the App Store: a JSON Web Signature (RFC 7515) with
/// ES256 and the certificate chain in its header.
///
/// The signing key is public, so a signature proves nothing. To verify these tokens in a test, trust
/// ``rootCertificate`` explicitly.
public struct SimulatedJWSIssuer: Sendable {
    /// The certificates; `nil` for the simulator's certificates.
    package var chain: SimulatedCertificateChain?
    /// Whether to sign. Otherwise zeros replace the signature.
    package var signs = true
    /// The header's `alg`.
    package var algorithm = "ES256"

    /// Creates an issuer under the simulator's test root.
    public init() {}

    /// The certificate to trust in tests, in DER.
    public static var rootCertificate: Data {
        Data(SimulatedCertificateChain.signedTransactions?.root ?? [])
    }

    /// Returns the signed token of a payload, which should be a JSON object.
    public func issue(payload: Data) -> String {
        guard let chain = chain ?? SimulatedCertificateChain.signedTransactions else { return "" }
        let isUsual = self.chain == nil && algorithm == "ES256"
        return sign(encodedHeader: isUsual ? Self.usualHeader : Self.header(chain, algorithm), payload: payload, chain)
    }

    package func sign(header: Data, payload: Data, _ chain: SimulatedCertificateChain) -> String {
        sign(encodedHeader: SimulatedJWSIssuer.base64URL(header), payload: payload, chain)
    }

    private func sign(encodedHeader: String, payload: Data, _ chain: SimulatedCertificateChain) -> String {
        let message = "\(encodedHeader).\(SimulatedJWSIssuer.base64URL(payload))"
        guard signs else { return "\(message).\(Self.emptySignature)" }
        guard case .ellipticCurve(let key) = chain.leafKey,
            let signature = key.signature(of: Array(message.utf8), .sha256)
        else {
            return ""
        }
        return "\(message).\(SimulatedJWSIssuer.base64URL(Data(signature.r + signature.s)))"
    }

    private static func header(_ chain: SimulatedCertificateChain, _ algorithm: String) -> String {
        let certificates = [chain.leaf, chain.intermediate, chain.root].map { "\"\(Data($0).base64EncodedString())\"" }
        return base64URL(Data("{\"alg\":\"\(algorithm)\",\"x5c\":[\(certificates.joined(separator: ","))]}".utf8))
    }

    /// The cached header of the simulator's chain, which is the larger part of a token.
    private static let usualHeader = SimulatedCertificateChain.signedTransactions.map { header($0, "ES256") } ?? ""

    private static let emptySignature = base64URL(Data(count: 64))

    /// Returns Base64 in the URL-safe alphabet, without padding (RFC 7515, section 2).
    package static func base64URL(_ data: Data) -> String {
        var text: [UInt8] = []
        for byte in data.base64EncodedString().utf8 {
            switch byte {
            case UInt8(ascii: "+"): text.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): text.append(UInt8(ascii: "_"))
            case UInt8(ascii: "="): break
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
