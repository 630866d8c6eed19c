#if !canImport(Darwin)
    import AppStoreSimulator
    import AsyncStoreKit
    import Dispatch
    import Foundation
    import StoreKit
    import SwiftyStoreKit

    /// A command-line tool without a run loop: its main thread waits on a semaphore for each completion.
    @main
    enum ParkedMainThread {
        /// How long the main thread waits for a completion, in seconds.
        private static let patience = 8.0

        static func main() throws {
            waitLikeApp()
            let store = SimulatedAppStore(
                catalog: SimulatedCatalog(
                    products: ["coins", "pro"].map { SimulatedProduct(productID: $0, kind: .nonConsumable, price: 1) }))
            store.behavior.signsReceipts = false
            store.behavior.deliveryThread = .background
            try StoreKitSimulation.install(store)
            let legacy = SwiftyStoreKit.legacy
            park("unfinished") { proceed in
                legacy.completeTransactions { proceed($0.map(\.productId).joined()) }
                try? store.buyProduct(productID: "pro")
            }
            park("products") { proceed in
                _ = legacy.retrieveProductsInfo(["coins"]) {
                    proceed($0.retrievedProducts.map(\.productIdentifier).joined())
                }
            }
            park("purchase") { proceed in
                _ = legacy.purchaseProduct("coins") { result in
                    if case .success(let purchase) = result { proceed(purchase.productId) } else { proceed("nothing") }
                }
            }
            park("restore") { proceed in
                legacy.restorePurchases { proceed($0.restoreFailedPurchases.isEmpty ? "done" : "failed") }
            }
        }

        /// Blocks the main thread several times as long as a tool's may be blocked, as an app may during its launch,
        /// and then serves the main queue.
        private static func waitLikeApp() {
            let completions = Locked<[String]>([])
            for (name, blockedAfter) in [("tool", 0.05), ("app", nil)] as [(String, TimeInterval?)] {
                let queue = CompletionQueue(blockedAfter: blockedAfter)
                let isCalled = DispatchSemaphore(value: 0)
                queue.enqueue {
                    completions.withLock { $0.append("\(name), on the main thread: \(Thread.isMainThread)") }
                    isCalled.signal()
                }
                // The tool waits for its completion. The app is busy, and its completion isn't called meanwhile.
                if isCalled.wait(timeout: .now() + (blockedAfter == nil ? 0.5 : patience)) == .timedOut {
                    completions.withLock { $0.append("\(name) is launching") }
                    while completions.withLock({ $0.count }) < 3 { RunLoop.main.run(until: Date() + 0.01) }
                }
            }
            for line in completions.withLock({ $0 }) { print(line) }
        }

        /// Blocks the main thread until a completion has called `proceed`, and prints the result.
        private static func park(_ name: String, _ call: (@escaping @Sendable (String) -> Void) -> Void) {
            let end = DispatchSemaphore(value: 0)
            let text = Locked("")
            call { result in
                text.withLock { $0 = "\(result), on the main thread: \(Thread.isMainThread)" }
                end.signal()
            }
            let isOver = end.wait(timeout: .now() + patience) == .success
            print("\(name): \(isOver ? text.withLock { $0 } : "no completion")")
        }
    }
#endif
