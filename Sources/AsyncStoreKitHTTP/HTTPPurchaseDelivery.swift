import AppReceipt
public import AsyncStoreKit
public import Foundation

/// Delivers purchases through the app's own server: posts the signed transactions or the receipt as JSON, and follows
/// the response.
///
/// ```swift
/// store.setDelivery(try HTTPPurchaseDelivery(url: serverURL))
/// ```
///
/// Only your server can finish a paid purchase. ``HTTPDeliveryPayload/json()`` describes the request, and
/// ``HTTPDeliveryResponse/decision(at:)`` the responses:
///
/// - Status 2xx with `{"decision": "accepted"}` accepts the purchases. The transactions are finished.
/// - `{"decision": "rejected", "message": "…"}` rejects the purchases. The transactions are finished, and the caller
///   gets the message as `StoreError.Code.deliveryRejected`.
/// - Every other result leaves the transactions unfinished: another status, an empty body, other JSON, HTML, no
///   response. They are sent again after the pause that the server requests or a growing pause, and at the next launch.
///
/// A purchase that names an account is sent only in a session of that account; see ``HTTPDeliveryOptions/session``. The
/// store's log has each decision, with the status and the content type of the response, and without the server's
/// message, the account and the header fields.
///
/// A request can reach the server more than once, if its response was lost or the app ended before the response. The
/// header field `Idempotency-Key` and each transaction's `deliveryKey` then stay the same. Redirections aren't
/// followed.
///
/// A restore of many purchases is sent in several requests, see ``HTTPDeliveryOptions/purchasesPerRequest``, and only
/// purchases for the same account are sent together. A response can have a decision for each purchase of a request.
///
/// Over StoreKit 2, each transaction is sent as the App Store signed it, and no receipt is needed. Over StoreKit 1, a
/// receipt that lacks a transaction is refreshed first, see ``HTTPDeliveryOptions/receiptRefreshLimit``. If the receipt
/// still lacks the transaction, the transaction is sent with `isInReceipt` false. A rejection is then not final until
/// the attempts with refreshes are used up.
public struct HTTPPurchaseDelivery: PurchaseDelivery {
    private let url: URL
    private let options: HTTPDeliveryOptions
    private let client: HTTPClient
    /// The maximum number of purchases in a request, after refusals of larger requests.
    private let acceptedCount = Locked(Int.max)

    /// Creates a delivery to a server.
    /// - Throws: `StoreError.Code.invalidURL` for a URL that isn't HTTPS, has no host, or contains a user name or
    ///   password. HTTP is accepted for this machine (`localhost`, 127.0.0.0/8, `::1`), and for other hosts only with
    ///   ``HTTPDeliveryOptions/allowsInsecureServer``.
    public init(url: URL, options: HTTPDeliveryOptions = HTTPDeliveryOptions()) throws(StoreError) {
        try HTTPDeliveryEndpoint.check(url, allowsInsecureServer: options.allowsInsecureServer)
        self.url = url
        self.options = options
        client = HTTPClient(configuration: options.sessionConfiguration)
    }

    /// Sends the purchases, and returns the decisions of the server's responses. In a canceled task, the function
    /// returns at once, and no purchase is lost.
    public func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        let payload = await upToDate(request)
        var rest = request.purchases
        var decisions: [String: DeliveryDecision] = [:]
        while !rest.isEmpty {
            let most = min(options.purchasesPerRequest, acceptedCount.withLock { $0 })
            let part = payload.part(HTTPDeliveryPayload.takeRequest(from: &rest, most: most))
            let requestID = UUID().uuidString
            let results: [Conclusion]
            switch await exchange(part, requestID) {
            case .response(let response):
                results = conclusions(from: response, part)
                if response.statusCode == 413, part.keys.count > 1, results.allSatisfy(\.isRetried) {
                    acceptedCount.withLock { $0 = min($0, part.keys.count / 2) }
                    rest = part.request.purchases + rest
                    continue
                }
            case .withheld(let reason):
                let decision = DeliveryDecision.retryLater(after: Self.accountPause, reason: reason)
                results = part.keys.map {
                    Conclusion(key: $0, decision: decision, evidence: .nothingSent, summary: reason)
                }
            case .failed(let summary):
                results = part.keys.map {
                    Conclusion(key: $0, decision: .retryLater, evidence: .failing, summary: summary)
                }
            }
            for one in results { record(one, requestID, for: [one.key], request, &decisions) }
            // A server that fails also fails for the purchases that weren't sent yet.
            guard let failure = results.last, results.allSatisfy({ $0.evidence == .failing }) else { continue }
            record(failure, requestID, for: rest.map(\.deliveryKey), request, &decisions)
            break
        }
        guard let first = decisions.values.first else { return .retryLater }
        return decisions.values.allSatisfy { $0 == first } ? first : .each(decisions)
    }

    /// How long purchases of another account wait before the app is asked again, in seconds.
    private static let accountPause: TimeInterval = 3_600

    /// What an exchange means for a purchase.
    private struct Conclusion {
        let key: String
        let decision: DeliveryDecision
        let evidence: DeliveryAnswer.Evidence
        let summary: String
        var status: Int?

        var isRetried: Bool { if case .retryLater = decision { true } else { false } }
    }

    private func record(
        _ conclusion: Conclusion, _ requestID: String, for keys: [String], _ request: DeliveryRequest,
        _ decisions: inout [String: DeliveryDecision]
    ) {
        guard !keys.isEmpty else { return }
        for key in keys { decisions[key] = conclusion.decision }
        let wasSent = conclusion.evidence != .nothingSent
        let answer = DeliveryAnswer(
            status: conclusion.status, evidence: conclusion.evidence, summary: conclusion.summary,
            requestID: wasSent ? requestID : nil)
        request.journal.record(answer, for: keys)
    }

    private func conclusions(from response: HTTPDeliveryResponse, _ payload: HTTPDeliveryPayload) -> [Conclusion] {
        let all = options.decision?(response) ?? response.decision()
        let undecided = payload.keys.filter { options.decision == nil && response.decision(for: $0) == nil }
        let decisions = payload.keys.map { finalDecision(all.decision(for: $0), $0, payload) }
        // A purchase that is too large says nothing about the others. A server that is busy, and a response that
        // decides nothing, concern the next requests, too, unless a purchase was accepted or rejected.
        let isTooLarge = response.statusCode == 413
        let isBusy = response.statusCode == 429 || response.statusCode >= 500
        let isFailing = !isTooLarge && (isBusy || undecided.count == payload.keys.count)
        let isRetried = decisions.allSatisfy { if case .retryLater = $0 { true } else { false } }
        return zip(payload.keys, decisions).map { key, decision in
            let summary = response.summary + (undecided.contains(key) ? ", which decides nothing" : "")
            return Conclusion(
                key: key, decision: decision, evidence: isFailing && isRetried ? .failing : .working, summary: summary,
                status: response.statusCode)
        }
    }

    /// Returns the decision, but another attempt for a rejection that may be due to a receipt without the purchase.
    private func finalDecision(
        _ decision: DeliveryDecision, _ key: String, _ payload: HTTPDeliveryPayload
    ) -> DeliveryDecision {
        guard case .rejected = decision, payload.missing.contains(key),
            payload.request.attempt < options.receiptRefreshLimit
        else { return decision }
        return .retryLater
    }

    /// Returns the request with a receipt that contains its transactions, if possible.
    private func upToDate(_ request: DeliveryRequest) async -> HTTPDeliveryPayload {
        func payload(_ receipt: @autoclosure () -> Data?) -> HTTPDeliveryPayload {
            HTTPDeliveryPayload(request: request, receipt: receipt(), includesReceipt: options.includesReceipt)
        }
        var newest = payload(request.receipt)
        // Fewer with each further attempt, so that the customer isn't asked for a password again and again.
        var refreshes = options.receiptRefreshLimit - min(request.attempt, options.receiptRefreshLimit)
        while !newest.missing.isEmpty, refreshes > 0, !Task.isCancelled {
            refreshes -= 1
            guard let receipt = try? await request.refreshedReceipt() else { break }
            newest = payload(receipt)
        }
        return newest
    }

    /// The result of a request.
    private enum Exchange: Sendable {
        case response(HTTPDeliveryResponse)
        /// Nothing was sent, for this reason: the session isn't one of the purchases' account.
        case withheld(String)
        case failed(String)
    }

    /// Sends a request. The time limit also ends the wait for the session, and for a response that keeps arriving.
    private func exchange(_ payload: HTTPDeliveryPayload, _ requestID: String) async -> Exchange {
        let result = Promise<Exchange>()
        let work = Task { result.fulfill(await send(payload, requestID)) }
        let limit = Task {
            guard (try? await options.clock.sleep(whileRunningFor: options.timeout)) != nil else { return }
            result.fulfill(.failed("no response, \(URLError(.timedOut).nameForLog)"))
        }
        defer {
            work.cancel()
            limit.cancel()
        }
        return await result.value { result.fulfill(.failed("no response, \(CancellationError().nameForLog)")) }
    }

    private func send(_ payload: HTTPDeliveryPayload, _ requestID: String) async -> Exchange {
        let session: HTTPDeliverySession
        let body: Data
        do {
            guard let own = try await options.session(payload) else {
                return .withheld("there is no session to send in")
            }
            session = own
            if let account = payload.account, session.account.map(account.isSame) != true {
                return .withheld("the purchase names an account that isn't the one of the session")
            }
            body = try options.body(payload)
        } catch {
            return .failed("the request couldn't be created, \(type(of: error))")
        }
        do {
            // The case of a header field's name doesn't matter.
            let own = Set(session.headers.keys.map { $0.lowercased() })
            let usual = payload.headers(requestID: requestID, body: body).filter { !own.contains($0.key.lowercased()) }
            let received = try await client.send(
                body, to: url, headers: session.headers.merging(usual) { own, _ in own },
                limit: options.maximumResponseSize, readsErrors: true)
            return .response(
                HTTPDeliveryResponse(statusCode: received.statusCode, headers: received.headers, body: received.body))
        } catch {
            return .failed("no response, \(error is ResponseTooLargeError ? "responseTooLarge" : error.nameForLog)")
        }
    }
}

extension HTTPPurchaseDelivery: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The server's host: paths, queries and header fields may hold secrets.
    public var description: String { "HTTPPurchaseDelivery(\(url.host ?? ""))" }
    /// The server's host.
    public var debugDescription: String { description }
    /// Empty, because the options may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
