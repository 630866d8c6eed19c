import AppReceipt
import AppStoreServer
import AppStoreSimulator
import AsyncStoreKit
import Foundation
import LoopbackHTTP
import ReceiptTestFixtures
import Support
import TestHarness
import Testing

/// Deliveries of an app to the server of the article "Purchases on a server".
@Suite(.bounded) struct PurchaseServerDeliveryTests {
    /// The server, with a session for each `Authorization`.
    private struct Service: Sendable {
        var fault: AccountJourney.Fault?
        var server = Service.server(of: "com.example.app")

        private static func server(of bundleID: ExpectedBundleID) -> PurchaseServer {
            var server = PurchaseServer(
                receipts: LocalReceiptVerifier(
                    bundleID: bundleID, environment: .sandbox, device: nil,
                    trustAnchors: .pinning(SimulatedReceiptIssuer.rootCertificate)),
                payloads: AppStoreServerVerifier(
                    bundleID: bundleID, appStoreID: 1_234_567_890, environment: .sandbox,
                    trustAnchors: .pinning(SimulatedJWSIssuer.rootCertificate)))
            server.products = AccountJourney.products
            return server
        }

        mutating func respond(to body: Data, _ authorization: String?) -> PurchaseServer.Response {
            guard let text = authorization?.split(separator: " ").last, let session = UUID(uuidString: String(text))
            else { return PurchaseServer.Response(status: 401) }
            switch fault {
            case .configuration:
                var other = Self.server(of: "com.example.other")
                return other.deliver(body, session: session)
            case .catalog:
                var empty = server
                empty.products = []
                return empty.deliver(body, session: session)
            case nil:
                return server.deliver(body, session: session)
            }
        }
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `nothing is finished before the server has delivered it, and each purchase goes to the account that it names`(
        engine: StoreEngine
    ) async throws {
        let service = Locked(Service())
        let server = try LoopbackServer([
            .choose { request in
                let response = service.withLock { $0.respond(to: request.body, request.headers["authorization"]) }
                return .body(response.body, status: response.status)
            }
        ])
        let journey = AccountJourney(engine: engine)
        let problems = try await journey.play(to: server.url) { fault in
            service.withLock { $0.fault = fault }
        } credited: {
            service.withLock { service in
                service.server.delivered.merging(service.server.coins.mapValues { [AccountJourney.coins: $0] }) {
                    $0.merging($1) { $1 }
                }
            }
        }
        expectEqual(problems, [])
    }
}
