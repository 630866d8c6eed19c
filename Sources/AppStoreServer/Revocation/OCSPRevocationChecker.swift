import AppReceipt
public import Foundation

/// Checks whether certificates were revoked. The checker queries their responders with the Online Certificate Status
/// Protocol (OCSP, RFC 6960).
///
/// An answer is valid if it is current and signed by the issuer or one of its authorized responders. The checker caches
/// an answer until its next update, at most for twelve hours. It caches a failure for a minute, so that an unavailable
/// responder doesn't delay every verification. Simultaneous calls for one certificate share a request. Use one checker
/// for all verifications.
///
/// The addresses of Apple's responders use HTTP without TLS, which is usual because answers are signed. The checker is
/// intended for servers. On Apple's platforms, App Transport Security must allow these requests.
public actor OCSPRevocationChecker: RevocationChecker {
    /// Whether to reject a certificate with an unknown status (hard fail).
    public nonisolated let requiresAnswer: Bool

    private let sendsNonce: Bool
    private let client: HTTPClient
    private let clock: @Sendable () -> Date
    private var answers: [Key: Answer] = [:]
    /// The callers that wait for each request, by their numbers.
    private var waiters: [Key: [Int: CheckedContinuation<RevocationStatus, Never>]] = [:]
    private var callers = 0

    private struct Key: Hashable {
        let certificate: [UInt8]
        let issuer: [UInt8]
    }

    private struct Answer: Sendable {
        let status: RevocationStatus
        /// When the answer expires.
        let end: Date
    }

    private static let greatestLifetime: TimeInterval = 12 * 3_600
    private static let failureLifetime: TimeInterval = 60
    /// The App Store uses a handful of certificates at a time.
    private static let capacity = 64
    private static let responseSize = ASN1Limits.certificate.maximumSize

    /// Creates a checker with an empty cache.
    ///
    /// - Parameters:
    ///   - requiresAnswer: Whether to reject a certificate with an unknown status. The default accepts it, so that an
    ///     unavailable responder doesn't block purchases.
    ///   - sendsNonce: Whether requests contain random bytes that the answer must repeat. Most responders, including
    ///     Apple's, send prepared responses without them.
    ///   - timeout: The maximum duration of a request with its response, in seconds.
    public init(requiresAnswer: Bool = false, sendsNonce: Bool = false, timeout: TimeInterval = 5) {
        self.init(requiresAnswer: requiresAnswer, sendsNonce: sendsNonce, timeout: timeout) { Date() }
    }

    /// Creates a checker with a custom clock.
    package init(
        requiresAnswer: Bool, sendsNonce: Bool = false, timeout: TimeInterval = 5, clock: @escaping @Sendable () -> Date
    ) {
        self.requiresAnswer = requiresAnswer
        self.sendsNonce = sendsNonce
        self.clock = clock
        client = HTTPClient(timeout: timeout, deadline: timeout)
    }

    /// Returns the status of a certificate from the responder, or from the cache if the answer hasn't expired.
    ///
    /// If the task is canceled, returns an unknown status immediately. The request continues, because other tasks may
    /// wait for it, and its answer is cached.
    public func status(of certificate: Data, issuer: Data) async -> RevocationStatus {
        let key = Key(certificate: [UInt8](certificate), issuer: [UInt8](issuer))
        if let answer = answers[key], answer.end > clock() { return answer.status }
        callers += 1
        let caller = callers
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                guard !Task.isCancelled else { return waiter.resume(returning: Self.cancelled) }
                let isFirst = waiters[key] == nil
                waiters[key, default: [:]][caller] = waiter
                if isFirst { Task { record(await ask(key), for: key) } }
            }
        } onCancel: {
            Task { await endWait(of: caller, for: key) }
        }
    }

    private static let cancelled = RevocationStatus.unknown("The task was canceled.")

    private func endWait(of caller: Int, for key: Key) {
        // An empty list stays while the request runs, so that the next caller waits for the same request.
        waiters[key]?.removeValue(forKey: caller)?.resume(returning: Self.cancelled)
    }

    private func record(_ answer: Answer, for key: Key) {
        answers[key] = answer
        if answers.count > Self.capacity, let oldest = answers.min(by: { $0.value.end < $1.value.end })?.key {
            answers[oldest] = nil
        }
        for waiter in waiters.removeValue(forKey: key)?.values ?? [:].values {
            waiter.resume(returning: answer.status)
        }
    }

    private func ask(_ key: Key) async -> Answer {
        func failure(_ reason: String) -> Answer {
            Answer(status: .unknown(reason), end: clock().addingTimeInterval(Self.failureLifetime))
        }
        guard let certificate = try? Certificate(key.certificate[...]), let issuer = try? Certificate(key.issuer[...]),
            let id = OCSPCertificateID(certificate, issuer: issuer)
        else { return failure("A certificate can't be read.") }
        guard let address = certificate.responderAddress else {
            return failure("\(certificate.subject) has no responder.")
        }
        let request = OCSPRequest(certificate: id, nonce: sendsNonce ? OCSPRequest.randomNonce() : nil)
        let response: HTTPResponse
        do {
            response = try await client.send(
                Data(request.encoding), to: address,
                headers: ["Content-Type": "application/ocsp-request", "Accept": "application/ocsp-response"],
                limit: Self.responseSize, readsErrors: false)
        } catch {
            return failure("\(address) didn't respond: \(error).")
        }
        guard response.statusCode == 200 else {
            return failure("\(address) responded with status \(response.statusCode).")
        }
        let verification = OCSPVerification(request: request, issuer: issuer, date: clock())
        do throws(OCSPVerification.Failure) {
            let (status, end) = try verification.status(in: [UInt8](response.body)[...])
            let now = clock()
            // The answer about a revoked certificate may no longer be current.
            let earliest = now.addingTimeInterval(Self.failureLifetime)
            let kept = min(max(end, earliest), now.addingTimeInterval(Self.greatestLifetime))
            switch status {
            case .good: return Answer(status: .good, end: kept)
            case .revoked(let date): return Answer(status: .revoked(date), end: kept)
            case .unknown: return failure("\(address) doesn't know \(certificate.subject).")
            }
        } catch {
            return failure("The response from \(address) isn't valid: \(error).")
        }
    }
}
