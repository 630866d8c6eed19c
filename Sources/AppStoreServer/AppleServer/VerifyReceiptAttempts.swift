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
        case send
        case wait(TimeInterval)
        case succeed(VerifyReceiptResponse)
        case fail(VerifyReceiptError)
    }

    /// Whether to retry a request without a response.
    var retriesWithoutResponse = true
    /// The remaining retries of statuses that have their own limit. 21002 means a malformed receipt, or that the
    /// service had a temporary problem.
    var statusRetries = [21_002: 1]
    private(set) var server: Server
    private let changesToSandbox: Bool
    private var retries = 0
    private let policy: VerifyReceiptRetryPolicy

    /// Starts with the server of the required environment; without one, with production, which refers sandbox receipts
    /// to the sandbox.
    init(environment: ReceiptEnvironment?, policy: VerifyReceiptRetryPolicy) {
        server = environment == .sandbox ? .sandbox : .production
        changesToSandbox = environment == nil
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
        if response.receipt != nil { return .succeed(response) }
        let refusal = VerifyReceiptError(refusal: response.status)
        switch response.status {
        case 21_007 where server == .production && changesToSandbox:
            server = .sandbox
            return .send
        case 21_002, 21_005, 21_009:
            let left = statusRetries[response.status] ?? .max
            statusRetries[response.status] = left - 1
            return retry(refusal, if: left > 0)
        case 21_100...21_199: return retry(refusal, if: response.isRetryable)
        default: return .fail(refusal)
        }
    }

    private mutating func retry(_ error: VerifyReceiptError, if isPassing: Bool) -> Step {
        guard isPassing, let delay = policy.delay(beforeRetry: retries) else { return .fail(error) }
        retries += 1
        return .wait(delay)
    }
}
