import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// The values that a server's verifier sets.
@Suite(.bounded) struct AppStoreServerVerifierTests {
    /// A payload of each kind, verified with a verifier.
    enum Kind: String, CaseIterable {
        case transaction, renewalInfo, appTransaction, notification

        /// Whether the App Store signs the payload for one request.
        var isRequest: Bool { self == .notification }

        func verify(
            _ fixture: SignedTransactionFixture, _ server: AppStoreServerVerifier
        ) -> ReceiptVerificationError.Code? {
            func token(_ payload: String) -> String {
                fixture.issuer.issue(
                    payload: Data(payload.replacing("\"Production\"", with: "\"Sandbox\"").utf8))
            }
            func body(_ payload: String) -> Data { Data("{\"signedPayload\":\"\(token(payload))\"}".utf8) }
            do throws(ReceiptVerificationError) {
                switch self {
                case .transaction: _ = try server.transaction(jws: fixture.token())
                case .renewalInfo:
                    let transaction = try server.transaction(jws: fixture.token())
                    let renewal = token(SignedTransactionFixture.renewal)
                    _ = try server.renewalInfo(jws: renewal, of: transaction)
                case .appTransaction:
                    _ = try server.appTransaction(jws: token(SignedPayloadSamples.appTransaction))
                case .notification:
                    let text = SignedPayloadSamples.notification(transaction: fixture.token(), renewal: nil)
                    _ = try server.notification(requestBody: body(text))
                }
                return nil
            } catch {
                return error.code
            }
        }
    }

    @Test(arguments: Kind.allCases) func `a request has to be fresh, other payloads may have any age`(
        kind: Kind
    ) {
        let fixture = SignedTransactionFixture()
        for (seconds, isFresh) in [
            (0.0, true), (4 * 86_400, true), (4 * 86_400 + 1, false), (-300, true), (-301, false),
        ] {
            var server = fixture.server()
            server.date = SignedTransactionFixture.signedDate.addingTimeInterval(seconds)
            let code = kind.verify(fixture, server)
            expectEqual(code, isFresh || !kind.isRequest ? nil : .signedDateOutOfRange, "\(seconds)")
        }
    }

    @Test(arguments: Kind.allCases) func `the certificates of a request have to be valid now`(kind: Kind) throws {
        var fixture = SignedTransactionFixture()
        var parts = try SignedTransactionFixture.certificates()
        parts.leaf.notAfter = SignedTransactionFixture.signedDate.addingTimeInterval(100)
        let chain = SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
        fixture.issuer.chain = chain
        fixture.verifier.trustAnchors = .pinning(Data(chain.root))
        var server = fixture.server()
        for seconds in [99.0, 101] {
            server.date = SignedTransactionFixture.signedDate.addingTimeInterval(seconds)
            let code = kind.verify(fixture, server)
            expectEqual(code, seconds < 100 || !kind.isRequest ? nil : .certificateExpired, "\(seconds)")
        }
    }

    @Test(arguments: Kind.allCases) func `the environment, the app and the root are required`(kind: Kind) {
        let fixture = SignedTransactionFixture()
        func code(
            bundleID: ExpectedBundleID = "com.example.app", appStoreID: Int64? = 1_234_567_890,
            environment: ReceiptEnvironment? = .sandbox,
            anchors: [ReceiptTrustAnchor] = SignedTransactionFixture().verifier.trustAnchors
        ) -> ReceiptVerificationError.Code? {
            var server = AppStoreServerVerifier(
                bundleID: bundleID, appStoreID: appStoreID, environment: environment, trustAnchors: anchors)
            server.date = SignedTransactionFixture.signedDate
            return kind.verify(fixture, server)
        }
        expectEqual(code(), nil)
        expectEqual(code(environment: nil), nil)
        expectEqual(code(environment: .production), .environmentMismatch)
        expectEqual(code(anchors: [.appStoreG3]), .untrustedRoot)
        expectEqual(code(bundleID: "com.example.other"), .bundleIDMismatch)
        expectEqual(code(appStoreID: 7), kind == .appTransaction ? .appStoreIDMismatch : nil)
        expectEqual(code(appStoreID: nil), nil, "the sandbox's texts don't require it")
    }

    @Test func `the current date is the default`() {
        let fixture = SignedTransactionFixture()
        let server = AppStoreServerVerifier(
            bundleID: "com.example.app", appStoreID: 1_234_567_890, environment: .sandbox,
            trustAnchors: fixture.verifier.trustAnchors)
        expectEqual(Kind.notification.verify(fixture, server), .signedDateOutOfRange)
        expectEqual(Kind.transaction.verify(fixture, server), nil)
    }
}

extension SignedTransactionFixture {
    /// A server's verifier of the fixture's tokens.
    func server() -> AppStoreServerVerifier {
        var server = AppStoreServerVerifier(
            bundleID: verifier.bundleID, appStoreID: 1_234_567_890, environment: verifier.environment,
            trustAnchors: verifier.trustAnchors)
        server.date = Self.signedDate
        return server
    }
}
