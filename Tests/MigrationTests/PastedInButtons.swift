import AppReceipt
import AsyncStoreKit
import Foundation

/// The guide's code as a developer pastes it into the closure of a button, in a view: with or without a task. Nothing
/// shows this view.
@MainActor struct PastedInButtons {
    /// Takes the closure that SwiftUI's button takes.
    struct Button {
        let action: @MainActor () -> Void

        init(action: @escaping @MainActor () -> Void) {
            self.action = action
        }
    }

    typealias Server = MigratedApp.Server

    let store: PurchaseStore
    let server: Server
    let verifier: LocalReceiptVerifier

    func unlock(_ productID: String) {}
    func lock(_ productID: String) {}
    func show(_ text: String) {}
    func print(_ text: String) {}
    func keep(_ files: [URL]) throws {}

    var products: Button {
        Button {
            store.setDelivery { [server] request in
                do {
                    for purchase in request.purchases { try await server.deliver(purchase) }
                    return .accepted
                } catch {
                    return .retryLater
                }
            }
            Task {
                do throws(StoreError) {
                    let response = try await store.products(for: ["com.example.pro", "com.example.coins"])
                    for product in response { print("\(product.displayName): \(product.displayPrice)") }
                    for id in response.invalidProductIDs { print("Not for sale: \(id)") }
                } catch {
                    print("Error: \(error.message)")
                }
            }
        }
    }

    var purchases: Button {
        Button {
            let call = store.callbacks.purchase("com.example.coins") { [self] result in
                switch result {
                case .success(.success(let purchase)):
                    if !purchase.isHandledElsewhere { unlock(purchase.productID) }
                    store.callbacks.finish(purchase.transaction)
                case .success(.pending): show("Waits for approval")
                case .success(.userCancelled): break
                case .failure(let error): show(error.localizedDescription)
                }
            }
            _ = call
            Task {
                do {
                    let outcome = try await store.purchase("com.example.pro") { purchase in
                        unlock(purchase.productID)
                    }
                    if case .pending = outcome { show("Waits for approval") }
                } catch {
                    show(error.localizedDescription)
                }
            }
            Task {
                try await store.purchase("com.example.coins", options: .init(quantity: 3)) { purchase in
                    try await server.deliver(purchase)
                }
            }
            Task {
                switch try await store.purchase("com.example.coins") {
                case .success(let purchase):
                    if !purchase.isHandledElsewhere { unlock(purchase.productID) }
                    await purchase.finish()
                case .pending: show("Waits for approval")
                case .userCancelled: break
                }
            }
            Task {
                let offer = await server.sign("com.example.weekly", offer: "half-price")
                try await store.purchase("com.example.weekly", options: .init(offer: offer)) { purchase in
                    unlock(purchase.productID)
                }
            }
        }
    }

    var earlierPurchases: Button {
        Button {
            Task {
                for await purchase in store.transactions {
                    unlock(purchase.productID)
                    await purchase.finish()
                }
            }
            Task {
                do throws(StoreError) {
                    let restored = try await store.restore { purchase in unlock(purchase.productID) }
                    if case .restored(let purchases) = restored, purchases.isEmpty { show("Nothing to restore") }
                } catch {
                    show("Restore failed: \(error.message)")
                }
            }
        }
    }

    var promotedPurchases: Button {
        Button {
            Task {
                for await promoted in store.purchaseIntents {
                    _ = try? await promoted.purchase { purchase in unlock(purchase.productID) }
                }
            }
            Task {
                try await store.purchase("com.example.maps") { purchase in
                    let downloads = purchase.transaction.downloads
                    var changes = store.hostedContent.changes.makeAsyncIterator()
                    try await store.hostedContent.start(downloads)
                    var files: [StoreDownload.ID: URL] = [:]
                    while files.count < downloads.count, let download = await changes.next() {
                        if let error = download.error { throw error }
                        if downloads.contains(where: { $0.id == download.id }) {
                            files[download.id] = download.contentURL
                        }
                    }
                    try keep(Array(files.values))
                }
            }
        }
    }

    var access: Button {
        Button {
            Task {
                for await revocation in store.revocations {
                    let entitlements = await store.entitlements.current
                    for id in revocation.productIDs where !entitlements.contains(id) { lock(id) }
                }
            }
            Task {
                let weekly = "com.example.weekly"
                let entitlements = await store.entitlements.current
                if entitlements.contains(weekly) {
                    unlock(weekly)
                } else if entitlements.basis != .unknown {
                    lock(weekly)
                    if entitlements[weekly]?.state == .expired { show("Expired") }
                }
            }
            Task {
                for await entitlements in store.entitlements where entitlements.basis != .unknown {
                    if entitlements.contains("com.example.weekly") {
                        unlock("com.example.weekly")
                    } else {
                        lock("com.example.weekly")
                    }
                }
            }
            Task {
                try await store.purchase("com.example.weekly") { purchase in
                    unlock(purchase.productID)
                }
                let weekly = await store.entitlements.current["com.example.weekly"]
                if let end = weekly?.accessEndDate { show("Yours until \(end)") }
            }
        }
    }

    var receipts: Button {
        Button {
            Task {
                let receiptData = try store.receipt.data()
                let receiptString = receiptData.base64EncodedString()
                _ = receiptString
            }
            Task {
                let receiptData = try await store.receipt.data(refreshing: .always)
                _ = receiptData
            }
            Task {
                let verifier: LocalReceiptVerifier = .local(
                    bundleID: "com.example.app", environment: nil)
                _ = verifier
            }
            Task {
                do throws(StoreError) {
                    let receipt = try await store.receipt.verify(using: verifier)
                    print("\(receipt.transactions.count) purchases")
                } catch {
                    print("Verify receipt failed: \(error.message)")
                }
            }
            Task {
                struct ServerVerifier: ReceiptVerifier {
                    let server: Server

                    func verify(_ receiptData: Data) async throws -> Receipt {
                        try await server.verify(receiptData)
                    }
                }
                _ = ServerVerifier(server: server)
            }
        }
    }

    var questions: Button {
        Button {
            Task {
                let receipt = try await store.receipt.verify(using: verifier)
                if let purchase = receipt.latestValidTransaction(of: "com.example.pro") {
                    print("Bought on \(purchase.originalPurchaseDate)")
                } else {
                    print("Never bought, or refunded")
                }
            }
            Task {
                let receipt = try await store.receipt.verify(using: verifier)
                let status = receipt.subscriptionStatus(of: "com.example.weekly", at: .now)
                switch status.state {
                case .subscribed, .inGracePeriod: unlock("com.example.weekly")
                case .inBillingRetryPeriod: show("Check your payment method")
                default: lock("com.example.weekly")
                }
            }
            Task {
                let receipt = try await store.receipt.verify(using: verifier)
                let status = receipt.subscriptionStatus(
                    ofNonRenewing: ["com.example.pass"], duration: 3600 * 24 * 30, at: .now)
                if status.isEntitled { unlock("com.example.pass") }
                _ = status
            }
            Task {
                let receipt = try await store.receipt.verify(using: verifier)
                let status = receipt.subscriptionStatus(
                    of: ["com.example.weekly", "com.example.yearly"], at: .now)
                if status.isEntitled { unlock("magazine") }
                _ = status
            }
            Task {
                let receipt = try await store.receipt.verify(using: verifier)
                print("\(receipt.distinctProductIDs.sorted())")
                let statuses = receipt.subscriptionStatuses(at: .now)
                print("\(statuses.filter(\.isEntitled).count) active subscriptions")
                _ = statuses
            }
        }
    }
}
