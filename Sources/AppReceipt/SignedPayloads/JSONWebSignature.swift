import Foundation

/// A JSON Web Signature in compact form (RFC 7515, section 7.1), parsed but not verified.
struct JSONWebSignature: Sendable {
    /// The header's algorithm.
    let algorithm: String
    /// The unparsed certificates of the header in DER, starting with the signer's (section 4.1.6).
    let certificates: [[UInt8]]
    /// The signed bytes: the encoded header, a dot and the encoded payload (section 5.1).
    let message: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]
    private let payloadOffset: Int

    init(_ token: String) throws(MalformedReceiptError) {
        guard token.utf8.count <= ReadingLimits.tokenSize else {
            throw MalformedReceiptError(
                .limitExceeded, at: 0, expected: "a token of at most \(ReadingLimits.tokenSize) bytes")
        }
        let text = Array(token.utf8)
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw MalformedReceiptError(
                .unexpectedElement, at: 0, expected: "a token of three parts",
                found: parts.count > 3 ? "more" : "\(parts.count)")
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

    /// Returns the offset in the token of a byte of the payload.
    func inputOffset(ofPayload offset: Int) -> Int {
        JSONWebSignature.offset(offset, from: payloadOffset)
    }

    /// Returns the offset in a valid token of a byte of the payload.
    static func inputOffset(ofPayload offset: Int, in token: String) -> Int {
        JSONWebSignature.offset(offset, from: token.utf8.prefix { $0 != UInt8(ascii: ".") }.count + 1)
    }

    private static func offset(_ decoded: Int, from start: Int) -> Int {
        start + decoded / 3 * 4 + decoded % 3
    }

    private static func readHeader(_ header: [UInt8]) throws(MalformedReceiptError) -> (String, [[UInt8]]) {
        var fields = try SignedPayloadFields(header, "the token's header")
        // RFC 7515, section 4.1.11: recipients must understand critical parameters, and this type understands none. A
        // null value isn't an empty list.
        guard !fields.contains("crit") else {
            throw MalformedReceiptError(.unsupported, at: 0, expected: "a header without critical parameters (crit)")
        }
        guard let algorithm = try fields.string("alg") else {
            throw MalformedReceiptError(.invalidValue, at: 0, expected: "an algorithm (alg) in the token's header")
        }
        let texts = try fields.sources("x5c", limit: ReadingLimits.tokenCertificates)
        guard let texts, !texts.isEmpty else {
            throw MalformedReceiptError(
                .invalidValue, at: 0,
                expected: "one to \(ReadingLimits.tokenCertificates) certificates (x5c) in the token's header")
        }
        var certificates: [[UInt8]] = []
        for text in texts {
            guard let certificate = try? Base64.decode(text, .standard).get() else {
                throw MalformedReceiptError(
                    .invalidValue, at: 0, expected: "certificates in Base64 in the token's header")
            }
            certificates.append(certificate)
        }
        return (algorithm, certificates)
    }

    private static func decode(_ text: ArraySlice<UInt8>, _ expected: String) throws(MalformedReceiptError) -> [UInt8] {
        switch Base64.decode(text, .urlSafe) {
        case .success(let bytes): return bytes
        case .failure(let position):
            throw MalformedReceiptError(
                .invalidEncoding, at: position.index, expected: "\(expected) in unpadded base64url")
        }
    }

    /// Reads the certificates.
    func readCertificates() throws(MalformedReceiptError) -> [Certificate] {
        var read: [Certificate] = []
        for certificate in certificates {
            do throws(MalformedReceiptError) {
                read.append(try Certificate(certificate[...]))
            } catch {
                throw MalformedReceiptError(
                    error.code, at: 0, expected: "\(error.expected), in a certificate", found: error.found)
            }
        }
        return read
    }
}
