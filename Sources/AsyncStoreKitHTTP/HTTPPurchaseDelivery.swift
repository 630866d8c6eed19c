import AppReceipt
public import AsyncStoreKit
public import Foundation

/// Delivers purchases through the app's own server: posts the receipt and the transactions as JSON, and follows the
/// response.
///
/// ```swift
/// store.setDelivery(try HTTPPurchaseDelivery(url: serverURL))
/// ```
///
/// Only your server can finish a paid purchase. ``HTTPDeliveryPayload/json()`` describes the request, and
/// ``HTTPDeliveryConvention`` the responses:
///
/// - Status 2xx with `{"decision": "accepted"}` accepts the purchases. The transactions are finished.
/// - `{"decision": "rejected", "message": "…"}` rejects the purchases. The transactions are finished, and the caller
///   gets the message as `StoreError.Code.deliveryRejected`.
/// - Every other result leaves the transactions unfinished: another status, an empty body, other JSON, HTML, no
///   response. They are sent again after the pause that the server requests or a growing pause, and at the next launch.
///
/// The store's log has each decision, with the status and the content type of the response.
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
        client = HTTPClient(configuration: options.session)
    }

    /// Sends the purchases, and returns the decisions of the server's responses. In a canceled task, the function
    /// returns at once, and no purchase is lost.
    public func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        let payload = await upToDate(request)
        var chunks = HTTPDeliveryChunks(
            request.purchases, most: min(options.purchasesPerRequest, acceptedCount.withLock { $0 }))
        var decisions: [String: DeliveryDecision] = [:]
        var requestCount = 0
        while let purchases = chunks.next() {
            let part = payload.part(purchases)
            let requestID = UUID().uuidString
            requestCount += 1
            switch await exchange(part, requestID) {
            case .response(let response, let secrets):
                let result = conclusion(from: response, part, secrets)
                let isFinal = !result.allSatisfy(\.isRetried)
                let isTooLarge = response.statusCode == 413 && !isFinal
                if isTooLarge, purchases.count > 1 {
                    chunks.halve(purchases)
                    acceptedCount.withLock { [most = chunks.most] in $0 = min($0, most) }
                    continue
                }
                // A server that is busy, and a response that decides nothing, concern the next requests, too. One
                // purchase that is too large says nothing about the others.
                let isBusy = response.statusCode == 429 || response.statusCode >= 500
                let isDecision = isTooLarge || (!isBusy && !result.allSatisfy(\.isUndecided))
                for one in result {
                    decisions[one.key] = one.decision
                    let answer = DeliveryAnswer(
                        status: response.statusCode, isDecision: isDecision, summary: one.summary, requestID: requestID)
                    request.journal.record(answer, for: [one.key])
                }
                guard !isDecision, !isFinal, let failure = result.last else { continue }
                let answer = DeliveryAnswer(
                    status: response.statusCode, summary: failure.summary, requestID: requestID)
                return endEarly(failure.decision, because: answer, chunks.keys, request, decisions, requestCount)
            case .withheld:
                for key in purchases.map(\.deliveryKey) { decisions[key] = .retryLater(after: Self.accountPause) }
                request.journal.record(
                    DeliveryAnswer(isDecision: true, summary: "nothing was sent for the account"),
                    for: purchases.map(\.deliveryKey))
            case .failed(let reason):
                let answer = DeliveryAnswer(summary: reason, requestID: requestID)
                return endEarly(.retryLater, because: answer, part.keys + chunks.keys, request, decisions, requestCount)
            }
        }
        return Self.together(decisions, requestCount)
    }

    /// How long purchases of another account wait before the app is asked again, in seconds.
    private static let accountPause: TimeInterval = 3_600

    /// Returns the decisions of an attempt that ends before everything was sent.
    private func endEarly(
        _ decision: DeliveryDecision, because answer: DeliveryAnswer, _ unsent: [String], _ request: DeliveryRequest,
        _ decisions: [String: DeliveryDecision], _ requestCount: Int
    ) -> DeliveryDecision {
        if !unsent.isEmpty { request.journal.record(answer, for: unsent) }
        return Self.together(decisions.merging(unsent.map { ($0, decision) }) { $1 }, requestCount)
    }

    /// Returns one decision if all purchases are accepted or rejected, or if one request had all of them. Otherwise
    /// the reasons for another attempt can differ, and with them the pauses.
    private static func together(_ decisions: [String: DeliveryDecision], _ requestCount: Int) -> DeliveryDecision {
        guard let first = decisions.values.first else { return .retryLater }
        guard decisions.values.allSatisfy({ $0 == first }) else { return .each(decisions) }
        if case .retryLater = first, requestCount > 1 { return .each(decisions) }
        return first
    }

    /// What a response means for a purchase.
    private struct Conclusion {
        let key: String
        let decision: DeliveryDecision
        let isUndecided: Bool
        let summary: String

        var isRetried: Bool { if case .retryLater = decision { true } else { false } }
    }

    private func conclusion(
        from response: HTTPDeliveryResponse, _ payload: HTTPDeliveryPayload, _ secrets: SecretRedaction
    ) -> [Conclusion] {
        let own = options.decision?(response)
        let all = own ?? response.decision(by: options.convention)
        let verdict = response.verdict(by: options.convention)
        return payload.keys.map { key in
            let isUndecided = own == nil ? verdict.verdict(on: key) == .undecided : false
            var summary = secrets.redact(response.summary)
            if isUndecided { summary += ", which decides nothing" }
            var decision = all.decision(for: key)
            switch decision {
            case .rejected
            where payload.missing.contains(key) && payload.request.attempt < options.receiptRefreshLimit:
                summary += ", which rejects a receipt that lacks the purchase"
                decision = .retryLater
            case .rejected(let reason): decision = .rejected(reason: secrets.redact(reason))
            case .retryLater(let seconds, let reason):
                decision = .retryLater(after: seconds, reason: reason.map(secrets.redact))
            case .accepted, .each: break
            }
            return Conclusion(key: key, decision: decision, isUndecided: isUndecided, summary: summary)
        }
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
        case response(HTTPDeliveryResponse, SecretRedaction)
        /// The app can't send the purchases of this account now.
        case withheld
        case failed(String)
    }

    /// Sends a request. The time limit also ends the wait for the app's header fields, and for a response that keeps
    /// arriving.
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
        let headers: [String: String]
        let body: Data
        do {
            guard let own = try await options.headers(payload) else { return .withheld }
            headers = own
            body = try options.body(payload)
        } catch {
            return .failed("the request couldn't be created, \(type(of: error))")
        }
        do {
            let usual = payload.headers(requestID: requestID, body: body)
            let received = try await client.send(
                body, to: url, headers: headers.merging(usual) { own, _ in own }, limit: options.maximumResponseSize,
                readsErrors: true)
            let response = HTTPDeliveryResponse(
                statusCode: received.statusCode, headers: received.headers, body: received.body)
            return .response(response, SecretRedaction(headers))
        } catch {
            let reason = error is ResponseTooLargeError ? "responseTooLarge" : error.nameForLog
            return .failed("no response, \(reason)")
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
