import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitHTTP
import AsyncStoreKitTesting
import Foundation
import LoopbackHTTP
import Support
import Testing

/// An app over a simulated App Store that delivers through a real server on this machine.
struct HTTPDeliveryScene: Sendable {
    let world = StoreWorld(selling: .shop, engine: .storeKit1)
    /// The clock that measures the delivery's timeout. The store uses the clock of the world.
    let deadline = SimulatedClock()
    let log = Recorder<StoreLogEvent>()

    /// Launches the app without a delivery.
    func launch() -> PurchaseStore {
        PurchaseStore(
            backend: SimulatedBackend(world.appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: world.clock) { [log] in log.record($0) })
    }

    func delivery(to url: URL, _ change: (inout HTTPDeliveryOptions) -> Void = { _ in }) throws -> HTTPPurchaseDelivery
    {
        var options = HTTPDeliveryOptions()
        options.clock = deadline
        change(&options)
        return try HTTPPurchaseDelivery(url: url, options: options)
    }

    /// Launches the app with a delivery to the server.
    func launch(
        delivering server: LoopbackServer, _ change: (inout HTTPDeliveryOptions) -> Void = { _ in }
    ) throws -> PurchaseStore {
        let store = launch()
        store.setDelivery(try delivery(to: server.url, change))
        return store
    }

    /// Buys, and returns the error, which has to be thrown.
    func failure(of store: PurchaseStore) async throws -> StoreError {
        do throws(StoreError) {
            _ = try await store.purchase(StoreWorld.pro)
        } catch {
            return error
        }
        throw NothingThrown()
    }

    /// Returns when a number of attempts have failed and the store waits for the next one.
    func untilPending(afterAttempts count: Int) async throws {
        // The timeout of a request sleeps by the same clock, so a sleeper alone doesn't show that the store waits.
        _ = try await log.first { $0.message.contains("attempt \(count) failed") }
        try await world.clock.waitForSleepers(1)
    }

    /// Advances to the end of the pause after a number of attempts. A longer advance could also pass the next pause, if
    /// the next attempt fails before the advance ends.
    func passPause(of store: PurchaseStore, afterAttempts count: Int = 1) async throws {
        try await untilPending(afterAttempts: count)
        let next = try #require(try await store.diagnostics().held.compactMap(\.nextAttempt).min())
        world.appStore.advance(to: next)
    }
}

struct NothingThrown: Error {}

extension LoopbackServer.Answer {
    /// The response of a server that has delivered the purchases.
    static let accepted = body(#"{"decision":"accepted"}"#)
}

extension LoopbackServer {
    /// The bodies that were posted, as JSON objects.
    var posted: [[String: Any]] {
        requests.compactMap { try? JSONSerialization.jsonObject(with: $0.body) as? [String: Any] }
    }

    /// The transactions of all bodies, in order.
    var postedTransactions: [[String: Any]] { posted.flatMap { $0["transactions"] as? [[String: Any]] ?? [] } }
    var deliveryKeys: [String] { requests.compactMap { $0.headers["idempotency-key"] } }
}

extension StoreTransaction {
    /// Returns the paid entry with this number.
    static func entry(
        _ serial: UInt64, _ state: State, of productID: String = "coins", username: String? = nil
    ) -> StoreTransaction {
        StoreTransaction(
            token: TransactionToken(source: 1, serial: serial), state: state, productID: productID,
            applicationUsername: username, id: "paid-\(serial)",
            purchaseDate: Date(timeIntervalSince1970: TimeInterval(serial)))
    }
}

extension DeviceReceipt {
    /// The receipt of a device that has none, whether or not it's refreshed.
    static let missing = DeviceReceipt(read: { nil }, request: { () throws(StoreError) in })
}
