public import AppReceipt
public import Foundation

/// Asks Apple's `verifyReceipt`, which Apple has deprecated, whether a receipt is genuine.
///
/// Apple advises to ask from a server: an app that carries the shared secret gives it away. A receipt of the sandbox that production refuses
/// (21007) is sent to the sandbox, once, and the next receipt to ``service`` again. A JSON answer counts whatever the status of HTTP. Trouble
/// on Apple's side (HTTP 429 and 5xx without one, 21009, and 21100 to 21199 when the answer says so) is tried again three times, after 1, 2
/// and 4 seconds; 21005 once, after 1 second. A receipt that comes with status 21006 is a receipt: ask it, and the subscription has expired.
/// A request without an answer is not sent again. Redirections are followed from one of Apple's hosts to another, and no further.
public class AppleReceiptValidator: ReceiptValidator {
    /// Where Apple is asked.
    public enum VerifyReceiptURLType: String {
        /// Apple's server for apps from the App Store.
        case production = "https://buy.itunes.apple.com/verifyReceipt"
        /// Apple's server for tests.
        case sandbox = "https://sandbox.itunes.apple.com/verifyReceipt"
    }

    /// Which server is asked first. Never changed by a receipt.
    public var service: VerifyReceiptURLType
    /// Notes an answer that has come.
    private let note: @Sendable (ReceiptInfo) -> Void
    private let makeService: @Sendable (_ startsInSandbox: Bool) -> AppleServerReceiptVerifier

    /// Creates a validator.
    ///
    /// - Parameters:
    ///   - service: which server is asked first.
    ///   - sharedSecret: the app's or the account's secret, needed for auto-renewable subscriptions.
    public convenience init(service: VerifyReceiptURLType = .production, sharedSecret: String? = nil) {
        self.init(
            service: service, sharedSecret: sharedSecret, endpoints: .apple, transport: URLSessionReceiptTransport(timeout: 60),
            clock: SystemRetryClock(), tellsTime: true)
    }

    /// Creates a validator that asks elsewhere: a server of one's own that answers like Apple's, or a test's.
    ///
    /// - Parameters:
    ///   - service: which server is asked first.
    ///   - sharedSecret: the app's or the account's secret.
    ///   - endpoints: the servers.
    ///   - transport: the way there; a `URLSessionReceiptTransport` can be given a session's configuration.
    public convenience init(
        service: VerifyReceiptURLType = .production, sharedSecret: String? = nil, endpoints: VerifyReceiptEndpoints,
        transport: any ReceiptTransport = URLSessionReceiptTransport(timeout: 60)
    ) {
        self.init(
            service: service, sharedSecret: sharedSecret, endpoints: endpoints, transport: transport, clock: SystemRetryClock())
    }

    package init(
        service: VerifyReceiptURLType = .production, sharedSecret: String? = nil, endpoints: VerifyReceiptEndpoints,
        transport: any ReceiptTransport, clock: any RetryClock, fresh: RecentResponses = .shared, tellsTime: Bool = false
    ) {
        self.service = service
        note = { fresh.note($0, tellsTime: tellsTime) }
        makeService = { startsInSandbox in
            AppleServerReceiptVerifier(
                bundleID: .any, sharedSecret: sharedSecret, startsInSandbox: startsInSandbox, maximumResponseSize: 128 << 20,
                endpoints: endpoints,
                transport: (transport as? URLSessionReceiptTransport)?.readingEverything ?? transport, clock: clock,
                style: .swiftyStoreKit)
        }
    }

    /// Validates receipt data.
    ///
    /// - Parameters:
    ///   - receiptData: the receipt file.
    ///   - completion: called once, never on the main thread: code that waits there for it goes on. The receipt is the whole answer of
    ///     the server.
    public func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void) {
        let completion = ValidationCompletion(call: completion)
        _ = validation(of: receiptData) { completion.call($0) }
    }

    /// Asks; cancelling the task ends it at once.
    func validation(
        of receiptData: Data, finish: @escaping @Sendable (sending VerifyReceiptResult) -> Void
    ) -> Task<Void, Never> {
        let service = makeService(service == .sandbox)
        return Task { [note] in
            var body: Data?
            var failure: VerifyReceiptError?
            do throws(VerifyReceiptError) {
                _ = try await service.response(for: receiptData) { body = $0 }
            } catch {
                failure = error
            }
            let result = VerifyReceiptResult(body: body, error: failure)
            if case .success(let receipt) = result { note(receipt) }
            finish(result)
        }
    }
}

/// The completion of a validation that was asked for directly.
// @unchecked because: it is called once, by the task that asks.
private struct ValidationCompletion: @unchecked Sendable {
    let call: (VerifyReceiptResult) -> Void
}
