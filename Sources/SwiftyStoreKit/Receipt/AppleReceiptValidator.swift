import AppReceipt
public import AppStoreServer
public import Foundation

/// Validates receipts with Apple's `verifyReceipt` endpoint, which Apple has deprecated.
///
/// Apple recommends that you call `verifyReceipt` from your server, because a shared secret in an app isn't secret. The
/// rules for requests are:
///
/// - A sandbox receipt that production rejects (21007) is sent to the sandbox once. The next receipt goes to
///   ``service``.
/// - A JSON response is used with any HTTP status.
/// - Temporary server errors are retried three times, after 1, 2 and 4 seconds: HTTP 429 and 5xx without a JSON
///   response, 21009, and 21100 to 21199 if the response allows a retry. 21005 is retried once, after 1 second.
/// - A receipt with status 21006 is valid: its subscription has expired.
/// - A request without a response isn't sent again.
/// - Redirects are followed only between Apple's hosts.
public class AppleReceiptValidator: ReceiptValidator {
    /// The URL of Apple's endpoint.
    public enum VerifyReceiptURLType: String {
        /// Apple's server for apps from the App Store.
        case production = "https://buy.itunes.apple.com/verifyReceipt"
        /// Apple's server for tests.
        case sandbox = "https://sandbox.itunes.apple.com/verifyReceipt"
    }

    /// The server of the first request. A receipt never changes this property.
    public var service: VerifyReceiptURLType
    /// Records a response.
    private let record: @Sendable (ReceiptInfo) -> Void
    private let makeService: @Sendable (_ startsInSandbox: Bool) -> AppleServerReceiptVerifier

    /// Creates a validator.
    ///
    /// - Parameters:
    ///   - service: The server of the first request.
    ///   - sharedSecret: The shared secret of the app or the account, which auto-renewable subscriptions need.
    public convenience init(service: VerifyReceiptURLType = .production, sharedSecret: String? = nil) {
        self.init(
            service: service, sharedSecret: sharedSecret, endpoints: .apple,
            transport: URLSessionReceiptTransport(timeout: 60),
            clock: SystemRetryClock(), tellsTime: true)
    }

    /// Creates a validator for other endpoints: your own server that responds like Apple's, or a test server. Import
    /// the module `AppStoreServer` for the types of the endpoints and the transport.
    ///
    /// - Parameters:
    ///   - service: The server of the first request.
    ///   - sharedSecret: The shared secret of the app or the account.
    ///   - endpoints: The URLs of the servers.
    ///   - transport: Sends the requests. A `URLSessionReceiptTransport` accepts a session configuration.
    public convenience init(
        service: VerifyReceiptURLType = .production, sharedSecret: String? = nil, endpoints: VerifyReceiptEndpoints,
        transport: any ReceiptTransport = URLSessionReceiptTransport(timeout: 60)
    ) {
        self.init(
            service: service, sharedSecret: sharedSecret, endpoints: endpoints, transport: transport,
            clock: SystemRetryClock())
    }

    package init(
        service: VerifyReceiptURLType = .production, sharedSecret: String? = nil, endpoints: VerifyReceiptEndpoints,
        transport: any ReceiptTransport, clock: any RetryClock, recentResponses: RecentResponses = .shared,
        tellsTime: Bool = false
    ) {
        self.service = service
        record = { recentResponses.record($0, tellsTime: tellsTime) }
        makeService = { startsInSandbox in
            AppleServerReceiptVerifier(
                bundleID: .any, environment: startsInSandbox ? .sandbox : nil, sharedSecret: sharedSecret,
                maximumResponseSize: 128 << 20,
                endpoints: endpoints,
                transport: (transport as? URLSessionReceiptTransport)?.readingEverything ?? transport, clock: clock,
                style: .swiftyStoreKit)
        }
    }

    /// Validates receipt data.
    ///
    /// - Parameters:
    ///   - receiptData: The content of the receipt file.
    ///   - completion: Called once, never on the main thread, so that code may wait for the completion on the main
    ///     thread. The receipt is the server's whole response.
    public func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void) {
        let completion = ValidationCompletion(call: completion)
        _ = validation(of: receiptData) { completion.call($0) }
    }

    /// Starts a validation. Canceling the returned task ends the validation immediately.
    func validation(
        of receiptData: Data, finish: @escaping @Sendable (sending VerifyReceiptResult) -> Void
    ) -> Task<Void, Never> {
        let service = makeService(service == .sandbox)
        return Task { [record] in
            var body: Data?
            var failure: VerifyReceiptError?
            do throws(VerifyReceiptError) {
                _ = try await service.response(for: receiptData) { body = $0 }
            } catch {
                failure = error
            }
            let result = VerifyReceiptResult(body: body, error: failure)
            if case .success(let receipt) = result { record(receipt) }
            finish(result)
        }
    }
}

/// The completion of a direct call of `validate(receiptData:completion:)`.
// @unchecked because: only the task of the validation calls the closure, once.
private struct ValidationCompletion: @unchecked Sendable {
    let call: (VerifyReceiptResult) -> Void
}
