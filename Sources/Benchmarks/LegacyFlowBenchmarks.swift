#if !canImport(Darwin)
    import AppStoreSimulator
    import AsyncStoreKit
    import Foundation
    import SwiftyStoreKit

    /// Measures the block API over a simulated App Store, whose cost is part of every figure. The goals are relative to
    /// SwiftyStoreKit 0.16.4 over the same queue.
    enum LegacyFlowBenchmarks {
        /// Measures and prints. Runs outside the main actor, because completions run on the main queue.
        @concurrent static func run() async {
            print("SwiftyStoreKit's calls, over a simulated App Store")
            for thread in [SimulatorBehavior.DeliveryThread.main, .background] {
                print("  reports arrive on the \(thread) thread")
                await Measurement(runs: 9, prepare: { await Stage(thread) }, { await $0.buyOneAfterTheOther(1_000) })
                    .report("purchases in sequence, 1 000", operations: 1_000, goal: "4 × the original")
                await Measurement(runs: 9, prepare: { await Stage(thread) }, { await $0.buyByIdentifier(1_000) })
                    .report("purchases by identifier, 1 000", operations: 1_000, goal: "4 × the original")
            }
            await Measurement(runs: 3, prepare: { await Stage(owning: 20_000) }, { await $0.restore() })
                .report("a restore of 20 000", operations: 20_000, goal: "4 × the original")
        }

        /// Compares a purchase with the same purchase over the simulated queue alone. Reports arrive on the main
        /// thread, as on devices.
        static func comparison() async -> RatioCheck.Comparison? {
            RatioCheck.Comparison(
                name: "a purchase with SwiftyStoreKit", base: "one with the simulated queue alone",
                recorded: RecordedRatios.blockPurchase,
                rounds: 9,
                cost: {
                    let stage = await Stage(.main)
                    return await RatioCheck.cost(of: 5_000) { await stage.buyOneAfterTheOther(5_000) }
                },
                baseCost: {
                    let app = BareApp(Stage.appStore(products: 1, kind: .consumable, .main))
                    return await RatioCheck.cost(of: 5_000) { await app.buyOneAfterTheOther(5_000) }
                })
        }
    }

    /// Takes steps on the main queue, each when the former one calls its argument.
    private func chain(_ count: Int, _ step: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func next(_ left: Int) {
                guard left > 0 else { return continuation.resume() }
                step { next(left - 1) }
            }
            DispatchQueue.main.async { next(count) }
        }
    }

    /// An app that uses nothing but the simulated payment queue, and finishes every transaction.
    private final class BareApp: SimulatedQueueObserver {
        private struct State: Sendable {
            var purchased: (@Sendable () -> Void)?
        }

        private let launch: SimulatedLaunch
        private let state = Locked(State())

        init(_ appStore: SimulatedAppStore) {
            launch = appStore.launch()
            launch.add(self)
        }

        func buyOneAfterTheOther(_ count: Int) async {
            await chain(count) { [launch, state] finished in
                state.withLock { $0.purchased = finished }
                launch.add(SimulatedPayment(productID: "product-0"))
            }
            withExtendedLifetime(self) {}
        }

        func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent) {
            guard case .updatedTransactions(let transactions) = event else { return }
            for transaction in transactions where transaction.state == .purchased {
                launch.finishTransaction(transaction.id)
                state.withLock { $0.purchased }?()
            }
        }

        func paymentQueue(
            _ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct
        ) -> Bool { true }

        func paymentQueue(
            _ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction,
            in storefront: SimulatedStorefront
        ) -> Bool { true }
    }

    /// An app that uses the block API over a simulated App Store.
    private struct Stage: Sendable {
        private let appStore: SimulatedAppStore
        private let legacy: LegacyStore
        /// Buys an item, and calls the closure after the completion was called.
        private let purchase: @Sendable (@escaping @Sendable () -> Void) -> Void

        init(_ thread: SimulatorBehavior.DeliveryThread) async {
            appStore = Self.appStore(products: 1, kind: .consumable, thread)
            legacy = Self.launch(appStore)
            let legacy = legacy
            purchase = await withCheckedContinuation { continuation in
                _ = legacy.retrieveProductsInfo(["product-0"]) { results in
                    let product = results.retrievedProducts.first
                    continuation.resume { finished in
                        guard let product else { return finished() }
                        legacy.purchaseProduct(product) { _ in finished() }
                    }
                }
            }
        }

        /// Creates an app whose customer owns delivered non-consumables.
        /// - Parameter count: The number of non-consumables.
        init(owning count: Int) async {
            appStore = Self.appStore(products: count, kind: .nonConsumable, .background)
            for number in 0..<count { try? appStore.buyProduct(productID: "product-\(number)") }
            let first = Self.launch(appStore)
            first.completeTransactions { _ in }
            while let left = try? await first.store.diagnostics().held.count,
                appStore.allTransactions().contains(where: { !$0.isFinished })
            {
                await appStore.waitUntilIdle()
                if left == 0 { await Self.mainQueue() }
            }
            legacy = Self.launch(appStore)
            purchase = { $0() }
        }

        static func appStore(
            products count: Int, kind: SimulatedProduct.Kind, _ thread: SimulatorBehavior.DeliveryThread
        ) -> SimulatedAppStore {
            let appStore = SimulatedAppStore(
                catalog: SimulatedCatalog(
                    products: (0..<count).map { SimulatedProduct(productID: "product-\($0)", kind: kind, price: 1) }))
            appStore.behavior.signsReceipts = false
            appStore.behavior.deliveryThread = thread
            return appStore
        }

        private static func launch(_ appStore: SimulatedAppStore) -> LegacyStore {
            LegacyStore(
                backend: StoreKit1Backend(environment: StoreKit1Environment(launch: appStore.launch())),
                configuration: StoreConfiguration()
            )
        }

        private static func mainQueue() async {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        }

        func buyOneAfterTheOther(_ count: Int) async {
            await chain(count, purchase)
        }

        func buyByIdentifier(_ count: Int) async {
            await chain(count) { [legacy] finished in _ = legacy.purchaseProduct("product-0") { _ in finished() } }
        }

        func restore() async {
            await withCheckedContinuation { continuation in legacy.restorePurchases { _ in continuation.resume() } }
        }
    }
#else
    /// The block API is measured only over the simulated App Store, which replaces StoreKit on other platforms.
    enum LegacyFlowBenchmarks {
        static func comparison() async -> RatioCheck.Comparison? { nil }

        /// Prints that there are no measurements.
        static func run() async { print("SwiftyStoreKit's calls are measured over a simulated App Store, on Linux.") }
    }
#endif
