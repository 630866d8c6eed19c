import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitHTTP
import AsyncStoreKitTesting
import Foundation

extension DemoScene {
    static let server = DemoScene(title: "A delivery server that is down") { stage in
        let productID = "darkroom.credits.100"
        let acceptance = #"{"decision": "accepted"}"#
        let server = try DemoServer()
        let clock = SimulatedClock()
        let (messages, logged) = AsyncStream<String>.makeStream()
        stage.relaunch(clock: clock) { logged.yield($0.message) }
        var options = HTTPDeliveryOptions()
        options.clock = SimulatedClock()
        options.sessionConfiguration = DemoServer.configuration
        let delivery = WatchedDelivery(try HTTPPurchaseDelivery(url: server.url, options: options))
        stage.store.setDelivery(delivery)
        stage.say(.app, "store.setDelivery(HTTPPurchaseDelivery(url: …))")
        stage.say(.server, "is down, and refuses connections")
        stage.say(.customer, "buys \(stage.name(of: productID))")
        do throws(StoreError) {
            let outcome = try await stage.store.purchase(productID)
            throw StoreError(.unknown, "\(Unexpected(outcome: outcome))")
        } catch {
            guard error.code == .deliveryPending else { throw error }
            // The log is written after the call has thrown.
            for await message in messages where message.contains("couldn't be delivered") {
                // Each request has an identifier of its own.
                stage.say(
                    .app, message.replacingOccurrences(of: "[0-9A-F-]{36}", with: "…", options: .regularExpression))
                break
            }
            stage.say(.app, "throws \(error)")
        }
        let pending = try await stage.store.diagnostics().pendingRetries
        stage.say(.app, "has \(pending) undelivered \(pending == 1 ? "purchase" : "purchases"), still unfinished")

        server.start(answer: acceptance)
        stage.say(.server, "is up again")
        try await clock.waitForSleepers(1)
        // The first pause is at most a second.
        clock.advance(by: 1)
        guard await delivery.decision(1) == .accepted else {
            throw StoreError(.deliveryFailed, "The server is up, but the delivery failed.")
        }
        for request in server.requests {
            let order = try JSONDecoder().decode(Order.self, from: request.body)
            let names = order.transactions.map { stage.name(of: $0.productID) }.joined(separator: ", ")
            let evidence =
                order.transactions.allSatisfy { $0.signedTransaction != nil }
                ? "the signed transaction" : order.receiptInWords
            stage.say(
                .server,
                "receives \(names) with \(evidence) in attempt \(request.attempt + 1), and responds \(acceptance)")
        }
        let purchase = try await stage.nextPurchase()
        let state = purchase.isHandledElsewhere ? "delivered by the server" : "not delivered"
        stage.say(.stream, "\(stage.describe(purchase)), \(state)", purchase.isHandledElsewhere ? .good : .bad)
        try await stage.sayUnfinished()
        stage.relaunch()
    }

    /// The parts of a request that the server of the demo reads.
    private struct Order: Decodable {
        struct Entry: Decodable {
            let productID: String
            let isInReceipt: Bool?
            let signedTransaction: String?
        }

        let transactions: [Entry]

        var receiptInWords: String {
            transactions.allSatisfy { $0.isInReceipt == true }
                ? "a receipt that contains it" : "a receipt that doesn't contain it"
        }
    }
}

/// A delivery that lets you wait for its decisions.
private struct WatchedDelivery: PurchaseDelivery {
    private let delivery: any PurchaseDelivery
    private let decisions: AsyncStream<DeliveryDecision>
    private let decided: AsyncStream<DeliveryDecision>.Continuation

    init(_ delivery: some PurchaseDelivery) {
        self.delivery = delivery
        (decisions, decided) = AsyncStream.makeStream()
    }

    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        let decision = await delivery.deliver(request)
        decided.yield(decision)
        return decision
    }

    /// Returns the decision of an attempt, counted from 0. Call this function only once.
    func decision(_ index: Int) async -> DeliveryDecision? {
        var rest = index
        for await decision in decisions {
            guard rest > 0 else { return decision }
            rest -= 1
        }
        return nil
    }
}
