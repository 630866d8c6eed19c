#if canImport(Darwin)
    import Foundation
    import StoreKit

    extension StoreKit2Environment {
        /// The device's App Store.
        package static var process: StoreKit2Environment {
            let messages = HeldMessages()
            return StoreKit2Environment(
                listen: { receive in Self.listen(receive) },
                products: { try Self.uncancelledAnswer(try await Product.products(for: $0)) },
                purchase: { product, options, anchor in try await Self.purchase(product, options, in: anchor) },
                unfinished: { await Self.read(StoreKit.Transaction.unfinished) },
                finish: { await $0.finish() },
                currentEntitlements: { await Self.read(StoreKit.Transaction.currentEntitlements) },
                latest: { id in await uncancelled { await StoreKit.Transaction.latest(for: id) } },
                statuses: { id in try await uncancelled { try await Product.SubscriptionInfo.status(for: id) } },
                history: Self.history,
                sync: { try await AppStore.sync() },
                canMakePayments: { AppStore.canMakePayments },
                storefront: { await Storefront.current },
                messages: { receive in messages.take(receive) },
                receipt: .process,
                present: { sheet, anchor in try await Self.present(sheet, in: anchor, messages) },
                clock: SystemStoreClock())
        }

        private static func listen(_ receive: @escaping @Sendable (Event) -> Void) -> Listening {
            var tasks = [
                observe(StoreKit.Transaction.updates) { receive(.transaction($0)) },
                observe(Product.SubscriptionInfo.Status.updates) { _ in receive(.status) },
                observe(Storefront.updates) { receive(.storefront($0)) },
            ]
            #if os(iOS) || os(macOS)
                if #available(iOS 16.4, macOS 14.4, macCatalyst 16.4, *) {
                    tasks.append(observe(PurchaseIntent.intents) { receive(Event($0)) })
                }
            #endif
            return Listening { [tasks] in tasks.forEach { $0.cancel() } }
        }

        private static var history: History {
            History(
                transactions: { await Self.read(StoreKit.Transaction.all) },
                app: { try await Self.appTransaction() },
                isEligibleForIntroductoryOffer: { id in
                    await uncancelled { await Product.SubscriptionInfo.isEligibleForIntroOffer(for: id) }
                },
                trust: {
                    var trust = HistoryTrust.appStore
                    trust.deviceVerificationID = AppStore.deviceVerificationID
                    return trust
                })
        }

        /// The signed app transaction. The system may ask the App Store for it, and the customer to sign in.
        private static func appTransaction() async throws -> String? {
            guard #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *) else { return nil }
            let result = try await AppTransaction.shared
            if case .unverified(_, let error) = result { throw StoreError.unverifiedAppTransaction(error) }
            return result.jwsRepresentation
        }

    }

    #if os(iOS) || os(macOS)
        @available(iOS 16.4, macOS 14.4, *)
        extension StoreKit2Environment.Event {
            fileprivate init(_ intent: PurchaseIntent) {
                guard #available(iOS 18, macOS 15, *), let offer = intent.offer, offer.type == .winBack else {
                    self = .intent(intent.product, winBackOfferID: nil)
                    return
                }
                self = .intent(intent.product, winBackOfferID: offer.id)
            }
        }
    #endif
#endif
