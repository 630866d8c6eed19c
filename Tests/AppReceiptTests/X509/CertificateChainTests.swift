import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptCryptography
import ReceiptTestFixtures
import TestHarness
import Testing

/// Chains with a single defect, in otherwise valid receipts.
@Suite(.bounded) struct CertificateChainTests {
    private typealias Parts = (
        root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate
    )

    private func failures(
        _ bend: (inout Parts) throws -> Void
    ) throws -> [ReceiptCheck: ReceiptVerificationError.Code] {
        var fixture = ReceiptFixture()
        var parts = try ReceiptFixture.certificates()
        try bend(&parts)
        fixture.sign(with: parts)
        return fixture.report().failures
    }

    @Test func `an unmodified chain passes all checks`() throws {
        expectEqual(try failures { _ in }, [:])
    }

    @Test func `validity is checked at the creation date, including both ends`() throws {
        let made = ReceiptFixture.creationDate
        expectEqual(try failures { $0.leaf.notAfter = made.addingTimeInterval(-1) }, [.validity: .certificateExpired])
        expectEqual(try failures { $0.leaf.notAfter = made }, [:])
        expectEqual(try failures { $0.leaf.notBefore = made }, [:])
        expectEqual(
            try failures { $0.leaf.notBefore = made.addingTimeInterval(1) }, [.validity: .certificateNotYetValid])
        expectEqual(
            try failures { $0.intermediate.notAfter = made.addingTimeInterval(-1) }, [.validity: .certificateExpired])
        expectEqual(
            try failures { $0.root.notBefore = made.addingTimeInterval(1) }, [.validity: .certificateNotYetValid])
    }

    @Test func `each marker must be in its certificate`() throws {
        let leaf = SimulatedCertificateChain.receiptSigningMarker
        let intermediate = SimulatedCertificateChain.developerRelationsMarker
        expectEqual(try failures { $0.leaf.markers = [] }, [.markers: .leafMarkerMissing])
        expectEqual(try failures { $0.leaf.markers = [intermediate] }, [.markers: .leafMarkerMissing])
        expectEqual(try failures { $0.leaf.markers = [leaf.dropLast() + [2]] }, [.markers: .leafMarkerMissing])
        expectEqual(try failures { $0.intermediate.markers = [] }, [.markers: .intermediateMarkerMissing])
        expectEqual(try failures { $0.intermediate.markers = [leaf] }, [.markers: .intermediateMarkerMissing])
        expectEqual(try failures { $0.leaf.hasCriticalMarkers = true }, [:])
    }

    @Test func `only authorities may issue certificates`() throws {
        expectEqual(try failures { $0.intermediate.isAuthority = false }, [.constraints: .notAnAuthority])
        expectEqual(try failures { $0.intermediate.isAuthority = nil }, [.constraints: .notAnAuthority])
        expectEqual(try failures { $0.root.isAuthority = false }, [.constraints: .notAnAuthority])
        expectEqual(try failures { $0.root.pathLength = 0 }, [.constraints: .notAnAuthority])
        expectEqual(try failures { $0.root.pathLength = 1 }, [:])
        expectEqual(try failures { $0.intermediate.pathLength = 0 }, [:])
    }

    @Test func `keys may only be used for their purpose`() throws {
        expectEqual(try failures { $0.leaf.keyUsage = 0x20 }, [.constraints: .keyUsageViolation])
        expectEqual(try failures { $0.leaf.keyUsage = 0x40 }, [:])
        expectEqual(try failures { $0.leaf.keyUsage = nil }, [:])
        expectEqual(try failures { $0.intermediate.keyUsage = 0x80 }, [.constraints: .keyUsageViolation])
        expectEqual(try failures { $0.root.keyUsage = 0x02 }, [.constraints: .keyUsageViolation])
    }

    @Test func `an unknown critical extension fails`() throws {
        expectEqual(
            try failures {
                $0.leaf.markers.append([1, 2, 3, 4])
                $0.leaf.hasCriticalMarkers = true
            }, [.constraints: .unknownCriticalExtension])
        expectEqual(try failures { $0.leaf.markers.append([1, 2, 3, 4]) }, [:])
        expectEqual(
            try failures {
                $0.root.markers.append([2, 5, 29, 30])
                $0.root.hasCriticalMarkers = true
            }, [.constraints: .unknownCriticalExtension])
    }

    @Test func `certificates signed with another key under the right name fail`() throws {
        var fixture = ReceiptFixture()
        let parts = try ReceiptFixture.certificates()
        var chain = SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
        chain.leaf = parts.leaf.signed(by: parts.leaf.key)
        fixture.issuer.chain = chain
        expectEqual(fixture.report().failures, [.chain: .certificateSignatureInvalid])
        chain.leaf = parts.leaf.signed(by: parts.intermediate.key)
        chain.intermediate = parts.intermediate.signed(by: parts.leaf.key)
        fixture.issuer.chain = chain
        expectEqual(fixture.report().failures, [.chain: .certificateSignatureInvalid])
    }

    @Test func `a leaf issued by another leaf fails`() throws {
        var fixture = ReceiptFixture()
        let parts = try ReceiptFixture.certificates()
        var forged = parts.leaf
        forged.issuer = parts.leaf.subject
        forged.subject = "Forged Receipt Signing"
        forged.serialNumber = 9
        forged.key = .rsa(try #require(SimulatedSigningKeys.root))
        var chain = SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
        let genuine = chain.leaf
        chain.leaf = forged.signed(by: parts.leaf.key)
        chain.leafKey = forged.key
        chain.leafIssuer = forged.issuer
        chain.leafSerialNumber = forged.serialNumber
        fixture.issuer.chain = chain
        fixture.issuer.enclosedCertificates = [chain.leaf, genuine, chain.intermediate, chain.root]
        expectEqual(fixture.report().failures, [.constraints: .notAnAuthority])
    }

    @Test func `SHA-1 is accepted in signatures of old certificates`() throws {
        expectEqual(
            try failures {
                $0.root.digest = .sha1
                $0.intermediate.digest = .sha1
                $0.leaf.digest = .sha1
            }, [:])
    }
}
