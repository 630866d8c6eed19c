import Foundation

/// The textual encoding of a certificate (RFC 7468, 5).
enum PEM {
    /// Returns the DER of a certificate in DER, or of the only certificate in PEM.
    static func certificate(in encoding: Data) throws(MalformedReceiptError) -> [UInt8] {
        // Base64 is a third longer, and comments may surround the certificate.
        let limit = ASN1Limits.certificate.maximumSize * 2
        guard encoding.count <= limit else {
            throw MalformedReceiptError(
                .limitExceeded, at: 0, expected: "a certificate of at most \(limit) bytes", found: "\(encoding.count)")
        }
        let bytes = [UInt8](encoding)
        // A SEQUENCE starts with 30, the digit 0. No line of PEM starts with this digit.
        guard bytes.first != 0x30 else { return bytes }
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
        let begins = lines.indices.filter { isLine(lines[$0], "-----BEGIN CERTIFICATE-----") }
        let ends = lines.indices.filter { isLine(lines[$0], "-----END CERTIFICATE-----") }
        guard begins.count == 1, ends.count == 1, begins[0] < ends[0] else {
            throw MalformedReceiptError(
                .unexpectedElement, at: 0, expected: "one certificate in DER or PEM",
                found: "\(begins.count) certificates in PEM")
        }
        let text = lines[(begins[0] + 1)..<ends[0]].reduce(into: [UInt8]()) { $0 += $1 }
        switch Base64.decode(text[...], .standard) {
        case .success(let certificate): return certificate
        case .failure:
            throw MalformedReceiptError(
                .invalidEncoding, at: lines[begins[0]].endIndex,
                expected: "Base64 between the lines of a certificate in PEM")
        }
    }

    private static func isLine(_ line: ArraySlice<UInt8>, _ boundary: String) -> Bool {
        var line = line
        while let last = line.last, last == 0x20 || last == 0x09 { line = line.dropLast() }
        return line.elementsEqual(boundary.utf8)
    }
}
