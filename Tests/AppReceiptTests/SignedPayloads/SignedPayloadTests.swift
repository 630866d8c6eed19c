import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct SignedPayloadTests {
    private var fixture = SignedTransactionFixture()

    private func issue(_ payload: String) -> String {
        fixture.issuer.issue(payload: Data(payload.utf8))
    }

    @Test func `every kind is recognized by its fields and verified with its date, environment and app`() throws {
        var verifier = fixture.verifier
        verifier.appStoreID = 1_234_567_890
        for (name, kind, environment) in [
            ("transaction", SignedPayload.Kind.transaction, ReceiptEnvironment.sandbox),
            ("renewal", .renewalInfo, .production),
            ("appTransaction", .appTransaction, .production), ("notification", .notification, .sandbox),
        ] {
            let token = issue(try #require(SignedPayloadSamples.all[name]))
            verifier.bundleID = name == "renewal" ? .any : "com.example.app"
            verifier.environment = environment
            let payload = try verifier.payload(jws: token)
            expectEqual(payload.kind, kind)
            expectEqual(payload.jws, token)
            expectEqual(payload.signedDate, SignedTransactionFixture.signedDate)
            #expect(try JSONSerialization.jsonObject(with: payload.payload) is [String: Any])
            expectEqual((payload.transaction != nil), kind == .transaction)
            expectEqual((payload.renewalInfo != nil), kind == .renewalInfo)
            expectEqual((payload.appTransaction != nil), kind == .appTransaction)
            expectEqual((try payload.notification != nil), kind == .notification)
            verifier.environment = environment == .sandbox ? .production : .sandbox
            expectEqual(verifier.report(on: token).failures, [.environment: .environmentMismatch], "\(name)")
            verifier.environment = nil
            verifier.bundleID = "com.example.ap"
            let expected: ReceiptVerificationError.Code = name == "renewal" ? .bundleIDMissing : .bundleIDMismatch
            expectEqual(verifier.report(on: token).failures, [.bundleID: expected], "\(name)")
        }
    }

    @Test(arguments: SignedPayloadSamples.all.keys.sorted())
    func `equal payloads have equal hashes, and any additional field makes them different`(name: String) throws {
        func values(_ json: String) throws -> Set<AnyHashable> {
            let payload = try SignedPayload.unverified(jws: UnsignedToken.around(json))
            let contents: [AnyHashable?] = [
                payload.transaction, payload.renewalInfo, payload.appTransaction, try payload.notification,
            ]
            return Set([payload] + contents.compactMap(\.self))
        }
        let json = try #require(SignedPayloadSamples.all[name])
        expectEqual(try values(json).count, 2)
        expectEqual(try values(json), try values(json))
        #expect(try values(json).isDisjoint(with: values(#"{"news":1,"# + json.dropFirst())))
    }

    @Test func `payloads of unknown kinds are verified`() throws {
        let token = issue(
            "{\"signedDate\":1700000000500,\"bundleId\":\"com.example.app\",\"environment\":\"Sandbox\",\"news\":[1]}")
        let payload = try fixture.verifier.payload(jws: token)
        #expect(payload.kind == .other && String(decoding: payload.payload, as: UTF8.self).contains("news"))
        for read in [
            { _ = try fixture.verifier.transaction(jws: token) },
            { _ = try fixture.verifier.appTransaction(jws: token) },
        ] {
            #expect { try read() } throws: { ($0 as? ReceiptVerificationError)?.code == .unexpectedPayload }
        }
        #expect(throws: ReceiptVerificationError.self) {
            try fixture.verifier.payload(jws: issue("{\"bundleId\":\"com.example.app\"}"))
        }
    }

    @Test func `an app transaction is verified with all documented fields`() throws {
        var verifier = fixture.verifier
        verifier.environment = .production
        verifier.appStoreID = 1_234_567_890
        let info = try verifier.appTransaction(jws: issue(SignedPayloadSamples.appTransaction))
        expectEqual(info.bundleID, "com.example.app")
        expectEqual(info.environment, .production)
        expectEqual(info.applicationVersion, "42")
        expectEqual(info.originalApplicationVersion, "7")
        expectEqual(info.appStoreID, 1_234_567_890)
        expectEqual(info.versionExternalIdentifier, 880_000_001)
        expectEqual(info.signedDate, SignedTransactionFixture.signedDate)
        expectEqual(info.originalPlatform, .iOS)
        expectEqual(info.originalPurchaseDate, Date(timeIntervalSince1970: 1_600_000_000))
        expectEqual(info.preorderDate, Date(timeIntervalSince1970: 1_590_000_000))
        expectEqual(info.appTransactionID, "704000000000000001")
        expectEqual(info.deviceVerification?.nonce, UUID(uuidString: SignedPayloadSamples.nonce))
        expectEqual(info.unknownFields, ["tomorrow": .object(["a": .number("1")])])
    }

    @Test func `a payload belongs to the device that received it`() throws {
        var verifier = fixture.verifier
        verifier.environment = nil
        verifier.deviceVerificationID = SignedPayloadSamples.deviceID
        expectEqual(verifier.report(on: issue(SignedPayloadSamples.appTransaction)).failures, [:])
        let other = SignedPayloadSamples.appTransaction.replacing("0D8F7C10", with: "0D8F7C11")
        expectEqual(verifier.report(on: issue(other)).failures, [.device: .deviceHashMismatch])
        expectEqual(
            verifier.report(on: issue(SignedTransactionFixture.transaction)).failures, [.device: .deviceHashMissing])
        let halves = [
            "\"deviceVerification\":\"\(SignedPayloadSamples.deviceHash)\",",
            "\"deviceVerificationNonce\":\"\(SignedPayloadSamples.nonce)\",",
        ]
        for half in halves {
            let incomplete = SignedPayloadSamples.appTransaction.replacing(half, with: "")
            expectEqual(verifier.report(on: issue(incomplete)).failures, [.device: .deviceHashMissing])
        }
        verifier.deviceVerificationID = UUID()
        expectEqual(
            verifier.report(on: issue(SignedPayloadSamples.appTransaction)).failures, [.device: .deviceHashMismatch])
    }

    @Test func `renewal information belongs to a verified transaction of its app and subscription`() throws {
        var verifier = fixture.verifier
        let transaction = try verifier.transaction(jws: fixture.token())
        verifier.environment = .production
        let token = issue(SignedTransactionFixture.renewal)
        expectEqual(try verifier.renewalInfo(jws: token, of: transaction).willAutoRenew, false)
        expectEqual(
            verifier.report(on: token).failures, [.bundleID: .bundleIDMissing],
            "renewal information alone doesn't name an app")
        #expect(throws: ReceiptVerificationError.self) { try verifier.payload(jws: token) }
        let foreign = issue(SignedTransactionFixture.renewal.replacing("2000000123456789", with: "2000000123456788"))
        #expect { try verifier.renewalInfo(jws: foreign, of: transaction) } throws: {
            ($0 as? ReceiptVerificationError)?.code == .subscriptionMismatch
        }
        verifier.bundleID = "com.example.other"
        #expect { try verifier.renewalInfo(jws: token, of: transaction) } throws: {
            ($0 as? ReceiptVerificationError)?.code == .bundleIDMismatch
        }
        #expect { try fixture.verifier.renewalInfo(jws: fixture.token(), of: transaction) } throws: {
            ($0 as? ReceiptVerificationError)?.code == .unexpectedPayload
        }
    }

    @Test(arguments: ["null", "[]", "[\"b64\"]", "\"\"", "0", "false"])
    func `a header with any critical parameters is rejected`(value: String) throws {
        let chain = try #require(SimulatedCertificateChain.signedTransactions)
        let x5c = SignedTransactionFixture.x5c([chain.leaf, chain.intermediate, chain.root])
        let token = try fixture.token(header: "{\"alg\":\"ES256\",\"crit\":\(value),\(x5c)}")
        let failure = try #require(fixture.verifier.report(on: token).failure)
        #expect(failure.malformation?.code == .unsupported && failure.reason.contains("crit"))
    }

    @Test func `duplicate names are rejected in the header, the payload and nested objects`() throws {
        for (old, new) in [
            ("{\"transactionId\"", "{\"price\":1,\"transactionId\""),
            ("{\"billingPeriodNumber\":2", "{\"billingPeriodNumber\":3,\"billingPeriodNumber\":2"),
            ("\"tomorrow\"", "\"transactionId\":\"7\",\"tomorrow\""),
            ("\"tomorrow\"", "\"tr\\u0061nsactionId\":\"7\",\"tomorrow\""),
        ] {
            let payload = SignedTransactionFixture.transaction.replacing(old, with: new)
            try #require(payload != SignedTransactionFixture.transaction)
            expectEqual(fixture.verifier.report(on: issue(payload)).failures, [.structure: .malformed], "\(new)")
        }
    }
}
