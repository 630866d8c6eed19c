package import AppStoreSimulator

extension Product.SubscriptionInfo {
    /// The status of a subscription.
    public struct Status: Hashable, Sendable {
        /// The state of the subscription.
        public let state: Product.SubscriptionInfo.RenewalState
        /// The latest transaction of the subscription.
        public let transaction: VerificationResult<Transaction>
        /// The renewal information.
        public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>

        package init(_ status: SimulatedSignedStatus, _ launch: SimulatedLaunch) {
            state = RenewalState(rawValue: status.state.rawValue)
            transaction = Transaction.result(status.transaction, launch)
            let renewal = RenewalInfo(status)
            renewalInfo =
                status.renewalText.seal.isVerified ? .verified(renewal) : .unverified(renewal, .invalidSignature)
        }

        /// The changed statuses of subscriptions from now on. StoreKit may omit an expiry or a change of the renewal
        /// setting.
        public static var updates: Product.SubscriptionInfo.Status.Statuses {
            updates(of: StoreKitSimulation.currentLaunch)
        }

        /// Returns the changed statuses of subscriptions during one launch.
        package static func updates(of launch: SimulatedLaunch) -> Statuses {
            Statuses(launch: launch)
        }

        /// The statuses of all subscriptions, by group.
        public static var all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])> {
            all(of: StoreKitSimulation.currentLaunch)
        }

        /// Returns the statuses of all subscriptions in one launch, by group.
        package static func all(of launch: SimulatedLaunch) -> AsyncStream<(groupID: String, statuses: [Status])> {
            AsyncStream { continuation in
                if !launch.isReadSuppressed {
                    for (groupID, statuses) in launch.statusesByGroup {
                        continuation.yield((groupID, statuses.map { Status($0, launch) }))
                    }
                }
                continuation.finish()
            }
        }

        /// A sequence of changed statuses. Observation starts when an iterator is created.
        public struct Statuses: AsyncSequence, Sendable {
            /// The type of the elements.
            public typealias Element = Product.SubscriptionInfo.Status

            fileprivate let launch: SimulatedLaunch

            /// An iterator that waits for the next element.
            public struct AsyncIterator: AsyncIteratorProtocol {
                /// The type of the elements.
                public typealias Element = Product.SubscriptionInfo.Status.Statuses.Element

                fileprivate var base: AsyncStream<Status>.Iterator

                /// Waits for the next element. Returns `nil` if the task is canceled.
                public mutating func next() async -> Product.SubscriptionInfo.Status.Statuses.Element? {
                    await base.next(isolation: #isolation)
                }
            }

            /// Returns an iterator that observes events from now on.
            public func makeAsyncIterator() -> Product.SubscriptionInfo.Status.Statuses.AsyncIterator {
                let launch = launch
                let stream: AsyncStream<Status> = launch.stream(of: .statuses) { update in
                    if case .status(let status) = update { Status(status, launch) } else { nil }
                }
                return AsyncIterator(base: stream.makeAsyncIterator())
            }
        }
    }
}
