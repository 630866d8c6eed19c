import Foundation
import LoopbackHTTP
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt
@testable import AppStoreServer
@testable import AppStoreSimulator

@Suite(.bounded) struct OCSPRevocationCheckerTests {
    /// A token with certificates that have a responder on this machine, and a checker.
    private struct Scene {
        let server: LoopbackServer
        let responder: SimulatedResponder
        var fixture = SignedTransactionFixture()

        /// - Parameter answers: returns the server's response from the responder.
        init(
            statuses: [UInt8: SimulatedResponder.Status] = [:],
            _ answers: (SimulatedResponder) -> [LoopbackServer.Answer]
        ) throws {
            var prepared = try SimulatedResponder()
            prepared.statuses = statuses
            server = try LoopbackServer(answers(prepared))
            // The certificates contain the server's port, which isn't known before the server starts.
            var responder = try SimulatedResponder(address: server.url.absoluteString)
            responder.statuses = statuses
            self.responder = responder
            fixture.issuer.chain = responder.chain
            fixture.verifier.trustAnchors = .pinning(Data(responder.chain.root))
        }

        static func answering(_ responder: SimulatedResponder) -> [LoopbackServer.Answer] {
            [.respond { Data(responder.response(to: [UInt8]($0.body))) }]
        }

        func code(_ checker: any RevocationChecker) async -> ReceiptVerificationError.Code? {
            do throws(ReceiptVerificationError) {
                let transaction = try await fixture.server(checker).transaction(jws: fixture.token())
                expectEqual(transaction.productID, "weekly")
                return nil
            } catch {
                expectEqual(error.check, .revocation)
                return error.code
            }
        }
    }

    private func checker(
        requiresAnswer: Bool = true, sendsNonce: Bool = false,
        _ moment: Protected<Date> = Protected(SimulatedResponder.now)
    ) -> OCSPRevocationChecker {
        OCSPRevocationChecker(requiresAnswer: requiresAnswer, sendsNonce: sendsNonce) { moment.withLock { $0 } }
    }

    @Test(
        arguments: [
            ([:], nil), ([3: .revoked], .certificateRevoked), ([2: .revoked], .certificateRevoked),
            ([3: .unknown], .revocationUnknown),
        ] as [([UInt8: SimulatedResponder.Status], ReceiptVerificationError.Code?)])
    func `every certificate below the root is checked`(
        statuses: [UInt8: SimulatedResponder.Status], expected: ReceiptVerificationError.Code?
    ) async throws {
        let scene = try Scene(statuses: statuses, Scene.answering)
        expectEqual(await scene.code(checker()), expected)
        let first = try #require(scene.server.requests.first)
        expectEqual(first.headers["content-type"], "application/ocsp-request")
        expectEqual(scene.server.requests.count, statuses[3] == nil ? 2 : 1)
    }

    @Test func `answers are cached until the next update, at most for twelve hours`() async throws {
        let scene = try Scene { responder in
            var responder = responder
            responder.nextUpdate = SimulatedResponder.now.addingTimeInterval(7 * 86_400)
            return Scene.answering(responder)
        }
        let moment = Protected(SimulatedResponder.now)
        let checker = checker(moment)
        for (hours, count) in [(0.0, 2), (11.9, 2), (12.1, 4), (12.2, 4)] {
            moment.withLock { $0 = SimulatedResponder.now.addingTimeInterval(hours * 3_600) }
            expectEqual(await scene.code(checker), nil, "\(hours)")
            expectEqual(scene.server.requests.count, count, "\(hours)")
        }
    }

    @Test(arguments: [
        ("nothing", LoopbackServer.Answer.body("", status: 200)), ("a refusal", .body("no", status: 503)),
        ("a cut connection", .cutOff("30")), ("another address", .redirect(to: "http://127.0.0.1:9/")),
        ("more than is read", .promise(length: 1 << 20)),
    ])
    func `without an answer, requiresAnswer decides, and the request is repeated after a minute`(
        name: String, answer: LoopbackServer.Answer
    ) async throws {
        let scene = try Scene { _ in [answer] }
        expectEqual(await scene.code(checker(requiresAnswer: false)), nil)
        expectEqual(scene.server.requests.count, 2)
        let moment = Protected(SimulatedResponder.now)
        let checker = checker(moment)
        for (seconds, count) in [(0.0, 3), (59, 3), (61, 4)] {
            moment.withLock { $0 = SimulatedResponder.now.addingTimeInterval(seconds) }
            expectEqual(await scene.code(checker), .revocationUnknown, "\(seconds)")
            expectEqual(scene.server.requests.count, count, "\(seconds)")
        }
    }

    @Test func `a certificate without a responder has an unknown status`() async throws {
        let fixture = SignedTransactionFixture()
        let token = fixture.token()
        _ = try await fixture.server(checker(requiresAnswer: false)).transaction(jws: token)
        let error = await #expect(throws: ReceiptVerificationError.self) {
            try await fixture.server(self.checker()).transaction(jws: token)
        }
        expectEqual(error?.code, .revocationUnknown)
    }

    @Test(arguments: [true, false]) func `an answer must repeat the nonce`(isRepeated: Bool) async throws {
        let scene = try Scene { responder in
            var responder = responder
            responder.repeatsNonce = isRepeated
            return Scene.answering(responder)
        }
        expectEqual(await scene.code(checker(sendsNonce: true)), isRepeated ? nil : .revocationUnknown)
    }

    @Test func `simultaneous requests for one certificate are sent once`() async throws {
        let scene = try Scene(Scene.answering)
        let checker = checker()
        let (leaf, issuer) = (Data(scene.responder.chain.leaf), Data(scene.responder.chain.intermediate))
        let statuses = await withTaskGroup(of: RevocationStatus.self) { group in
            for _ in 0..<8 { group.addTask { await checker.status(of: leaf, issuer: issuer) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        expectEqual(statuses, Array(repeating: .good, count: 8))
        expectEqual(scene.server.requests.count, 1)
    }

    @Test func `a responder that sends a byte at a time has until the timeout`() async throws {
        let server = try LoopbackServer([.drip(length: 4_000)])
        let chain = try SimulatedResponder(address: server.url.absoluteString).chain
        let checker = OCSPRevocationChecker(timeout: 2)
        let start = ContinuousClock.now
        let status = await checker.status(of: Data(chain.leaf), issuer: Data(chain.intermediate))
        guard case .unknown = status else {
            Issue.record("\(status)")
            return
        }
        // All bytes take 80 seconds. On a busy machine the limit can pass before the request arrives.
        #expect(start.duration(to: .now) < .seconds(20))
        #expect(server.requests.count <= 1)
    }

    @Test func `a cancelled caller stops waiting, and its verification fails`() async throws {
        let scene = try Scene { _ in [.hang] }
        for requiresAnswer in [true, false] {
            let checker = checker(requiresAnswer: requiresAnswer)
            let task = Task {
                try await scene.fixture.server(checker).transaction(jws: scene.fixture.token())
            }
            for await _ in scene.server.arrivals { break }
            let other = Task {
                await checker.status(
                    of: Data(scene.responder.chain.leaf), issuer: Data(scene.responder.chain.intermediate))
            }
            task.cancel()
            let error = await #expect(throws: ReceiptVerificationError.self) { try await task.value }
            #expect(error?.code == .cancelled && error?.isCancellation == true)
            other.cancel()
            expectEqual(await other.value, .unknown("The task was canceled."))
        }
        expectEqual(scene.server.requests.count, 2)
    }

    @Test func `a caller that is cancelled before it asks sends no request`() async throws {
        let scene = try Scene(Scene.answering)
        let checker = checker()
        let gate = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in gate.stream {}
            return await scene.code(checker)
        }
        task.cancel()
        gate.continuation.finish()
        expectEqual(await task.value, .cancelled)
        expectEqual(scene.server.requests.count, 0)
        expectEqual(await scene.code(checker), nil)
    }

    @Test func `a cancelled caller ends no other caller's wait`() async throws {
        let arrived = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        let scene = try Scene { responder in
            [
                .respond {
                    arrived.continuation.yield()
                    _ = gate.wait(timeout: .now() + 20)
                    return Data(responder.response(to: [UInt8]($0.body)))
                }
            ]
        }
        let checker = checker()
        let (leaf, issuer) = (Data(scene.responder.chain.leaf), Data(scene.responder.chain.intermediate))
        let first = Task { await checker.status(of: leaf, issuer: issuer) }
        for await _ in arrived.stream { break }
        let second = Task { await checker.status(of: leaf, issuer: issuer) }
        first.cancel()
        expectEqual(await first.value, .unknown("The task was canceled."))
        gate.signal()
        expectEqual(await second.value, .good)
        expectEqual(scene.server.requests.count, 1)
    }

    @Test func `an outdated answer about a revoked certificate is cached for a minute`() async throws {
        let scene = try Scene(statuses: [3: .revoked]) { responder in
            var responder = responder
            responder.nextUpdate = SimulatedResponder.now.addingTimeInterval(-3_000)
            return Scene.answering(responder)
        }
        let moment = Protected(SimulatedResponder.now)
        let checker = checker(moment)
        for (seconds, count) in [(0.0, 1), (59, 1), (61, 2)] {
            moment.withLock { $0 = SimulatedResponder.now.addingTimeInterval(seconds) }
            expectEqual(await scene.code(checker), .certificateRevoked, "\(seconds)")
            expectEqual(scene.server.requests.count, count, "\(seconds)")
        }
    }

    @Test func `an invalid payload sends no request`() async throws {
        let recorder = RecordingChecker(.good)
        let fixture = SignedTransactionFixture()
        let forged = String(fixture.token().dropLast(8)) + "AAAAAAAA"
        let error = await #expect(throws: ReceiptVerificationError.self) {
            try await fixture.server(recorder).transaction(jws: forged)
        }
        expectEqual(error?.code, .signatureInvalid)
        expectEqual(recorder.count, 0)
    }

    @Test func `revocation is checked for every kind of payload, and for the texts inside a notification`() async throws
    {
        let fixture = SignedTransactionFixture()
        func issue(_ payload: String) -> String { fixture.issuer.issue(payload: Data(payload.utf8)) }
        let renewal = issue(SignedTransactionFixture.renewal.replacing("\"Production\"", with: "\"Sandbox\""))
        let notification = issue(SignedPayloadSamples.notification(transaction: fixture.token(), renewal: renewal))
        let body = Data("{\"signedPayload\":\"\(notification)\"}".utf8)
        let application = issue(SignedPayloadSamples.appTransaction.replacing("\"Production\"", with: "\"Sandbox\""))
        for status in [RevocationStatus.good, .revoked(SimulatedResponder.revocationDate)] {
            let recorder = RecordingChecker(status)
            let server = fixture.server(recorder)
            var codes: [ReceiptVerificationError.Code?] = []
            func note(_ body: () async throws(ReceiptVerificationError) -> Void) async {
                do throws(ReceiptVerificationError) {
                    try await body()
                    codes.append(nil)
                } catch {
                    codes.append(error.code)
                }
            }
            let transaction = try fixture.verifier.transaction(jws: fixture.token())
            await note { () throws(ReceiptVerificationError) in
                _ = try await server.transaction(jws: fixture.token())
            }
            await note { () throws(ReceiptVerificationError) in
                _ = try await server.renewalInfo(jws: renewal, of: transaction)
            }
            await note { () throws(ReceiptVerificationError) in
                _ = try await server.appTransaction(jws: application)
            }
            let before = recorder.count
            await note { () throws(ReceiptVerificationError) in
                _ = try await server.notification(requestBody: body)
            }
            expectEqual(codes, Array(repeating: status == .good ? nil : .certificateRevoked, count: 4))
            if status == .good { expectEqual(recorder.count - before, 6, "two certificates of three signed texts") }
        }
    }
}

extension SignedTransactionFixture {
    /// A server's verifier of the fixture's tokens.
    func server(_ revocation: (any RevocationChecker)?) -> AppStoreServerVerifier {
        var server = AppStoreServerVerifier(
            bundleID: verifier.bundleID, appStoreID: 1_234_567_890, environment: verifier.environment,
            revocation: revocation, trustAnchors: verifier.trustAnchors)
        server.date = Self.signedDate
        return server
    }
}

/// A checker that returns the same status for every certificate.
private final class RecordingChecker: RevocationChecker {
    let requiresAnswer = true
    private let status: RevocationStatus
    private let questions = Protected(0)

    init(_ status: RevocationStatus) {
        self.status = status
    }

    var count: Int { questions.withLock { $0 } }

    func status(of certificate: Data, issuer: Data) async -> RevocationStatus {
        questions.withLock { $0 += 1 }
        return status
    }
}
