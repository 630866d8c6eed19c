package import AppStoreSimulator

extension Transaction {
    /// A sequence of transactions: a list, newest first, or the updates from now on.
    public struct Transactions: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = VerificationResult<Transaction>

        enum Source: Sendable {
            case listing(SimulatedListing, productID: String?)
            case updates
        }

        let source: Source
        let launch: SimulatedLaunch

        /// An iterator over a list, or over the updates.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// The type of the elements.
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
                    let stream: AsyncStream<VerificationResult<Transaction>> = launch.stream(of: .transactions) {
                        update in
                        if case .transaction(let transaction) = update {
                            Transaction.result(transaction, launch)
                        } else {
                            nil
                        }
                    }
                    updates = stream.makeAsyncIterator()
                }
            }

            /// Returns the next transaction; `nil` at the end of a list, and if the task is canceled.
            public mutating func next() async -> VerificationResult<Transaction>? {
                guard let listing else { return await updates?.next(isolation: #isolation) }
                guard !launch.isReadSuppressed else { return nil }
                if rows == nil {
                    let transactions = await launch.listedTransactions(listing.0, of: listing.productID)
                    // The task may have been canceled while the list was loading.
                    rows = launch.isReadSuppressed ? [].makeIterator() : transactions.makeIterator()
                }
                return rows?.next().map { Transaction.result($0, launch) }
            }
        }

        /// Returns an iterator that reads a list on the first call of `next()`, or that observes updates from now on.
        public func makeAsyncIterator() -> Transaction.Transactions.AsyncIterator {
            AsyncIterator(source, launch)
        }
    }
}

extension Transaction {
    /// The transactions that no running purchase call returns: approvals, renewals, purchases on other devices,
    /// refunds, and once at launch, unfinished transactions. Observe the updates from launch.
    public static var updates: Transaction.Transactions { updates(of: StoreKitSimulation.currentLaunch) }

    /// Returns the updates during one launch.
    package static func updates(of launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .updates, launch: launch)
    }

    /// The unfinished transactions.
    public static var unfinished: Transaction.Transactions { unfinished(of: StoreKitSimulation.currentLaunch) }

    /// Returns the unfinished transactions of one launch.
    package static func unfinished(of launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.unfinished, productID: nil), launch: launch)
    }

    /// The transactions in the history, without finished consumables.
    public static var all: Transaction.Transactions { all(of: StoreKitSimulation.currentLaunch) }

    /// Returns the transactions of one product in the history.
    public static func all(for productID: String) -> Transaction.Transactions {
        all(for: productID, launch: StoreKitSimulation.currentLaunch)
    }

    /// Returns the transactions in the history of one launch.
    package static func all(of launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.all, productID: nil), launch: launch)
    }

    /// Returns the transactions of one product in the history of one launch.
    package static func all(for productID: String, launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.all, productID: productID), launch: launch)
    }

    /// The transactions that entitle the customer to a product: non-consumables, auto-renewable subscriptions that are
    /// active or in a grace period, and non-renewing subscriptions, even after their end. The list may contain
    /// ``isUpgraded`` transactions, and subscriptions in billing retry.
    public static var currentEntitlements: Transaction.Transactions {
        currentEntitlements(of: StoreKitSimulation.currentLaunch)
    }

    /// Returns the transactions that entitle the customer to one product.
    public static func currentEntitlements(for productID: String) -> Transaction.Transactions {
        currentEntitlements(for: productID, launch: StoreKitSimulation.currentLaunch)
    }

    /// Returns the transactions that entitle the customer to a product in one launch.
    package static func currentEntitlements(of launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.currentEntitlements, productID: nil), launch: launch)
    }

    /// Returns the transactions that entitle the customer to one product in one launch.
    package static func currentEntitlements(for productID: String, launch: SimulatedLaunch) -> Transactions {
        Transactions(source: .listing(.currentEntitlements, productID: productID), launch: launch)
    }

    /// Returns the transaction that entitles the customer to a product.
    @available(iOS, deprecated: 18.4)
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        currentEntitlement(for: productID, launch: StoreKitSimulation.currentLaunch)
    }

    /// Returns the transaction that entitles the customer to a product in one launch.
    package static func currentEntitlement(for productID: String, launch: SimulatedLaunch) -> VerificationResult<
        Transaction
    >? {
        guard !launch.isReadSuppressed else { return nil }
        return launch.transactions(.currentEntitlements, of: productID).first.map { result($0, launch) }
    }

    /// Returns the latest transaction of a product in the history.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        latest(for: productID, launch: StoreKitSimulation.currentLaunch)
    }

    /// Returns the latest transaction of a product in the history of one launch.
    package static func latest(for productID: String, launch: SimulatedLaunch) -> VerificationResult<Transaction>? {
        guard !launch.isReadSuppressed else { return nil }
        return launch.latestTransaction(of: productID).map { result($0, launch) }
    }
}
