#if !canImport(Darwin)
    package import AppStoreSimulator
    import StoreKit

    /// This package's StoreKit, over one launch of an app.
    package struct SystemStoreKit2: StoreKit2Environment {
        private let launch: SimulatedLaunch
        package let receipt: DeviceReceipt
        package let clock: any StoreClock

        /// Creates an environment over the simulated App Store of the process.
        package init() {
            self.init(launch: StoreKitSimulation.launch)
        }

        package init(launch: SimulatedLaunch, clock: any StoreClock = SystemStoreClock()) {
            self.launch = launch
            self.clock = clock
            receipt = DeviceReceipt(launch: launch)
        }

        package func listen(_ receive: @escaping @Sendable (StoreKit2Event) -> Void) -> StoreKit2Listening {
            launch.observe([.transactions, .storefronts, .intents, .statuses]) { [launch] update in
                switch update {
                case .transaction(let transaction):
                    receive(.transaction(StoreKit2SignedTransaction(StoreKit.Transaction.result(transaction, launch))))
                case .storefront(let storefront): receive(.storefront(AppStorefront(Storefront(storefront))))
                case .intent(let product, let offerID):
                    let product = Self.product(Product(product, launch: launch))
                    receive(.intent(product, offer: offerID.map { .winBack(id: $0) }))
                case .status: receive(.other(.entitlementsMayHaveChanged))
                case .message, .launchEnded: break
                }
            }
        }

        package func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product] {
            try await convertingErrors(during: "The request for products") {
                try uncancelledAnswer(try await Product.products(for: ids, launch: launch)).map { Self.product($0) }
            }
        }

        package func unfinished() async -> [StoreKit2SignedTransaction] {
            await Self.read(StoreKit.Transaction.unfinished(of: launch))
        }

        package func currentEntitlements() async -> [StoreKit2SignedTransaction] {
            await Self.read(StoreKit.Transaction.currentEntitlements(of: launch))
        }

        package func latest(_ productID: String) async -> StoreKit2SignedTransaction? {
            StoreKit.Transaction.latest(for: productID, launch: launch).map { StoreKit2SignedTransaction($0) }
        }

        package func statuses(_ groupID: String) async throws(StoreError) -> [StoreKit2Status] {
            try await convertingErrors(during: "Reading the subscriptions") {
                try Product.SubscriptionInfo.status(for: groupID, launch: launch).map { StoreKit2Status($0) }
            }
        }

        package func allTransactions() async -> [StoreKit2SignedTransaction] {
            await Self.read(StoreKit.Transaction.all(of: launch))
        }

        package func appTransaction() async throws(StoreError) -> String? {
            let result = try await convertingErrors(during: "Reading the app transaction") {
                try AppTransaction.shared(of: launch)
            }
            if case .unverified(_, let error) = result {
                throw .unverifiedAppTransaction(error.reason, underlying: error)
            }
            return result.jwsRepresentation
        }

        package func isEligibleForIntroductoryOffer(_ groupID: String) async -> Bool {
            Product.SubscriptionInfo.isEligibleForIntroOffer(for: groupID, launch: launch)
        }

        package var trust: HistoryTrust { HistoryTrust(launch) }

        package func sync() async throws(StoreError) {
            try await convertingErrors(during: "The restore") { try await AppStore.sync(of: launch) }
        }

        package var canMakePayments: Bool { launch.canMakePayments }

        package func storefront() async -> AppStorefront? { Storefront.current(of: launch).map { AppStorefront($0) } }

        package func messages(_ receive: @escaping @Sendable (StoreMessage) -> Void) -> StoreKit2Listening {
            launch.observeMessages { receive(StoreMessage(reason: .init(description: $0))) }
        }

        package func present(
            _ sheet: StoreSheet, in anchor: PresentationAnchor?
        ) async throws(StoreError) -> StoreKit2SignedTransaction? {
            try await convertingErrors(during: "The sheet") {
                switch sheet {
                case .codeRedemption:
                    return try await AppStore.presentOfferCodeRedeemSheet(in: launch).map {
                        StoreKit2SignedTransaction($0)
                    }
                case .subscriptionManagement(let groupID):
                    if let error = launch.store.behavior.subscriptionManagementError { throw StoreKitError(error) }
                    launch.present(.subscriptionManagement(groupID: groupID))
                case .refundRequest(let id):
                    try Self.conclude(
                        StoreKit.Transaction.beginRefundRequest(
                            for: try StoreSheet.number(ofTransaction: id), launch: launch))
                case .message(let message): launch.present(.message(reason: message.reason.description))
                case .priceConsent: throw StoreError.unsupported(sheet)
                }
                return nil
            }
        }

        private static func product(_ product: Product) -> StoreKit2Product {
            StoreKit2Product(product) { product, options, _ in try await product.purchase(with: options) }
        }
    }
#endif
