package import Foundation
package import ReceiptCryptography

/// An unsigned X.509 certificate of the simulator (RFC 5280, section 4.1).
package struct SimulatedCertificate: Sendable {
    package var subject: String
    package var issuer: String
    package var serialNumber: Int64
    package var notBefore: Date
    package var notAfter: Date
    package var key: SimulatedKey
    /// Whether the certificate is an authority; `nil` omits the extension.
    package var isAuthority: Bool?
    package var pathLength: Int64?
    /// The first octet of the key usage: 80 for signatures, 04 and 02 for certificates and revocation lists; `nil`
    /// omits the extension.
    package var keyUsage: UInt8?
    /// The identifiers of extensions without a value.
    package var markers: [[UInt64]]
    package var hasCriticalMarkers = false
    /// The hash function of the issuer's signature.
    package var digest: SignatureDigest

    package init(
        subject: String, issuer: String, serialNumber: Int64, key: SimulatedKey, isAuthority: Bool,
        markers: [[UInt64]] = [],
        digest: SignatureDigest = .sha256
    ) {
        self.subject = subject
        self.issuer = issuer
        self.serialNumber = serialNumber
        // From 2000 to 2049, for all dates of the virtual clock.
        notBefore = Date(timeIntervalSince1970: 946_684_800)
        notAfter = Date(timeIntervalSince1970: 2_524_607_999)
        self.key = key
        self.isAuthority = isAuthority
        keyUsage = isAuthority ? 0x06 : 0x80
        self.markers = markers
        self.digest = digest
    }

    /// Returns a name with country, organization and common name.
    package static func name(_ commonName: String) -> [UInt8] {
        func part(_ attribute: UInt64, _ value: [UInt8]) -> [UInt8] {
            DEREncoding.set([DEREncoding.sequence([DEREncoding.objectIdentifier([2, 5, 4, attribute]), value])])
        }
        return DEREncoding.sequence([
            part(3, DEREncoding.utf8String(commonName)), part(10, DEREncoding.utf8String("Simulated App Store")),
            part(6, DEREncoding.element(0x13, Array("US".utf8))),
        ])
    }

    /// Returns the certificate with the issuer's signature.
    package func signed(by issuerKey: SimulatedKey) -> [UInt8] {
        let algorithm = issuerKey.signatureAlgorithm(digest)
        let signed = DEREncoding.sequence([
            DEREncoding.explicit(0, DEREncoding.integer(2)),
            DEREncoding.integer(serialNumber),
            algorithm,
            SimulatedCertificate.name(issuer),
            DEREncoding.sequence([DEREncoding.time(notBefore), DEREncoding.time(notAfter)]),
            SimulatedCertificate.name(subject),
            key.publicKeyInformation,
            DEREncoding.explicit(3, DEREncoding.sequence(extensions)),
        ])
        return DEREncoding.sequence([signed, algorithm, DEREncoding.bitString(issuerKey.signature(of: signed, digest))])
    }

    private var extensions: [[UInt8]] {
        func element(_ identifier: [UInt64], isCritical: Bool, _ value: [UInt8]) -> [UInt8] {
            let criticality = isCritical ? DEREncoding.boolean(true) : []
            return DEREncoding.sequence([
                DEREncoding.objectIdentifier(identifier), criticality, DEREncoding.octetString(value),
            ])
        }
        var extensions: [[UInt8]] = []
        if let isAuthority {
            let constraints = [
                isAuthority ? DEREncoding.boolean(true) : [], pathLength.map { DEREncoding.integer($0) } ?? [],
            ]
            extensions.append(element([2, 5, 29, 19], isCritical: true, DEREncoding.sequence(constraints)))
        }
        if let keyUsage {
            let bits = DEREncoding.bitString([keyUsage], unusedBits: UInt8(min(keyUsage.trailingZeroBitCount, 7)))
            extensions.append(element([2, 5, 29, 15], isCritical: true, bits))
        }
        for marker in markers {
            extensions.append(element(marker, isCritical: hasCriticalMarkers, DEREncoding.null))
        }
        return extensions
    }
}
