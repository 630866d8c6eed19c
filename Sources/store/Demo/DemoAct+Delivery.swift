import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import LoopbackHTTP

extension DemoAct {
    static let server = DemoAct(title: "A purchase, delivered by a server that is down at first") { stage in
        let kinds: [SimulatedProduct.Kind] = [.consumable, .nonRenewingSubscription, .nonConsumable, .autoRenewableSubscription]
        let product = try stage.cast(kinds, allowsHosted: false)
        let name = stage.name(of: product.productID)
        let acceptance = #"{"decision": "accepted"}"#
        let server = try LoopbackServer([.body(acceptance)], isUp: false)
        defer { server.stop() }
        let clock = SimulatedClock()
        stage.relaunch(StoreConfiguration(clock: clock))
        let log = Locked<[String]>([])
        var options = HTTPDeliveryOptions()
        options.clock = SimulatedClock()
        options.log = { event in log.withLock { $0.append(event.message) } }
        let delivery = WatchedDelivery(try HTTPPurchaseDelivery(url: server.url, options: options))
        stage.store.setDelivery(delivery)
        stage.say(.app, "store.setDelivery(HTTPPurchaseDelivery(url: its server on 127.0.0.1))")
        stage.say(.server, "is down: it refuses every connection")
        stage.say(.customer, "buys \(name)")
        do throws(StoreError) {
            let outcome = try await stage.store.purchase(product.productID)
            throw StoreError(.unknown, "\(Unexpected(outcome: outcome))")
        } catch {
            guard error.code == .deliveryPending else { throw error }
            log.withLock { $0 }.forEach { stage.say(.app, $0) }
            stage.say(.app, "throws \(error)")
        }
        stage.own(product)
        let pending = try await stage.store.diagnostics.pendingRetries
        stage.say(.app, "has \(pending) \(pending == 1 ? "purchase" : "purchases") to deliver, and finishes nothing")

        try server.start()
        stage.say(.server, "comes up")
        try await clock.waitForSleepers(1)
        // The first pause is a second at the most.
        clock.advance(by: 1)
        guard await delivery.decision(1) == .accepted else {
            throw StoreError(.deliveryFailed, "The server is up, and yet: \(log.withLock { $0.last } ?? "no response.")")
        }
        for request in server.requests {
            let order = try JSONDecoder().decode(Order.self, from: request.body)
            let names = order.transactions.map { stage.name(of: $0.productID) }.joined(separator: ", ")
            let evidence = order.transactions.allSatisfy { $0.signedTransaction != nil } ? "the signed transaction" : order.receiptInWords
            stage.say(.server, "gets \(names) and \(evidence), attempt \(order.attempt + 1), and responds \(acceptance)")
        }
        let update = try await stage.nextUpdate()
        let state = update.isDelivered ? "delivered by the server" : "not delivered"
        stage.say(.stream, "\(stage.describe(update.transaction)), \(state)", update.isDelivered ? .good : .bad)
        try await stage.sayUnfinished()
        stage.relaunch()
    }

    /// What the demo's server reads of a request.
    private struct Order: Decodable {
        struct Entry: Decodable {
            let productID: String
            let isInReceipt: Bool
            let signedTransaction: String?
        }

        let attempt: Int
        let transactions: [Entry]

        var receiptInWords: String {
            transactions.allSatisfy(\.isInReceipt) ? "the receipt that holds it" : "a receipt that lacks it"
        }
    }
}

/// A delivery whose decisions can be awaited.
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

    /// The decision of the attempt after so many others. To be asked once.
    func decision(_ index: Int) async -> DeliveryDecision? {
        var rest = index
        for await decision in decisions {
            guard rest > 0 else { return decision }
            rest -= 1
        }
        return nil
    }
}
