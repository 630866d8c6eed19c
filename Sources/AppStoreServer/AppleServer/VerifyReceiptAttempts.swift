import AppReceipt
import Foundation

/// Decides the next step of a request to `verifyReceipt`: change the environment once, retry after a delay, or end.
///
/// Every request has its own value, so that requests don't influence each other.
struct VerifyReceiptAttempts {
    enum Server: Hashable {
        case production, sandbox
    }

    enum Outcome {
        /// A response with HTTP status 200.
        case response(VerifyReceiptResponse)
        /// Another HTTP status.
        case httpStatus(Int)
        /// No response.
        case noResponse(any Error)
    }

    enum Step {
        case send(Server)
        case wait(TimeInterval)
        case succeed(VerifyReceiptResponse)
        case fail(VerifyReceiptError)
    }

    /// Whether to send a production receipt to production if the sandbox rejects it.
    var switchesToProduction = true
    /// Whether to retry a request without a response.
    var retriesWithoutResponse = true
    /// The number of retries for an unavailable server (21005).
    var unavailableRetries = Int.max
    private(set) var server: Server
    private var hasChangedServer = false
    private var retries = 0
    private let policy: VerifyReceiptRetryPolicy

    init(startingWith server: Server, policy: VerifyReceiptRetryPolicy) {
        self.server = server
        self.policy = policy
    }

    mutating func next(after outcome: Outcome) -> Step {
        switch outcome {
        case .response(let response): next(after: response)
        case .httpStatus(let status):
            retry(
                VerifyReceiptError(.httpStatus, httpStatus: status), if: status == 429 || (500...599).contains(status))
        case .noResponse(let error):
            retry(VerifyReceiptError(.network, underlying: error), if: retriesWithoutResponse)
        }
    }

    private mutating func next(after response: VerifyReceiptResponse) -> Step {
        // Status 21006 means a valid receipt in the style of iOS 6 with an expired subscription.
        if response.status == 0 || response.status == 21_006, response.receipt != nil { return .succeed(response) }
        let refusal = VerifyReceiptError(refusal: response.status)
        switch response.status {
        case 21_007 where server == .production: return change(to: .sandbox, or: refusal)
        case 21_008 where server == .sandbox && switchesToProduction: return change(to: .production, or: refusal)
        case 21_005:
            unavailableRetries -= 1
            return retry(refusal, if: unavailableRetries >= 0)
        case 21_009: return retry(refusal, if: true)
        case 21_100...21_199: return retry(refusal, if: response.isRetryable)
        default: return .fail(refusal)
        }
    }

    private mutating func change(to other: Server, or refusal: VerifyReceiptError) -> Step {
        guard !hasChangedServer else { return .fail(refusal) }
        hasChangedServer = true
        server = other
        return .send(other)
    }

    private mutating func retry(_ error: VerifyReceiptError, if isPassing: Bool) -> Step {
        guard isPassing, let delay = policy.delay(beforeRetry: retries) else { return .fail(error) }
        retries += 1
        return .wait(delay)
    }
}
