package import AppStoreSimulator

/// A purchase that the customer started in the App Store and the app completes.
public struct PurchaseIntent: Identifiable, Equatable, Sendable {
    /// The type of the identifier.
    public typealias ID = Product.ID

    /// The product.
    public let product: Product
    /// The win-back offer that the customer selected, if any.
    public let offer: Product.SubscriptionOffer?

    /// The product's identifier.
    public var id: Product.ID { product.id }

    /// The purchases that the customer starts. The sequence begins with earlier elements.
    public static var intents: PurchaseIntent.PurchaseIntents {
        intents(of: StoreKitSimulation.currentLaunch)
    }

    /// Returns the purchases that the customer starts during one launch.
    package static func intents(of launch: SimulatedLaunch) -> PurchaseIntents {
        PurchaseIntents(launch: launch)
    }
}

extension PurchaseIntent {
    /// A sequence of the purchases that the customer starts. Observation starts when an iterator is created.
    public struct PurchaseIntents: AsyncSequence {
        /// The type of the elements.
        public typealias Element = PurchaseIntent

        fileprivate let launch: SimulatedLaunch

        /// An iterator that waits for the next element.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// The type of the elements.
            public typealias Element = PurchaseIntent.PurchaseIntents.Element

            fileprivate var base: AsyncStream<PurchaseIntent>.Iterator

            /// Waits for the next element. Returns `nil` if the task is canceled.
            public mutating func next() async -> PurchaseIntent.PurchaseIntents.Element? {
                await base.next(isolation: #isolation)
            }
        }

        /// Returns an iterator that observes events from now on.
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
