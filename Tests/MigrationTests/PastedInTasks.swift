import AsyncStoreKit
import Foundation

/// The guide's code that needs no task, as a developer pastes it into one. Nothing runs these functions.
extension MigratedApp {
    func callbacksInTask() {
        Task {
            let call = store.callbacks.purchase("com.example.coins") { [self] result in
                switch result {
                case .success(.success(let purchase)):
                    unlock(purchase.productID)
                    store.callbacks.finish(purchase.transaction)
                case .success(.pending): show("Waits for approval")
                case .success(.userCancelled): break
                case .failure(let error): show(error.localizedDescription)
                }
            }
            _ = call
        }
    }

    func listenInTask() {
        Task {
            Task {
                for await purchase in store.transactions {
                    unlock(purchase.productID)
                    await purchase.finish()
                }
            }
        }
    }

    func installDeliveryInTask() {
        Task {
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

    func purchaseIntentsInTask() {
        Task {
            Task {
                for await promoted in store.purchaseIntents {
                    _ = try? await promoted.purchase { purchase in unlock(purchase.productID) }
                }
            }
        }
    }

    func revocationsInTask() {
        Task {
            Task {
                for await revocation in store.revocations {
                    let entitlements = await store.entitlements.current
                    for id in revocation.productIDs where !entitlements.contains(id) { lock(id) }
                }
            }
        }
    }
}
