#if canImport(Darwin)
    import AppReceipt
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
                Task { for await result in StoreKit.Transaction.updates { receive(.transaction(result)) } },
                Task { for await _ in Product.SubscriptionInfo.Status.updates { receive(.status) } },
                Task { for await storefront in Storefront.updates { receive(.storefront(storefront)) } },
            ]
            if let activation = AppActivation.listen({ receive(.becameActive) }) { tasks.append(activation) }
            #if os(iOS) || os(macOS)
                if #available(iOS 16.4, macOS 14.4, macCatalyst 16.4, *) {
                    tasks.append(Task { for await intent in PurchaseIntent.intents { receive(Event(intent)) } })
                }
            #endif
            return Listening { [tasks] in tasks.forEach { $0.cancel() } }
        }

        private static var history: History {
            History(
                transactions: { await Self.read(StoreKit.Transaction.all) },
                app: { await Self.appTransaction() },
                isEligibleForIntroductoryOffer: { await Product.SubscriptionInfo.isEligibleForIntroOffer(for: $0) },
                trust: {
                    var trust = HistoryTrust.appStore
                    trust.deviceVerificationID = AppStore.deviceVerificationID
                    return trust
                })
        }

        /// The purchase of the app, if the device has it at hand: else the system may ask the network for it.
        private static func appTransaction() async -> SignedStatement<SignedPurchaseHistory.AppDownload>? {
            guard #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *) else { return nil }
            let text = Promise<String?>()
            let asking = Task {
                guard case .verified? = try? await AppTransaction.shared else { return text.fulfill(nil) }
                text.fulfill(try? await AppTransaction.shared.jwsRepresentation)
            }
            let limit = Task {
                try? await Task.sleep(nanoseconds: 300_000_000)
                text.fulfill(nil)
            }
            defer {
                asking.cancel()
                limit.cancel()
            }
            guard let text = await text.value() else { return nil }
            let info = try? SignedPayload.unverified(jws: text).appTransaction
            return SignedStatement(SignedPurchaseHistory.AppDownload(id: info?.appTransactionID), text: { text })
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
