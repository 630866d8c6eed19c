import AppReceipt
import AsyncStoreKit
import Foundation

extension MigratedApp {
    func makeVerifier() -> LocalReceiptVerifier {
        let verifier: LocalReceiptVerifier = .local(bundleID: "com.example.app", environment: nil)
        return verifier
    }

    func localReceipt() throws -> String {
        let receiptData = try store.receipt.data()
        let receiptString = receiptData.base64EncodedString()
        return receiptString
    }

    func fetchReceipt() async throws -> Data {
        let receiptData = try await store.receipt.data(refreshing: .always)
        return receiptData
    }

    func verifyReceipt() async {
        do throws(StoreError) {
            let receipt = try await store.receipt.verify(using: verifier)
            print("\(receipt.transactions.count) purchases")
        } catch {
            print("Verify receipt failed: \(error.message)")
        }
    }

    func verifyWithServer() async throws {
        struct ServerVerifier: ReceiptVerifier {
            let server: Server

            func verify(_ receiptData: Data) async throws -> Receipt {
                try await server.verify(receiptData)
            }
        }
        let receipt = try await store.receipt.verify(using: ServerVerifier(server: server))
        print("\(receipt.transactions.count) purchases")
    }

    func verifyPurchase() async throws {
        let receipt = try await store.receipt.verify(using: verifier)
        if let purchase = receipt.latestValidTransaction(of: "com.example.pro") {
            print("Bought on \(purchase.originalPurchaseDate)")
        } else {
            print("Never bought, or refunded")
        }
    }

    func verifySubscription() async throws {
        let receipt = try await store.receipt.verify(using: verifier)
        let status = receipt.subscriptionStatus(of: "com.example.weekly", at: .now)
        switch status.state {
        case .subscribed, .inGracePeriod: unlock("com.example.weekly")
        case .inBillingRetryPeriod: show("Check your payment method")
        default: lock("com.example.weekly")
        }
    }

    func verifyNonRenewing() async throws {
        let receipt = try await store.receipt.verify(using: verifier)
        let status = receipt.subscriptionStatus(
            ofNonRenewing: ["com.example.pass"], duration: 3600 * 24 * 30, at: .now)
        if status.isEntitled { unlock("com.example.pass") }
    }

    func buySubscription() async throws {
        try await store.purchase("com.example.weekly") { purchase in
            unlock(purchase.productID)
        }
        let weekly = await store.entitlements.current["com.example.weekly"]
        if let end = weekly?.accessEndDate { show("Yours until \(end)") }
    }

    func verifyGroup() async throws {
        let receipt = try await store.receipt.verify(using: verifier)
        let status = receipt.subscriptionStatus(
            of: ["com.example.weekly", "com.example.yearly"], at: .now)
        if status.isEntitled { unlock("magazine") }
    }

    func distinctIDs() async throws {
        let receipt = try await store.receipt.verify(using: verifier)
        print("\(receipt.distinctProductIDs.sorted())")
        let statuses = receipt.subscriptionStatuses(at: .now)
        print("\(statuses.filter(\.isEntitled).count) active subscriptions")
    }
}
