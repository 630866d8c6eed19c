import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// The requirements of a server besides the signature: the app and the age.
@Suite(.bounded) struct VerifierPolicyTests {
    private var fixture = SignedTransactionFixture()

    private func token(_ payload: String) -> String {
        SignedTransactionFixture().issuer.issue(payload: Data(payload.utf8))
    }

    /// Returns a notification or an app transaction in an environment, for the app with this Apple ID.
    private func payload(_ kind: String, _ environment: ReceiptEnvironment, appStoreID: Int64?) -> String {
        let member = appStoreID.map { ",\"appAppleId\":\($0)" } ?? ""
        return kind == "notification"
            ? SignedPayloadSamples.notification(
                data: "\"data\":{\"bundleId\":\"com.example.app\",\"environment\":\"\(environment.rawValue)\"\(member)}"
            )
            : """
            {"receiptType":"\(environment.rawValue)","bundleId":"com.example.app",
            "receiptCreationDate":1700000000500\(member)}
            """
    }

    @Test(
        arguments: [
            // (kind, environment, the payload's Apple ID, the verifier's, the expected error)
            ("notification", .production, 7, 7, nil), ("notification", .production, 8, 7, .appStoreIDMismatch),
            ("notification", .production, nil, 7, .appStoreIDMismatch),
            ("notification", .production, 0, 7, .appStoreIDMismatch),
            ("notification", .production, 7, nil, .appStoreIDMissing), ("notification", .sandbox, nil, nil, nil),
            ("notification", .sandbox, nil, 7, nil), ("notification", .sandbox, 0, 7, nil),
            ("notification", .sandbox, 8, 7, .appStoreIDMismatch), ("appTransaction", .production, 7, 7, nil),
            ("appTransaction", .production, 8, 7, .appStoreIDMismatch),
            ("appTransaction", .production, nil, 7, .appStoreIDMismatch),
            ("appTransaction", .production, 7, nil, .appStoreIDMissing), ("appTransaction", .sandbox, nil, 7, nil),
            ("appTransaction", .sandbox, 7, nil, nil),
            ("appTransaction", .sandbox, 8, 7, .appStoreIDMismatch),
        ] as [(String, ReceiptEnvironment, Int64?, Int64?, ReceiptVerificationError.Code?)])
    func `the app's Apple ID is compared`(
        kind: String, environment: ReceiptEnvironment, named: Int64?, expected: Int64?,
        code: ReceiptVerificationError.Code?
    ) throws {
        var verifier = SignedTransactionFixture().verifier
        verifier.environment = environment
        verifier.appStoreID = expected
        let token = token(payload(kind, environment, appStoreID: named))
        expectEqual(verifier.report(on: token).failures, code.map { [.bundleID: $0] } ?? [:])
        let other = SignedTransactionVerifier(
            bundleID: "com.example.other", environment: environment, appStoreID: expected,
            trustAnchors: verifier.trustAnchors)
        expectEqual(
            other.report(on: token).failures, [.bundleID: .bundleIDMismatch], "the bundle identifier is compared first")
        verifier.bundleID = .any
        let any = expected == nil ? [:] : code.map { [ReceiptCheck.bundleID: $0] } ?? [:]
        expectEqual(
            verifier.report(on: token).failures, any, "a server of several apps compares the identifiers itself")
    }

    @Test func `an app verifies its own app transaction without an Apple ID`() {
        var verifier = SignedTransactionFixture().verifier
        verifier.environment = .production
        verifier.deviceVerificationID = SignedPayloadSamples.deviceID
        let token = token(SignedPayloadSamples.appTransaction)
        expectEqual(verifier.report(on: token).failures, [:])
        verifier.deviceVerificationID = nil
        expectEqual(verifier.report(on: token).failures, [.bundleID: .appStoreIDMissing])
    }

    @Test mutating func `a transaction names no Apple ID`() throws {
        fixture.verifier.appStoreID = 7
        expectEqual(fixture.failures(), [:])
        fixture.payload = fixture.payload.replacing("\"quantity\":1", with: "\"quantity\":1,\"appAppleId\":\"word\"")
        expectEqual(fixture.failures(), [:])
    }

    @Test(arguments: [(0.0, true), (600, true), (601, false), (-300, true), (-301, false)])
    mutating func `a payload must not be older than the limit or from the future`(age: TimeInterval, isAccepted: Bool) {
        fixture.verifier.maximumAge = 600
        fixture.verifier.date = SignedTransactionFixture.signedDate.addingTimeInterval(age)
        expectEqual(fixture.failures(), isAccepted ? [:] : [.age: .signedDateOutOfRange])
        fixture.verifier.maximumAge = nil
        expectEqual(fixture.failures(), [:])
    }

    @Test mutating func `the age is checked with the current date unless a date is given`() {
        fixture.verifier.maximumAge = 86_400
        expectEqual(fixture.failures(), [.age: .signedDateOutOfRange])
        fixture.verifier.maximumAge = 100 * 365 * 86_400
        expectEqual(fixture.failures(), [:])
    }

    @Test func `the texts inside a fresh notification may be old`() throws {
        let old = token(fixture.payload.replacing("\"signedDate\":1700000000500", with: "\"signedDate\":1690000000500"))
        var verifier = fixture.verifier
        verifier.maximumAge = 60
        verifier.date = SignedTransactionFixture.signedDate
        let notification = token(SignedPayloadSamples.notification(transaction: old, renewal: nil))
        expectEqual(try verifier.notification(signedPayload: notification).transaction?.productID, "weekly")
        expectEqual(verifier.report(on: old).failures, [.age: .signedDateOutOfRange])
    }

    @Test(arguments: ["signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"])
    func `a text inside a notification can't be newer than the notification`(name: String) throws {
        let samples = [
            "signedTransactionInfo": SignedTransactionFixture.transaction,
            "signedRenewalInfo": SignedTransactionFixture.renewal,
            "signedAppTransactionInfo": SignedPayloadSamples.appTransaction,
        ]
        let sample = try #require(samples[name]).replacing("\"Production\"", with: "\"Sandbox\"")
        for (seconds, isAccepted) in [(-86_400, true), (300, true), (301, false), (100_000_000, false)] {
            let inner = token(
                sample.replacing("1700000000500", with: "\(1_700_000_000_500 + Int64(seconds) * 1_000)"))
            let data =
                "\"data\":{\"bundleId\":\"com.example.app\",\"environment\":\"Sandbox\",\"\(name)\":\"\(inner)\"}"
            let outer = token(SignedPayloadSamples.notification(data: data))
            expectEqual(
                fixture.failures(outer), isAccepted ? [:] : [.content: .signedDateOutOfRange], "\(seconds)")
        }
    }

    @Test func `an app transaction is as new as the later of its two dates`() throws {
        let sample = SignedPayloadSamples.appTransaction.replacing("\"Production\"", with: "\"Sandbox\"")
        let created: Int64 = 1_700_000_000_500
        for (signed, isAccepted) in [(created - 86_400_000, true), (created, true), (created + 86_400_000, false)] {
            let inner = token("{\"signedDate\":\(signed)," + sample.dropFirst())
            let info = try #require(SignedPayload.unverified(jws: inner).appTransaction)
            expectEqual(info.signedDate, Date(timeIntervalSince1970: Double(max(signed, created)) / 1_000))
            expectEqual(info.unknownFields["signedDate"], nil)
            let data =
                "\"data\":{\"bundleId\":\"com.example.app\",\"environment\":\"Sandbox\",\"signedAppTransactionInfo\":\"\(inner)\"}"
            let outer = token(SignedPayloadSamples.notification(data: data))
            expectEqual(fixture.failures(outer), isAccepted ? [:] : [.content: .signedDateOutOfRange], "\(signed)")
        }
    }

    @Test mutating func `certificates must be valid at the signed date, and now if required`() throws {
        var parts = try SignedTransactionFixture.certificates()
        parts.leaf.notAfter = SignedTransactionFixture.signedDate.addingTimeInterval(100)
        let chain = SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
        fixture.issuer.chain = chain
        fixture.verifier.trustAnchors = .pinning(Data(chain.root))
        expectEqual(fixture.failures(), [:])
        fixture.verifier.requiresCurrentCertificates = true
        for (seconds, code) in [(99.0, nil), (101, ReceiptVerificationError.Code.certificateExpired)] {
            fixture.verifier.date = SignedTransactionFixture.signedDate.addingTimeInterval(seconds)
            expectEqual(fixture.failures(), code.map { [.validity: $0] } ?? [:], "\(seconds)")
            let accepted = (try? fixture.verifier.transaction(jws: fixture.token())) != nil
            expectEqual(accepted, code == nil, "the dates of a cached chain are checked")
        }
        fixture.verifier.date = nil
        expectEqual(fixture.failures(), [.validity: .certificateExpired], "at the current date")
    }
}
