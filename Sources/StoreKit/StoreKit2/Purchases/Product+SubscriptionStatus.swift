package import AppStoreSimulator

extension Product.SubscriptionInfo {
    /// How a subscription stands.
    public struct Status: Hashable, Sendable {
        /// In a word.
        public let state: Product.SubscriptionInfo.RenewalState
        /// The latest transaction of the subscription.
        public let transaction: VerificationResult<Transaction>
        /// How it continues.
        public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>

        package init(_ status: SimulatedSignedStatus, _ launch: SimulatedLaunch) {
            state = RenewalState(rawValue: status.state.rawValue)
            transaction = Transaction.result(status.transaction, launch)
            let renewal = RenewalInfo(status)
            renewalInfo = status.renewalText.seal.isVerified ? .verified(renewal) : .unverified(renewal, .invalidSignature)
        }

        /// What changes about subscriptions from now on. That one has lapsed, or is set to renew or not, may not be told.
        public static var updates: Product.SubscriptionInfo.Status.Statuses {
            updates(of: StoreKitSimulation.currentLaunch)
        }

        /// What changes about subscriptions during one launch.
        package static func updates(of launch: SimulatedLaunch) -> Statuses {
            Statuses(launch: launch)
        }

        /// How all subscriptions stand, group by group.
        public static var all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])> {
            all(of: StoreKitSimulation.currentLaunch)
        }

        /// How all subscriptions stand in one launch, group by group.
        package static func all(of launch: SimulatedLaunch) -> AsyncStream<(groupID: String, statuses: [Status])> {
            AsyncStream { continuation in
                if !launch.readsNothing {
                    for (groupID, statuses) in launch.statusesByGroup {
                        continuation.yield((groupID, statuses.map { Status($0, launch) }))
                    }
                }
                continuation.finish()
            }
        }

        /// Statuses, as they change. Whoever makes an iterator listens from then on.
        public struct Statuses: AsyncSequence, Sendable {
            /// What comes.
            public typealias Element = Product.SubscriptionInfo.Status

            fileprivate let launch: SimulatedLaunch

            /// Walks through what comes.
            public struct AsyncIterator: AsyncIteratorProtocol {
                /// What comes.
                public typealias Element = Product.SubscriptionInfo.Status.Statuses.Element

                fileprivate var base: AsyncStream<Status>.Iterator

                /// Waits for the next one; `nil` when the task is cancelled.
                public mutating func next() async -> Product.SubscriptionInfo.Status.Statuses.Element? {
                    await base.next(isolation: #isolation)
                }
            }

            /// Listens from now on.
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
