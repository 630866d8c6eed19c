public import AppReceipt
public import Foundation

/// Verifies and reads a receipt with Apple's `verifyReceipt` service.
///
/// Apple has deprecated `verifyReceipt`. In new apps, use `LocalReceiptVerifier` for receipts or
/// `SignedTransactionVerifier` for signed transactions. If you use `verifyReceipt`, send the request from your
/// server, because the shared secret isn't safe in an app.
///
/// The verifier sends a request to the server of the required environment. Without one, it starts with production, and
/// repeats the request in the sandbox for status 21007. A response with status 21006 contains a receipt. Temporary
/// failures (no response, HTTP 429 and 5xx, 21005, 21009, and retryable statuses from 21100 to 21199) are retried with
/// increasing delays. Status 21002, which may be temporary, is retried once. The verifier has no state, so you can run
/// any number of requests at once. Canceling the task ends a request immediately with
/// ``VerifyReceiptError/Code/cancelled``.
public struct AppleServerReceiptVerifier: ReceiptVerifier {
    private let secret: SharedSecret?
    private let bundleID: ExpectedBundleID
    private let excludesOldTransactions: Bool
    private let environment: ReceiptEnvironment?
    private let endpoints: VerifyReceiptEndpoints
    private let maximumResponseSize: Int
    private let retryPolicy: VerifyReceiptRetryPolicy
    private let transport: any ReceiptTransport
    private let clock: any RetryClock
    private let style: Style

    /// The handling of responses without a receipt.
    package enum Style: Sendable {
        /// Only responses with HTTP status 200 are used.
        case standard
        /// The behavior of SwiftyStoreKit: responses with any HTTP status are used, requests without a response and
        /// 21002 aren't repeated, and 21005 is retried once.
        case swiftyStoreKit
    }

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - bundleID: the app that receipts must belong to; `.any` for a server that compares the identifier itself.
    ///   - environment: the environment that receipts must belong to. `nil` accepts sandbox receipts, whose purchases
    ///     are free, and production receipts.
    ///   - sharedSecret: the app's or the account's shared secret, which auto-renewable subscriptions require. It is
    ///     only sent in the body of the request.
    ///   - excludesOldTransactions: whether to get only the latest period of each subscription.
    ///   - maximumResponseSize: the maximum number of bytes of a response.
    ///   - retryPolicy: the number of retries and their delays.
    ///   - endpoints: the addresses of the servers.
    ///   - transport: the transport for requests.
    public init(
        bundleID: ExpectedBundleID, environment: ReceiptEnvironment?, sharedSecret: String? = nil,
        excludesOldTransactions: Bool = false,
        maximumResponseSize: Int = 16 << 20, retryPolicy: VerifyReceiptRetryPolicy = VerifyReceiptRetryPolicy(),
        endpoints: VerifyReceiptEndpoints = .apple, transport: any ReceiptTransport = URLSessionReceiptTransport()
    ) {
        self.init(
            bundleID: bundleID, environment: environment, sharedSecret: sharedSecret,
            excludesOldTransactions: excludesOldTransactions,
            maximumResponseSize: maximumResponseSize, retryPolicy: retryPolicy, endpoints: endpoints,
            transport: transport,
            clock: SystemRetryClock())
    }

    package init(
        bundleID: ExpectedBundleID, environment: ReceiptEnvironment?, sharedSecret: String? = nil,
        excludesOldTransactions: Bool = false,
        maximumResponseSize: Int = 16 << 20, retryPolicy: VerifyReceiptRetryPolicy = VerifyReceiptRetryPolicy(),
        endpoints: VerifyReceiptEndpoints = .apple, transport: any ReceiptTransport, clock: any RetryClock,
        style: Style = .standard
    ) {
        secret = sharedSecret.map(SharedSecret.init)
        self.bundleID = bundleID
        self.excludesOldTransactions = excludesOldTransactions
        self.environment = environment
        self.maximumResponseSize = maximumResponseSize
        self.retryPolicy = retryPolicy
        self.endpoints = endpoints
        self.transport = transport
        self.clock = clock
        self.style = style
    }

    /// Verifies a receipt file, outside the caller's actor.
    ///
    /// - Throws: a ``VerifyReceiptError``; ``VerifyReceiptError/Code/bundleIDMismatch`` for a receipt of another app,
    ///   ``VerifyReceiptError/Code/wrongEnvironment`` for a receipt of another environment.
    @concurrent public func verify(_ receiptData: Data) async throws -> Receipt {
        guard let receipt = try await response(for: receiptData).receipt else {
            throw VerifyReceiptError(.malformedResponse)
        }
        guard bundleID.matches(receipt.bundleID) else { throw VerifyReceiptError(.bundleIDMismatch) }
        // A response that names no environment is from the server of the required one.
        guard environment == nil || (receipt.environment ?? environment) == environment else {
            throw VerifyReceiptError(.wrongEnvironment)
        }
        return receipt
    }

    /// Sends a receipt file and returns the response with the receipt, which may belong to any app. Runs outside the
    /// caller's actor.
    @concurrent public func response(for receiptData: Data) async throws(VerifyReceiptError) -> VerifyReceiptResponse {
        try await response(for: receiptData) { _ in }
    }

    /// Sends a receipt file and returns the response. Calls `receive` with the body of every response before reading
    /// it, even if the body is invalid.
    @concurrent package func response(
        for receiptData: Data, receive: (Data) -> Void
    ) async throws(VerifyReceiptError) -> VerifyReceiptResponse {
        guard !receiptData.isEmpty else { throw VerifyReceiptError(.emptyReceipt) }
        let body = try body(for: receiptData)
        var attempts = VerifyReceiptAttempts(environment: environment, policy: retryPolicy)
        if style == .swiftyStoreKit {
            attempts.retriesWithoutResponse = false
            attempts.statusRetries = [21_002: 0, 21_005: 1]
        }
        while true {
            let outcome = try await send(body, to: endpoints.url(for: attempts.server), receive)
            switch attempts.next(after: outcome) {
            case .send: break
            case .wait(let seconds): try await pause(seconds)
            case .succeed(let response): return response
            case .fail(let error): throw error
            }
        }
    }

    private func send(
        _ body: Data, to url: URL, _ receive: (Data) -> Void
    ) async throws(VerifyReceiptError) -> VerifyReceiptAttempts.Outcome {
        guard !Task.isCancelled else { throw VerifyReceiptError(.cancelled) }
        let response: ReceiptTransportResponse
        do {
            response = try await transport.post(body, to: url, limit: maximumResponseSize)
        } catch let error as VerifyReceiptError {
            throw error
        } catch {
            if error is CancellationError || Task.isCancelled { throw VerifyReceiptError(.cancelled) }
            return .noResponse(error)
        }
        guard !Task.isCancelled else { throw VerifyReceiptError(.cancelled) }
        guard response.statusCode == 200 || style == .swiftyStoreKit else { return .httpStatus(response.statusCode) }
        guard response.body.count <= maximumResponseSize else { throw VerifyReceiptError(.responseTooLarge) }
        receive(response.body)
        do {
            return .response(try VerifyReceiptResponse.unverified(json: response.body))
        } catch {
            guard response.statusCode == 200 else { return .httpStatus(response.statusCode) }
            throw VerifyReceiptError(.malformedResponse, underlying: error)
        }
    }

    private func pause(_ seconds: TimeInterval) async throws(VerifyReceiptError) {
        do {
            try await clock.sleep(for: seconds)
        } catch {
            throw VerifyReceiptError(.cancelled)
        }
    }

    private func body(for receiptData: Data) throws(VerifyReceiptError) -> Data {
        let request = VerifyReceiptRequest(
            receiptData: receiptData.base64EncodedString(), password: secret?.value,
            excludesOldTransactions: excludesOldTransactions ? true : nil)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            return try encoder.encode(request)
        } catch {
            throw VerifyReceiptError(.malformedRequest)
        }
    }
}

extension AppleServerReceiptVerifier: CustomStringConvertible {
    /// The verifier without its secret.
    public var description: String { "AppleServerReceiptVerifier(sharedSecret: \(secret.map { "\($0)" } ?? "none"))" }
}

extension ReceiptVerifier where Self == AppleServerReceiptVerifier {
    /// Verification with Apple's `verifyReceipt`.
    ///
    /// - Parameters:
    ///   - bundleID: the app that receipts must belong to; `.any` accepts the receipts of all apps.
    ///   - environment: the environment that receipts must belong to; `nil` accepts production and sandbox receipts.
    ///   - sharedSecret: the app's or the account's shared secret, which auto-renewable subscriptions require.
    @available(
        *, deprecated,
        message: "Apple has deprecated verifyReceipt. Verify with .local(bundleID:environment:), or on a server."
    )
    public static func appleServer(
        bundleID: ExpectedBundleID, environment: ReceiptEnvironment?, sharedSecret: String? = nil
    ) -> AppleServerReceiptVerifier {
        AppleServerReceiptVerifier(bundleID: bundleID, environment: environment, sharedSecret: sharedSecret)
    }
}

struct VerifyReceiptRequest: Encodable {
    let receiptData: String
    let password: String?
    let excludesOldTransactions: Bool?

    enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case password
        case excludesOldTransactions = "exclude-old-transactions"
    }
}

/// A secret that descriptions, dumps and mirrors don't show.
struct SharedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let value: String

    var description: String { "redacted" }
    var debugDescription: String { "redacted" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
