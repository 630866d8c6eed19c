import Foundation

/// A JSON Web Signature in compact form (RFC 7515, 7.1), taken apart and not yet believed.
struct JSONWebSignature: Sendable {
    /// The header's algorithm.
    let algorithm: String
    /// The certificates of the header, the signer's first (4.1.6).
    let certificates: [Certificate]
    /// What is signed: header and payload as they were sent, with the dot between them (5.1).
    let message: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]
    private let payloadOffset: Int

    /// Real tokens have about six thousand bytes.
    private static let maximumSize = 1 << 20

    init(_ token: String) throws(MalformedReceiptError) {
        let text = Array(token.utf8)
        guard text.count <= JSONWebSignature.maximumSize else {
            throw MalformedReceiptError(.limitExceeded, at: 0, expected: "a token of at most \(JSONWebSignature.maximumSize) bytes")
        }
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw MalformedReceiptError(
                .unexpectedElement, at: 0, expected: "a token of three parts", found: parts.count > 3 ? "more" : "\(parts.count)")
        }
        let header = try JSONWebSignature.decode(parts[0], "the token's header")
        payload = try JSONWebSignature.decode(parts[1], "the token's payload")
        payloadOffset = parts[1].startIndex
        signature = try JSONWebSignature.decode(parts[2], "the token's signature")
        message = Array(text[..<parts[1].endIndex])
        do throws(MalformedReceiptError) {
            (algorithm, certificates) = try JSONWebSignature.readHeader(header)
        } catch {
            throw error.relocated { JSONWebSignature.offset($0, from: 0) }
        }
    }

    /// Where in the token a byte of the payload is.
    func inputOffset(ofPayload offset: Int) -> Int {
        JSONWebSignature.offset(offset, from: payloadOffset)
    }

    private static func offset(_ decoded: Int, from start: Int) -> Int {
        start + decoded / 3 * 4 + decoded % 3
    }

    private static func readHeader(_ header: [UInt8]) throws(MalformedReceiptError) -> (String, [Certificate]) {
        let fields = try SignedPayloadFields(header, "the token's header")
        // RFC 7515, 4.1.11: what a critical parameter asks for has to be understood, and none is here.
        guard fields["crit"] == nil else {
            throw MalformedReceiptError(.unsupported, at: 0, expected: "a header without critical parameters")
        }
        guard let algorithm = try fields.string("alg") else {
            throw MalformedReceiptError(.invalidValue, at: 0, expected: "an algorithm (alg) in the token's header")
        }
        guard case .array(let values)? = fields["x5c"], (1...8).contains(values.count) else {
            throw MalformedReceiptError(.invalidValue, at: 0, expected: "one to eight certificates (x5c) in the token's header")
        }
        var certificates: [Certificate] = []
        for value in values {
            guard case .string(let text) = value, let data = Data(base64Encoded: text) else {
                throw MalformedReceiptError(.invalidValue, at: 0, expected: "certificates in Base64 in the token's header")
            }
            do throws(MalformedReceiptError) {
                certificates.append(try Certificate(Array(data)[...]))
            } catch {
                throw MalformedReceiptError(error.code, at: 0, expected: "\(error.expected), in a certificate", found: error.found)
            }
        }
        return (algorithm, certificates)
    }

    /// Base64 in the alphabet for addresses (RFC 4648, 5), without padding, and with nothing in the bits that are left over.
    static func decode(_ text: ArraySlice<UInt8>, _ expected: String) throws(MalformedReceiptError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for (index, character) in zip(text.indices, text) {
            guard let value = sextet(character) else {
                throw MalformedReceiptError(.invalidEncoding, at: index, expected: "\(expected) in unpadded base64url")
            }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= 1 << UInt32(count) - 1
            }
        }
        guard count < 6, bits == 0 else {
            throw MalformedReceiptError(.invalidEncoding, at: text.endIndex, expected: "\(expected) in whole bytes of base64url")
        }
        return bytes
    }

    private static func sextet(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
