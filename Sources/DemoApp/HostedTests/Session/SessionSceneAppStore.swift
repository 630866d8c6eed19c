#if canImport(StoreKitTest) && !(SWIFT_PACKAGE && canImport(Darwin))
    import AsyncStoreKit
    import Foundation
    import StoreKit
    import StoreKitTest

    /// The App Store of a StoreKit Test session: Apple's, or on Linux this package's simulated one.
    @available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
    final class SessionSceneAppStore: SceneAppStore {
        private let session: SKTestSession
        private let engine: StoreEngine

        /// Starts a session. The state of a session outlives the process, so everything is reset first.
        init(contentsOf url: URL, engine: StoreEngine) throws {
            session = try SKTestSession(contentsOf: url)
            session.resetToDefaultState()
            session.clearTransactions()
            session.disableDialogs = true
            self.engine = engine
        }

        func launch() async throws -> PurchaseStore {
            ScenePlatform.store(engine, over: session)
        }

        func settle(_ store: PurchaseStore, _ recorder: SceneRecorder, expecting events: [SceneEvent]) async throws {
            try await ScenePlatform.settle(store, recorder, expecting: events, over: engine)
        }

        func perform(_ control: SceneControl) async throws {
            switch control {
            case .askToBuy(let isOn): session.askToBuyEnabled = isOn
            case .interruptPurchases(let isOn): session.interruptedPurchasesEnabled = isOn
            case .gracePeriod(let isOn): session.billingGracePeriodIsEnabled = isOn
            case .billingRetry(let isOn): session.shouldEnterBillingRetryOnRenewal = isOn
            // No scene removes a simulated error: removing one fails on macOS 26.6. The next session resets the error.
            case .cancelNextPurchase:
                try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
            case .failProductRequests:
                try await session.setSimulatedError(
                    .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
            case .approve(let id):
                let request = try transaction(of: id, "that waits for approval") { $0.pendingAskToBuyConfirmation }
                try session.approveAskToBuyTransaction(identifier: request)
            case .decline(let id):
                let request = try transaction(of: id, "that waits for approval") { $0.pendingAskToBuyConfirmation }
                try session.declineAskToBuyTransaction(identifier: request)
            case .resolve(let id):
                let transaction = try transaction(of: id, "with a problem") { $0.hasPurchaseIssue }
                try session.resolveIssueForTransaction(identifier: transaction)
            case .refund(let id):
                let transaction = try transaction(of: id, "that was paid") { $0.state == .purchased }
                try session.refundTransaction(identifier: transaction)
            case .turnOffRenewal(let id):
                let transaction = try transaction(of: id, "that renews") { $0.autoRenewingEnabled }
                try session.disableAutoRenewForTransaction(identifier: transaction)
            case .renew(let id): try session.forceRenewalOfSubscription(productIdentifier: id)
            case .expire(let id): try session.expireSubscription(productIdentifier: id)
            case .buyElsewhere(let id): try await session.buyProduct(identifier: id)
            case .redeemCode(let code, let id):
                try await session.buyProduct(identifier: id, options: [.codeOffer(referenceName: code)])
            case .promote(let id): try await ScenePlatform.promote(id, in: session)
            case .storefront(let code): session.storefront = code
            }
        }

        /// Returns the identifier of the newest transaction of a product.
        private func transaction(
            of productID: String, _ state: String, _ isWanted: (SKTestTransaction) -> Bool
        ) throws -> UInt {
            let transactions = session.allTransactions().filter { $0.productIdentifier == productID && isWanted($0) }
            guard let newest = transactions.max(by: { $0.purchaseDate < $1.purchaseDate }) else {
                throw SceneControlUnavailable(description: "The session has no transaction of \(productID) \(state).")
            }
            return newest.identifier
        }
    }
#endif
