#if canImport(Darwin)
    import Foundation
    import StoreKit

    extension HistoryTrust {
        /// The trust in Apple's roots, for the app and the device of this process.
        package static var process: HistoryTrust {
            HistoryTrust(.current, deviceVerificationID: AppStore.deviceVerificationID)
        }
    }

    extension StoreKit2Environment {
        /// The device's App Store.
        package static var process: StoreKit2Environment {
            let messages = SystemMessages()
            return StoreKit2Environment(
                listen: { receive in Self.listen(receive) },
                products: { (ids) async throws(StoreError) in
                    try await convertingErrors(during: "The request for products") {
                        try Self.uncancelledAnswer(try await Product.products(for: ids)).map { Self.product($0) }
                    }
                },
                unfinished: { await Self.read(StoreKit.Transaction.unfinished) },
                currentEntitlements: { await Self.read(StoreKit.Transaction.currentEntitlements) },
                latest: { id in
                    await uncancelled { await StoreKit.Transaction.latest(for: id).map { StoreKit2Statement($0) } }
                },
                statuses: { (id) async throws(StoreError) in
                    try await uncancelled { () async throws(StoreError) in
                        try await convertingErrors(during: "Reading the subscriptions") {
                            try await Product.SubscriptionInfo.status(for: id).map { StoreKit2Status($0) }
                        }
                    }
                },
                history: Self.history,
                sync: { () async throws(StoreError) in
                    try await convertingErrors(during: "The restore") { try await AppStore.sync() }
                },
                canMakePayments: { AppStore.canMakePayments },
                storefront: { await Storefront.current.map { AppStorefront($0) } },
                messages: { receive in messages.startReceiving(receive) },
                receipt: .process,
                present: { (sheet, anchor) async throws(StoreError) in
                    try await convertingErrors(during: "The sheet") {
                        try await Self.present(sheet, in: anchor, messages)
                    }
                },
                clock: SystemStoreClock())
        }

        private static func product(_ product: Product) -> StoreKit2Product {
            StoreKit2Product(product) { product, options, anchor in
                try await Self.purchase(product, options, in: anchor)
            }
        }

        private static func listen(_ receive: @escaping @Sendable (Event) -> Void) -> Listening {
            var tasks = [
                observe(StoreKit.Transaction.updates) { receive(.transaction(StoreKit2Statement($0))) },
                observe(Product.SubscriptionInfo.Status.updates) { _ in
                    receive(.other(.entitlementsMayHaveChanged))
                },
                observe(Storefront.updates) { receive(.storefront(AppStorefront($0))) },
            ]
            #if os(iOS) || os(macOS)
                if #available(iOS 16.4, macOS 14.4, macCatalyst 16.4, *) {
                    tasks.append(observe(PurchaseIntent.intents) { receive(Self.event($0)) })
                }
            #endif
            return Listening { [tasks] in tasks.forEach { $0.cancel() } }
        }

        private static var history: History {
            History(
                transactions: { await Self.read(StoreKit.Transaction.all) },
                app: { () async throws(StoreError) in
                    try await convertingErrors(during: "The request for the app transaction") {
                        try await Self.appTransaction()
                    }
                },
                isEligibleForIntroductoryOffer: { id in
                    await uncancelled { await Product.SubscriptionInfo.isEligibleForIntroOffer(for: id) }
                },
                trust: { .process })
        }

        /// The signed app transaction. The system may ask the App Store for it, and the customer to sign in.
        private static func appTransaction() async throws -> String? {
            guard #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *) else { return nil }
            let result = try await AppTransaction.shared
            if case .unverified(_, let error) = result {
                throw StoreError.unverifiedAppTransaction(error.reason, underlying: error)
            }
            return result.jwsRepresentation
        }
    }

    #if os(iOS) || os(macOS)
        extension StoreKit2Environment {
            @available(iOS 16.4, macOS 14.4, *)
            private static func event(_ intent: PurchaseIntent) -> Event {
                guard #available(iOS 18, macOS 15, *), let offer = intent.offer, offer.type == .winBack else {
                    return .intent(product(intent.product), offer: nil)
                }
                return .intent(product(intent.product), offer: offer.id.map { .winBack(id: $0) })
            }
        }
    #endif
#endif
