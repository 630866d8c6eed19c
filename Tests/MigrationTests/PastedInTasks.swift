import AsyncStoreKit
import Foundation

extension MigratedApp {
    /// The guide's code that needs no task, as a developer pastes it into one. Nothing runs this function.
    func pasteInTasks() {
        Task {
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
        Task {
            Task {
                for await purchase in store.transactions {
                    unlock(purchase.productID)
                    await purchase.finish()
                }
            }
        }
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
        Task {
            Task {
                for await promoted in store.purchaseIntents {
                    _ = try? await promoted.purchase { purchase in unlock(purchase.productID) }
                }
            }
        }
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
