import AsyncStoreKit
import Foundation
import Support

extension MigratedApp {
    func listen() -> Task<Void, Never> {
        Task {
            for await purchase in store.transactions {
                unlock(purchase.productID)
                await purchase.finish()
            }
        }
    }

    func retrieveProducts() async {
        do throws(StoreError) {
            let response = try await store.products(for: ["com.example.pro", "com.example.coins"])
            for product in response { print("\(product.displayName): \(product.displayPrice)") }
            for id in response.invalidProductIDs { print("Not for sale: \(id)") }
        } catch {
            print("Error: \(error.message)")
        }
    }

    func purchaseInClosure() async {
        do {
            let outcome = try await store.purchase("com.example.pro") { purchase in
                unlock(purchase.productID)
            }
            if case .pending = outcome { show("Waits for approval") }
        } catch {
            show(error.localizedDescription)
        }
    }

    func purchaseWithServer() async throws {
        try await store.purchase("com.example.coins", options: .init(quantity: 3)) { purchase in
            try await server.deliver(purchase)
        }
    }

    func purchaseByHand() async throws {
        switch try await store.purchase("com.example.coins") {
        case .success(let purchase):
            if !purchase.isHandledElsewhere { unlock(purchase.productID) }
            await purchase.finish()
        case .pending: show("Waits for approval")
        case .userCancelled: break
        }
    }

    func purchaseWithOffer() async throws {
        let offer = await server.sign("com.example.weekly", offer: "half-price")
        try await store.purchase("com.example.weekly", options: .init(offer: offer)) { purchase in
            unlock(purchase.productID)
        }
    }

    func cancelPurchase() async {
        let buying = Task { try await store.purchase("com.example.pro") { purchase in unlock(purchase.productID) } }
        buying.cancel()
        _ = await buying.result
    }

    func purchaseIntents() -> Task<Void, Never> {
        Task {
            for await promoted in store.purchaseIntents {
                _ = try? await promoted.purchase { purchase in unlock(purchase.productID) }
            }
        }
    }

    func restore() async {
        do throws(StoreError) {
            let restored = try await store.restore { purchase in unlock(purchase.productID) }
            if case .restored(let purchases) = restored, purchases.isEmpty { show("Nothing to restore") }
        } catch {
            show("Restore failed: \(error.message)")
        }
    }

    func restoreWithServer() async throws {
        try await store.restore { purchase in
            try await server.deliver(purchase, receipt: store.receipt.data())
        }
    }

    func downloadContent() async throws {
        try await store.purchase("com.example.maps") { purchase in
            let downloads = purchase.transaction.downloads
            var changes = store.hostedContent.changes.makeAsyncIterator()
            try await store.hostedContent.start(downloads)
            var files: [StoreDownload.ID: URL] = [:]
            while files.count < downloads.count, let download = await changes.next() {
                if let error = download.error { throw error }
                if downloads.contains(where: { $0.id == download.id }) { files[download.id] = download.contentURL }
            }
            try keep(Array(files.values))
        }
    }

    func revocations() -> Task<Void, Never> {
        Task {
            for await revocation in store.revocations {
                let entitlements = await store.entitlements.current
                for id in revocation.productIDs where !entitlements.contains(id) { lock(id) }
            }
        }
    }

    func callbacks() {
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
    }

    func installDelivery() {
        store.setDelivery { [server] request in
            do {
                for purchase in request.purchases { try await server.deliver(purchase) }
                return .accepted
            } catch {
                return .retryLater
            }
        }
    }
}
