package import AppStoreSimulator

extension Transaction {
    /// Transactions: a list, newest first, or what comes from now on.
    public struct Transactions: AsyncSequence, Sendable {
        /// What comes.
        public typealias Element = VerificationResult<Transaction>

        enum Source: Sendable {
            case listing(SimulatedListing, productID: String?)
            case updates
        }

        let source: Source
        let launch: SimulatedLaunch

        /// Walks through what there is, or waits for what comes.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// What comes.
            public typealias Element = VerificationResult<Transaction>

            private let launch: SimulatedLaunch
            private var updates: AsyncStream<VerificationResult<Transaction>>.Iterator?
            private var listing: (SimulatedListing, productID: String?)?
            private var rows: IndexingIterator<[SimulatedSignedTransaction]>?

            fileprivate init(_ source: Source, _ launch: SimulatedLaunch) {
                self.launch = launch
                switch source {
                case .listing(let listing, let productID):
                    self.listing = (listing, productID)
                case .updates:
                    let stream: AsyncStream<VerificationResult<Transaction>> = launch.stream(of: .transactions) { update in
                        if case .transaction(let transaction) = update { Transaction.result(transaction, launch) } else { nil }
                    }
                    updates = stream.makeAsyncIterator()
                }
            }

            /// The next one; `nil` at the end, and when the task is cancelled.
            public mutating func next() async -> VerificationResult<Transaction>? {
                guard let listing else { return await updates?.next(isolation: #isolation) }
                guard !launch.readsNothing else { return nil }
                if rows == nil {
                    let transactions = await launch.listedTransactions(listing.0, of: listing.productID)
                    // The task may have been cancelled while the list was on its way.
                    rows = launch.readsNothing ? [].makeIterator() : transactions.makeIterator()
                }
                return rows?.next().map { Transaction.result($0, launch) }
            }
        }

        /// Reads the list when the first element is asked for; listens from now on.
        public func makeAsyncIterator() -> Transaction.Transactions.AsyncIterator {
            AsyncIterator(source, launch)
        }
    }
}

extension Transaction {
    /// What comes without having been asked for just now: approvals, renewals, purchases elsewhere, refunds; at launch what is
    /// unfinished, once. To be listened to from launch.
    public static var updates: Transaction.Transactions { updates(of: StoreKitSimulation.currentLaunch) }

    /// What comes during one launch.
    package static func updates(of launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .updates, launch: launch)
    }

    /// What the app has not finished.
    public static var unfinished: Transaction.Transactions { unfinished(of: StoreKitSimulation.currentLaunch) }

    /// What the app has not finished, as one launch reads it.
    package static func unfinished(of launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.unfinished, productID: nil), launch: launch)
    }

    /// Everything in the history, without consumables that are finished.
    public static var all: Transaction.Transactions { all(of: StoreKitSimulation.currentLaunch) }

    /// Everything in the history of one product.
    public static func all(for productID: String) -> Transaction.Transactions {
        all(for: productID, launch: StoreKitSimulation.currentLaunch)
    }

    /// Everything in the history, as one launch reads it.
    package static func all(of launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.all, productID: nil), launch: launch)
    }

    /// Everything in the history of one product, as one launch reads it.
    package static func all(for productID: String, launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.all, productID: productID), launch: launch)
    }

    /// What the customer may use: non-consumables, subscriptions that are active or in their grace period, and non-renewing ones, also
    /// when their time is over. ``isUpgraded`` ones may be among them, and ones in billing retry.
    public static var currentEntitlements: Transaction.Transactions { currentEntitlements(of: StoreKitSimulation.currentLaunch) }

    /// The transactions by which the customer may use one product.
    public static func currentEntitlements(for productID: String) -> Transaction.Transactions {
        currentEntitlements(for: productID, launch: StoreKitSimulation.currentLaunch)
    }

    /// What the customer may use, as one launch reads it.
    package static func currentEntitlements(of launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.currentEntitlements, productID: nil), launch: launch)
    }

    /// The transactions by which the customer may use one product, as one launch reads it.
    package static func currentEntitlements(for productID: String, launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.currentEntitlements, productID: productID), launch: launch)
    }

    /// The transaction by which the customer may use a product.
    @available(iOS, deprecated: 18.4)
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        currentEntitlement(for: productID, launch: StoreKitSimulation.currentLaunch)
    }

    /// The transaction by which the customer may use a product, as one launch reads it.
    package static func currentEntitlement(for productID: String, launch: SimulatedLaunch) -> VerificationResult<Transaction>? {
        guard !launch.readsNothing else { return nil }
        return launch.transactions(.currentEntitlements, of: productID).first.map { result($0, launch) }
    }

    /// The latest transaction of a product that is listed.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        latest(for: productID, launch: StoreKitSimulation.currentLaunch)
    }

    /// The latest transaction of a product that is listed, as one launch reads it.
    package static func latest(for productID: String, launch: SimulatedLaunch) -> VerificationResult<Transaction>? {
        guard !launch.readsNothing else { return nil }
        return launch.latestTransaction(of: productID).map { result($0, launch) }
    }
}
