import AppReceipt
import AppStoreServer
import AsyncStoreKit
import Foundation

/// A clock on the main actor, such as the one of a debug menu.
@MainActor final class MenuClock: StoreClock {
    private(set) var sleeps = 0

    nonisolated var now: Date { Date(timeIntervalSince1970: 1_700_000_000) }

    func sleep(until deadline: Date) async throws {
        sleeps += 1
        await Task.yield()
    }
}

/// A verifier on the main actor that asks the app's server.
@MainActor final class ServerVerifier: ReceiptVerifier {
    private(set) var failures = 0

    func verify(_ receiptData: Data) async throws -> Receipt {
        failures += 1
        throw CancellationError()
    }
}

/// A transport of an actor.
actor Courier: ReceiptTransport {
    private var posts = 0

    func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse {
        posts += 1
        return ReceiptTransportResponse(statusCode: 503, body: Data())
    }
}

/// A delivery of a value, and a configuration with closures, created on the main actor.
@MainActor enum Composition {
    static var lines: [String] = []

    static func configuration() -> StoreConfiguration {
        var configuration = StoreConfiguration(log: { event in
            Task { @MainActor in lines.append(event.message) }
        })
        configuration.clock = MenuClock()
        return configuration
    }

    static func deliverLocally(_ store: PurchaseStore) {
        store.setDelivery { request in
            await MainActor.run { lines.append(contentsOf: request.purchases.map(\.productID)) }
            return .accepted
        }
    }
}
