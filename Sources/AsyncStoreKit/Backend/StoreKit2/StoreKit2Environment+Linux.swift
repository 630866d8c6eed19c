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
                products: { try Self.uncancelledAnswer(try await Product.products(for: $0, launch: launch)) },
                purchase: { product, options, _ in try await product.purchase(with: options) },
                unfinished: { await Self.read(StoreKit.Transaction.unfinished(of: launch)) },
                finish: { await $0.finish() },
                currentEntitlements: { await Self.read(StoreKit.Transaction.currentEntitlements(of: launch)) },
                latest: { id in await uncancelled { StoreKit.Transaction.latest(for: id, launch: launch) } },
                statuses: { id in
                    try await uncancelled { try Product.SubscriptionInfo.status(for: id, launch: launch) }
                },
                history: Self.history(of: launch),
                sync: { try await AppStore.sync(of: launch) },
                canMakePayments: { launch.canMakePayments },
                storefront: { Storefront.current(of: launch) },
                messages: { receive in Self.takeMessages(of: launch, receive) },
                receipt: DeviceReceipt(launch: launch),
                present: { sheet, _ in try Self.present(sheet, in: launch) },
                clock: clock)
        }

        private static func history(of launch: SimulatedLaunch) -> History {
            History(
                transactions: { await Self.read(StoreKit.Transaction.all(of: launch)) },
                app: {
                    let result = AppTransaction.shared(of: launch)
                    if case .unverified(_, let error) = result { throw StoreError.unverifiedAppTransaction(error) }
                    return result.jwsRepresentation
                },
                isEligibleForIntroductoryOffer: { id in
                    await uncancelled { Product.SubscriptionInfo.isEligibleForIntroOffer(for: id, launch: launch) }
                },
                trust: { HistoryTrust(launch) })
        }

        private static func listen(to launch: SimulatedLaunch, _ receive: @escaping @Sendable (Event) -> Void) -> Listening {
            let listeners = [SimulatedUpdate.Kind.transactions, .storefronts, .intents, .statuses].map { kind in
                launch.listen(to: kind) { update in
                    switch update {
                    case .transaction(let transaction): receive(.transaction(StoreKit.Transaction.result(transaction, launch)))
                    case .storefront(let storefront): receive(.storefront(Storefront(storefront)))
                    case .intent(let product, let offerID):
                        receive(.intent(Product(product, launch: launch), winBackOfferID: offerID))
                    case .status: receive(.status)
                    case .message, .launchEnded: break
                    }
                }
            }
            return Listening { listeners.forEach(launch.stopListening) }
        }

        private static func takeMessages(
            of launch: SimulatedLaunch, _ receive: @escaping @Sendable (StoreMessage) -> Void
        ) -> Listening {
            let listener = launch.listen(to: .messages) { update in
                if case .message(let message) = update { receive(StoreMessage(reason: StoreMessage.Reason(description: "\(message)"))) }
            }
            return Listening { launch.stopListening(listener) }
        }

        private static func present(_ sheet: StoreSheet, in launch: SimulatedLaunch) throws {
            switch sheet {
            case .codeRedemption: launch.presentCodeRedemptionSheet()
            case .subscriptionManagement(let groupID): launch.present(.subscriptionManagement(groupID: groupID))
            case .refundRequest(let transaction):
                try conclude(StoreKit.Transaction.beginRefundRequest(for: try transaction.number(), launch: launch))
            case .message(let message): launch.present(.message(reason: message.reason.description))
            case .priceConsent: throw StoreError.unsupported(sheet)
            }
        }
    }
#endif
