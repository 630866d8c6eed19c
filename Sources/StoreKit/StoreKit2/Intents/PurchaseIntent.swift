package import AppStoreSimulator

/// A purchase that the customer has started in the App Store, for the app to make.
public struct PurchaseIntent: Identifiable, Equatable, Sendable {
    /// The type of the identifier.
    public typealias ID = Product.ID

    /// The product.
    public let product: Product
    /// The win-back offer with which the customer wants to buy.
    public let offer: Product.SubscriptionOffer?

    /// The product's identifier.
    public var id: Product.ID { product.id }

    /// The purchases that the customer starts. Whoever listens gets what came before, too.
    public static var intents: PurchaseIntent.PurchaseIntents {
        intents(of: StoreKitSimulation.currentLaunch)
    }

    /// The purchases that the customer starts during one launch.
    package static func intents(of launch: SimulatedLaunch) -> PurchaseIntents {
        PurchaseIntents(launch: launch)
    }
}

extension PurchaseIntent {
    /// Purchases, as the customer starts them. Whoever makes an iterator listens from then on.
    public struct PurchaseIntents: AsyncSequence {
        /// What comes.
        public typealias Element = PurchaseIntent

        fileprivate let launch: SimulatedLaunch

        /// Walks through what comes.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// What comes.
            public typealias Element = PurchaseIntent.PurchaseIntents.Element

            fileprivate var base: AsyncStream<PurchaseIntent>.Iterator

            /// Waits for the next one; `nil` when the task is cancelled.
            public mutating func next() async -> PurchaseIntent.PurchaseIntents.Element? {
                await base.next(isolation: #isolation)
            }
        }

        /// Listens from now on.
        public func makeAsyncIterator() -> PurchaseIntent.PurchaseIntents.AsyncIterator {
            let launch = launch
            let stream: AsyncStream<PurchaseIntent> = launch.stream(of: .intents) { update in
                guard case .intent(let simulated, let offerID) = update else { return nil }
                let product = Product(simulated, launch: launch)
                let offer = product.subscription?.winBackOffers.first { $0.id == offerID && offerID != nil }
                return PurchaseIntent(product: product, offer: offer)
            }
            return AsyncIterator(base: stream.makeAsyncIterator())
        }
    }
}
