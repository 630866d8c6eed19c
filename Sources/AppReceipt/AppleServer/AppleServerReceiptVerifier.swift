public import Foundation

/// Asks Apple's `verifyReceipt` whether a receipt is genuine, and for what it says.
///
/// Apple has deprecated `verifyReceipt`. New apps verify a receipt on the device (see ``LocalReceiptVerifier``), or a
/// signed transaction, on the device or on a server (see ``SignedTransactionVerifier``). Where an app does use
/// `verifyReceipt`, Apple advises to ask from a server: an app that carries the shared secret gives it away.
///
/// Production is asked first; the response 21007 leads to the sandbox, once for each request and without consequence
/// for the next one. A receipt that comes with status 21006 is a receipt. Passing failures (no response, HTTP 429 and
/// 5xx, 21005, 21009, and 21100 to 21199 when they say so) are tried again after growing pauses. A verifier keeps no
/// state: any number of requests may run at once. The task's cancellation ends a request in any phase, at once, with
/// ``VerifyReceiptError/Code/cancelled``.
public struct AppleServerReceiptVerifier: ReceiptVerifier {
    private let secret: SharedSecret?
    private let bundleID: ExpectedBundleID
    private let excludesOldTransactions: Bool
    private let firstServer: VerifyReceiptAttempts.Server
    private let endpoints: VerifyReceiptEndpoints
    private let maximumResponseSize: Int
    private let retryPolicy: VerifyReceiptRetryPolicy
    private let transport: any ReceiptTransport
    private let clock: any RetryClock
    private let style: Style

    /// The handling of responses without a receipt.
    package enum Style: Sendable {
        /// Every response with HTTP status 200 counts, and none other.
        case own
        /// As apps that came with SwiftyStoreKit expect: JSON counts whatever the status of HTTP, nothing is sent from
        /// the sandbox to production, a request without a response isn't repeated, and 21005 is final the second time.
        case swiftyStoreKit
    }

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - bundleID: the app whose receipts are accepted; `.any` accepts every app's, for a server that compares the
    ///     identifier itself.
    ///   - sharedSecret: the app's or the account's secret, needed for auto-renewable subscriptions. It goes into the
    ///     request's body and nowhere else.
    ///   - excludesOldTransactions: whether only the latest period of each subscription is wanted.
    ///   - startsInSandbox: whether to ask the sandbox first, for builds that never see production.
    ///   - maximumResponseSize: the number of bytes of a response after which to give up.
    ///   - retryPolicy: how often, and after how long, to try again.
    ///   - endpoints: where to ask.
    ///   - transport: how to reach it.
    public init(
        bundleID: ExpectedBundleID, sharedSecret: String? = nil, excludesOldTransactions: Bool = false, startsInSandbox: Bool = false,
        maximumResponseSize: Int = 16 << 20, retryPolicy: VerifyReceiptRetryPolicy = VerifyReceiptRetryPolicy(),
        endpoints: VerifyReceiptEndpoints = .apple, transport: any ReceiptTransport = URLSessionReceiptTransport()
    ) {
        self.init(
            bundleID: bundleID, sharedSecret: sharedSecret, excludesOldTransactions: excludesOldTransactions,
            startsInSandbox: startsInSandbox,
            maximumResponseSize: maximumResponseSize, retryPolicy: retryPolicy, endpoints: endpoints, transport: transport,
            clock: SystemRetryClock())
    }

    package init(
        bundleID: ExpectedBundleID, sharedSecret: String? = nil, excludesOldTransactions: Bool = false, startsInSandbox: Bool = false,
        maximumResponseSize: Int = 16 << 20, retryPolicy: VerifyReceiptRetryPolicy = VerifyReceiptRetryPolicy(),
        endpoints: VerifyReceiptEndpoints = .apple, transport: any ReceiptTransport, clock: any RetryClock,
        style: Style = .own
    ) {
        secret = sharedSecret.map(SharedSecret.init)
        self.bundleID = bundleID
        self.excludesOldTransactions = excludesOldTransactions
        firstServer = startsInSandbox ? .sandbox : .production
        self.maximumResponseSize = maximumResponseSize
        self.retryPolicy = retryPolicy
        self.endpoints = endpoints
        self.transport = transport
        self.clock = clock
        self.style = style
    }

    /// Verifies a receipt file, away from the caller's actor.
    ///
    /// - Throws: a ``VerifyReceiptError``; ``VerifyReceiptError/Code/bundleIDMismatch`` for another app's receipt.
    @concurrent public func verify(_ receiptData: Data) async throws -> Receipt {
        guard let receipt = try await response(for: receiptData).receipt else { throw VerifyReceiptError(.malformedResponse) }
        guard bundleID.matches(receipt.bundleID) else { throw VerifyReceiptError(.bundleIDMismatch) }
        return receipt
    }

    /// Asks about a receipt file and returns the whole response, which has a receipt, of whatever app; away from the
    /// caller's actor.
    @concurrent public func response(for receiptData: Data) async throws(VerifyReceiptError) -> VerifyReceiptResponse {
        try await response(for: receiptData) { _ in }
    }

    /// The same, and hands over the body of every response as it came, that of a refusal or of nonsense too, before it
    /// is evaluated.
    @concurrent package func response(
        for receiptData: Data, receive: (Data) -> Void
    ) async throws(VerifyReceiptError) -> VerifyReceiptResponse {
        guard !receiptData.isEmpty else { throw VerifyReceiptError(.emptyReceipt) }
        let body = try body(for: receiptData)
        var attempts = VerifyReceiptAttempts(startingWith: firstServer, policy: retryPolicy)
        if style == .swiftyStoreKit {
            attempts.leavesSandbox = false
            attempts.retriesSilence = false
            attempts.retriesOfUnavailable = 1
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
            return .response(try VerifyReceiptResponse(json: response.body))
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
    /// Apple's `verifyReceipt`: production first, then the sandbox where production says so.
    ///
    /// - Parameters:
    ///   - bundleID: the app whose receipts are accepted; `.any` accepts every app's.
    ///   - sharedSecret: the app's or the account's secret, needed for auto-renewable subscriptions.
    @available(*, deprecated, message: "Apple has deprecated verifyReceipt. Verify with .local(bundleID:), or on a server.")
    public static func appleServer(bundleID: ExpectedBundleID, sharedSecret: String? = nil) -> AppleServerReceiptVerifier {
        AppleServerReceiptVerifier(bundleID: bundleID, sharedSecret: sharedSecret)
    }
}

/// The body of a request to `verifyReceipt`.
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

/// A secret that no description, dump or mirror shows.
struct SharedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let value: String

    var description: String { "redacted" }
    var debugDescription: String { "redacted" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
