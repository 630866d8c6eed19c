public import Foundation

/// Asks the responders that certificates name whether the certificates were revoked, with the Online Certificate
/// Status Protocol (RFC 6960).
///
/// An answer counts if the issuer, or a responder that the issuer has certified for it, has signed the answer, and if
/// the answer is current. It is kept until the responder makes a new one, at most for twelve hours. A failure is kept
/// for a minute, so that a responder that is down doesn't delay every verification. Questions about one certificate
/// that come at the same time are asked once: share one checker between all verifications.
///
/// Apple's responders are asked over HTTP without TLS, which is customary because answers are signed. On Apple's
/// platforms App Transport Security has to allow that; the checker is meant for servers.
public actor OCSPRevocationChecker: RevocationChecker {
    /// Whether a certificate is refused if its status can't be found out (hard fail).
    public nonisolated let requiresAnswer: Bool

    private let sendsNonce: Bool
    private let transport: URLSessionReceiptTransport
    private let clock: @Sendable () -> Date
    private var answers: [Key: Answer] = [:]
    private var questions: [Key: Task<Answer, Never>] = [:]

    private struct Key: Hashable {
        let certificate: Data
        let issuer: Data
    }

    private struct Answer: Sendable {
        let status: RevocationStatus
        /// When to ask again.
        let end: Date
    }

    private static let greatestLifetime: TimeInterval = 12 * 3_600
    private static let failureLifetime: TimeInterval = 60
    /// The App Store uses a handful of certificates at a time.
    private static let capacity = 64
    private static let responseSize = ASN1Limits.certificate.maximumSize

    /// Creates a checker that has asked nothing yet.
    ///
    /// - Parameters:
    ///   - requiresAnswer: Whether a certificate is refused if its status can't be found out. The default accepts it,
    ///     so that an outage of a responder stops no purchase.
    ///   - sendsNonce: Whether a question carries random bytes that the answer has to repeat. Most responders, Apple's
    ///     among them, answer with prepared responses and don't repeat them.
    ///   - timeout: How long to wait for a responder that sends nothing, in seconds.
    public init(requiresAnswer: Bool = false, sendsNonce: Bool = false, timeout: TimeInterval = 5) {
        self.init(requiresAnswer: requiresAnswer, sendsNonce: sendsNonce, timeout: timeout) { Date() }
    }

    /// A checker with a clock of the caller's.
    package init(
        requiresAnswer: Bool, sendsNonce: Bool = false, timeout: TimeInterval = 5, clock: @escaping @Sendable () -> Date
    ) {
        self.requiresAnswer = requiresAnswer
        self.sendsNonce = sendsNonce
        self.clock = clock
        transport = URLSessionReceiptTransport(timeout: timeout)
    }

    /// Returns what the responder says about a certificate, or what it said before if that still counts.
    ///
    /// Cancelling the task doesn't end the question, for which others may be waiting.
    public func status(of certificate: Data, issuer: Data) async -> RevocationStatus {
        let key = Key(certificate: certificate, issuer: issuer)
        if let answer = answers[key], answer.end > clock() { return answer.status }
        if let question = questions[key] { return await question.value.status }
        let question = Task { await ask(key) }
        questions[key] = question
        let answer = await question.value
        questions[key] = nil
        answers[key] = answer
        if answers.count > Self.capacity, let oldest = answers.min(by: { $0.value.end < $1.value.end })?.key {
            answers[oldest] = nil
        }
        return answer.status
    }

    private func ask(_ key: Key) async -> Answer {
        func failure(_ reason: String) -> Answer {
            Answer(status: .unknown(reason), end: clock().addingTimeInterval(Self.failureLifetime))
        }
        guard let certificate = try? Certificate([UInt8](key.certificate)[...]),
            let issuer = try? Certificate([UInt8](key.issuer)[...]),
            let id = OCSPCertificateID(certificate, issuer: issuer)
        else { return failure("A certificate can't be read.") }
        guard let address = certificate.responderAddress else {
            return failure("\(certificate.subject) names no responder.")
        }
        let request = OCSPRequest(certificate: id, nonce: sendsNonce ? OCSPRequest.randomNonce() : nil)
        let response: HTTPResponse
        do {
            response = try await transport.send(
                Data(request.encoding), to: address,
                headers: ["Content-Type": "application/ocsp-request", "Accept": "application/ocsp-response"],
                limit: Self.responseSize, readsErrors: false)
        } catch {
            return failure("\(address) didn't answer: \(error).")
        }
        guard response.statusCode == 200 else {
            return failure("\(address) answered with status \(response.statusCode).")
        }
        let verification = OCSPVerification(request: request, issuer: issuer, date: clock())
        do throws(OCSPVerification.Failure) {
            let (status, end) = try verification.status(in: [UInt8](response.body)[...])
            let kept = min(end, clock().addingTimeInterval(Self.greatestLifetime))
            switch status {
            case .good: return Answer(status: .good, end: kept)
            case .revoked(let date): return Answer(status: .revoked(date), end: kept)
            case .unknown: return failure("\(address) doesn't know \(certificate.subject).")
            }
        } catch {
            return failure("The answer of \(address) can't be believed: \(error).")
        }
    }
}
