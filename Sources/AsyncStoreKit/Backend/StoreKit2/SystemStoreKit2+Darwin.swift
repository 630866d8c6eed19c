#if canImport(Darwin)
    import Foundation
    import StoreKit

    extension HistoryTrust {
        /// The trust in Apple's roots, for the app and the device of this process.
        package static var process: HistoryTrust {
            HistoryTrust(.current, deviceVerificationID: AppStore.deviceVerificationID)
        }
    }

    /// The device's App Store.
    package struct SystemStoreKit2: StoreKit2Environment {
        private let heldMessages = SystemMessages()
        package let receipt: DeviceReceipt = .process
        package let clock: any StoreClock = SystemStoreClock()

        package init() {}

        package func listen(_ receive: @escaping @Sendable (StoreKit2Event) -> Void) -> StoreKit2Listening {
            var tasks = [
                observe(StoreKit.Transaction.updates) { receive(.transaction(StoreKit2SignedTransaction($0))) },
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
            return { [tasks] in tasks.forEach { $0.cancel() } }
        }

        package func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product] {
            try await convertingErrors(during: "The request for products") {
                try uncancelledAnswer(try await Product.products(for: ids)).map { Self.product($0) }
            }
        }

        package func unfinished() async -> [StoreKit2SignedTransaction] {
            await Self.read(StoreKit.Transaction.unfinished)
        }

        package func currentEntitlements() async -> [StoreKit2SignedTransaction] {
            await Self.read(StoreKit.Transaction.currentEntitlements)
        }

        package func latest(_ productID: String) async -> StoreKit2SignedTransaction? {
            await StoreKit.Transaction.latest(for: productID).map { StoreKit2SignedTransaction($0) }
        }

        package func statuses(_ groupID: String) async throws(StoreError) -> [StoreKit2Status] {
            try await convertingErrors(during: "Reading the subscriptions") {
                try await Product.SubscriptionInfo.status(for: groupID).map { StoreKit2Status($0) }
            }
        }

        package func allTransactions() async -> [StoreKit2SignedTransaction] {
            await Self.read(StoreKit.Transaction.all)
        }

        /// The system may ask the App Store for the app transaction, and the customer to sign in.
        package func appTransaction() async throws(StoreError) -> String? {
            try await convertingErrors(during: "The request for the app transaction") {
                guard #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *) else { return nil }
                let result = try await AppTransaction.shared
                if case .unverified(_, let error) = result {
                    throw StoreError.unverifiedAppTransaction(error.reason, underlying: error)
                }
                return result.jwsRepresentation
            }
        }

        package func isEligibleForIntroductoryOffer(_ groupID: String) async -> Bool {
            await Product.SubscriptionInfo.isEligibleForIntroOffer(for: groupID)
        }

        package var trust: HistoryTrust { .process }

        package func sync() async throws(StoreError) {
            try await convertingErrors(during: "The restore") { try await AppStore.sync() }
        }

        package var canMakePayments: Bool { AppStore.canMakePayments }

        package func storefront() async -> AppStorefront? { await Storefront.current.map { AppStorefront($0) } }

        package func messages(_ receive: @escaping @Sendable (StoreMessage) -> Void) -> StoreKit2Listening {
            heldMessages.startReceiving(receive)
        }

        package func present(
            _ sheet: StoreSheet, in anchor: PresentationAnchor?
        ) async throws(StoreError) -> StoreKit2SignedTransaction? {
            try await convertingErrors(during: "The sheet") {
                try await Self.present(sheet, in: anchor, heldMessages)
            }
        }

        private static func product(_ product: Product) -> StoreKit2Product {
            StoreKit2Product(product) { product, options, anchor in
                try await Self.purchase(product, options, in: anchor)
            }
        }
    }

    #if os(iOS) || os(macOS)
        extension SystemStoreKit2 {
            @available(iOS 16.4, macOS 14.4, *)
            private static func event(_ intent: PurchaseIntent) -> StoreKit2Event {
                guard #available(iOS 18, macOS 15, *), let offer = intent.offer, offer.type == .winBack else {
                    return .intent(product(intent.product), offer: nil)
                }
                return .intent(product(intent.product), offer: offer.id.map { .winBack(id: $0) })
            }
        }
    #endif
#endif
