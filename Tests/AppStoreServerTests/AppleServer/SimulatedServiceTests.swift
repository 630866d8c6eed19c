import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppStoreServer

/// The verifier with the responses of the simulated `verifyReceipt`.
@Suite(.bounded) struct SimulatedServiceTests {
    /// Sends requests to the simulator, and counts them.
    private struct Transport: ReceiptTransport {
        let store: SimulatedAppStore
        let requests = Protected(0)

        func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse {
            requests.withLock { $0 += 1 }
            let isProduction = url == VerifyReceiptEndpoints.apple.production
            return ReceiptTransportResponse(
                statusCode: 200, body: try store.verifyReceipt(body, isProduction: isProduction))
        }
    }

    private let store: SimulatedAppStore

    init() {
        store = SimulatedAppStore(products: [])
        store.behavior.signsReceipts = false
    }

    /// Returns a receipt of the simulator with a purchase.
    private func file(
        _ environment: SimulatedReceipt.Environment = .sandbox, isSubscription: Bool = false
    ) -> Data {
        var receipt = SimulatedReceipt(
            bundleID: "com.example.app", creationDate: store.now, environment: environment)
        var purchase = SimulatedReceiptTransaction(
            productID: "pro", transactionID: "1", purchaseDate: store.now)
        if isSubscription { purchase.expirationDate = store.now.addingTimeInterval(86_400) }
        receipt.transactions = [purchase]
        var issuer = SimulatedReceiptIssuer()
        issuer.signs = false
        return issuer.issue(receipt)
    }

    /// Returns the owned products or the error of a receipt, and the number of requests.
    private func result(of file: Data) async -> String {
        let transport = Transport(store: store)
        let verifier = AppleServerReceiptVerifier(
            bundleID: "com.example.app", environment: nil, transport: transport, clock: RecordingRetryClock())
        let result: String
        do {
            result = try await verifier.verify(file).distinctProductIDs.sorted().joined(separator: ",")
        } catch let error as VerifyReceiptError {
            result = "\(error.code.rawValue) \(error.status.map { "\($0)" } ?? "")"
        } catch {
            result = "\(error)"
        }
        return "\(result), \(transport.requests.withLock { $0 })"
    }

    @Test(arguments: [
        (21_000, "malformedRequest 21000, 1"), (21_001, "malformedRequest 21001, 1"),
        (21_002, "malformedReceipt 21002, 2"), (21_003, "notAuthentic 21003, 1"),
        (21_004, "wrongSharedSecret 21004, 1"), (21_005, "serverUnavailable 21005, 4"),
        (21_006, "malformedResponse 21006, 1"), (21_007, "wrongEnvironment 21007, 2"),
        (21_008, "wrongEnvironment 21008, 1"), (21_009, "internalError 21009, 4"),
        (21_010, "accountNotFound 21010, 1"), (21_099, "unknownStatus 21099, 1"),
        (21_100, "internalError 21100, 4"), (21_150, "internalError 21150, 4"),
        (21_199, "internalError 21199, 4"), (21_200, "unknownStatus 21200, 1"),
        (0, "malformedResponse 0, 1"),
    ])
    func `every status of the simulated service has an error and its number of requests`(
        status: Int, expected: String
    ) async {
        store.behavior.verifyReceiptStatus = status
        expectEqual(await result(of: file()), expected)
    }

    @Test func `the simulated service accepts and refuses receipts as Apple's does`() async {
        expectEqual(await result(of: file()), "pro, 2")
        expectEqual(await result(of: file(.production)), "pro, 1")
        expectEqual(await result(of: Data([1, 2, 3])), "malformedReceipt 21002, 2")
        expectEqual(await result(of: file(.xcode)), "notAuthentic 21003, 1")
        store.behavior.sharedSecret = "secret"
        expectEqual(await result(of: file(isSubscription: true)), "wrongSharedSecret 21004, 2")
    }
}
