#if !canImport(Darwin)
    package import AppStoreSimulator
    import StoreKit

    extension StoreKit2Environment {
        /// The simulated App Store of the process.
        package static var process: StoreKit2Environment {
            StoreKit2Environment(launch: StoreKitSimulation.launch)
        }

        /// Creates an environment over one launch of an app.
        package init(launch: SimulatedLaunch, clock: any StoreClock = SystemStoreClock()) {
            self.init(
                listen: { receive in Self.listen(to: launch, receive) },
                products: { (ids) async throws(StoreError) in
                    try await convertingErrors(during: "The request for products") {
                        try Self.uncancelledAnswer(try await Product.products(for: ids, launch: launch))
                            .map { Self.product($0) }
                    }
                },
                unfinished: { await Self.read(StoreKit.Transaction.unfinished(of: launch)) },
                currentEntitlements: { await Self.read(StoreKit.Transaction.currentEntitlements(of: launch)) },
                latest: { id in
                    await uncancelled {
                        StoreKit.Transaction.latest(for: id, launch: launch).map { StoreKit2Statement($0) }
                    }
                },
                statuses: { (id) async throws(StoreError) in
                    try await uncancelled { () async throws(StoreError) in
                        try await convertingErrors(during: "Reading the subscriptions") {
                            try Product.SubscriptionInfo.status(for: id, launch: launch).map { StoreKit2Status($0) }
                        }
                    }
                },
                history: Self.history(of: launch),
                sync: { () async throws(StoreError) in
                    try await convertingErrors(during: "The restore") { try await AppStore.sync(of: launch) }
                },
                canMakePayments: { launch.canMakePayments },
                storefront: { Storefront.current(of: launch).map { AppStorefront($0) } },
                messages: { receive in
                    Listening(end: launch.observeMessages { receive(StoreMessage(reason: .init(description: $0))) })
                },
                receipt: DeviceReceipt(launch: launch),
                present: { (sheet, _) async throws(StoreError) in
                    try await convertingErrors(during: "The sheet") { try await Self.present(sheet, in: launch) }
                },
                clock: clock)
        }

        private static func product(_ product: Product) -> StoreKit2Product {
            StoreKit2Product(product) { product, options, _ in try await product.purchase(with: options) }
        }

        private static func history(of launch: SimulatedLaunch) -> History {
            History(
                transactions: { await Self.read(StoreKit.Transaction.all(of: launch)) },
                app: { () async throws(StoreError) in
                    let result = AppTransaction.shared(of: launch)
                    if case .unverified(_, let error) = result {
                        throw .unverifiedAppTransaction(error.reason, underlying: error)
                    }
                    return result.jwsRepresentation
                },
                isEligibleForIntroductoryOffer: { id in
                    await uncancelled { Product.SubscriptionInfo.isEligibleForIntroOffer(for: id, launch: launch) }
                },
                trust: { HistoryTrust(launch) })
        }

        private static func listen(to launch: SimulatedLaunch, _ receive: @escaping @Sendable (Event) -> Void)
            -> Listening
        {
            let end = launch.observe([.transactions, .storefronts, .intents, .statuses]) { update in
                switch update {
                case .transaction(let transaction):
                    receive(.transaction(StoreKit2Statement(StoreKit.Transaction.result(transaction, launch))))
                case .storefront(let storefront): receive(.storefront(AppStorefront(Storefront(storefront))))
                case .intent(let product, let offerID):
                    let product = Self.product(Product(product, launch: launch))
                    receive(.intent(product, offer: offerID.map { .winBack(id: $0) }))
                case .status: receive(.other(.entitlementsMayHaveChanged))
                case .message, .launchEnded: break
                }
            }
            return Listening(end: end)
        }

        private static func present(
            _ sheet: StoreSheet, in launch: SimulatedLaunch
        ) async throws -> StoreKit2Statement? {
            switch sheet {
            case .codeRedemption:
                return try await AppStore.presentOfferCodeRedeemSheet(in: launch).map { StoreKit2Statement($0) }
            case .subscriptionManagement(let groupID): launch.present(.subscriptionManagement(groupID: groupID))
            case .refundRequest(let id):
                try conclude(
                    StoreKit.Transaction.beginRefundRequest(
                        for: try StoreSheet.number(ofTransaction: id), launch: launch))
            case .message(let message): launch.present(.message(reason: message.reason.description))
            case .priceConsent: throw StoreError.unsupported(sheet)
            }
            return nil
        }
    }
#endif
