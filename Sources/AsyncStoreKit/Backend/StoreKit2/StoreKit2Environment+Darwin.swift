#if canImport(Darwin)
    import Foundation
    import StoreKit

    extension StoreKit2Environment {
        /// The device's App Store.
        package static var process: StoreKit2Environment {
            let messages = HeldMessages()
            return StoreKit2Environment(
                listen: { receive in Self.listen(receive) },
                products: { try await Product.products(for: $0) },
                purchase: { product, options, anchor in try await Self.purchase(product, options, in: anchor) },
                unfinished: { await Self.read(StoreKit.Transaction.unfinished) },
                currentEntitlements: { await Self.read(StoreKit.Transaction.currentEntitlements) },
                latest: { await StoreKit.Transaction.latest(for: $0) },
                statuses: { try await Product.SubscriptionInfo.status(for: $0) },
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
                Task { for await result in StoreKit.Transaction.updates { receive(.transaction(result)) } },
                Task { for await storefront in Storefront.updates { receive(.storefront(storefront)) } },
            ]
            if let name = activation {
                tasks.append(Task { for await _ in NotificationCenter.default.notifications(named: name) { receive(.becameActive) } })
            }
            #if os(iOS) || os(macOS)
                if #available(iOS 16.4, macOS 14.4, macCatalyst 16.4, *) {
                    tasks.append(Task { for await intent in PurchaseIntent.intents { receive(Event(intent)) } })
                }
            #endif
            return Listening { [tasks] in tasks.forEach { $0.cancel() } }
        }

        /// The notification by name: the frameworks that have it are not for libraries that show nothing.
        private static var activation: Notification.Name? {
            #if os(macOS)
                Notification.Name("NSApplicationDidBecomeActiveNotification")
            #elseif os(watchOS)
                Notification.Name("WKApplicationDidBecomeActiveNotification")
            #else
                Notification.Name("UIApplicationDidBecomeActiveNotification")
            #endif
        }

        /// Read where no caller can cancel it: a task that is cancelled reads nothing.
        private static func read(_ transactions: StoreKit.Transaction.Transactions) async -> [VerificationResult<StoreKit.Transaction>] {
            await Task {
                var results: [VerificationResult<StoreKit.Transaction>] = []
                for await result in transactions { results.append(result) }
                return results
            }.value
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
