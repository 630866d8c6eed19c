import Foundation

/// The positions of the transactions of each product and subscription, and of those that expire last. Queries don't
/// need to visit all transactions.
struct ReceiptIndex: Sendable {
    /// The transactions of one product.
    struct Product: Sendable {
        /// Positions in the receipt's list, newest first.
        var rows: [Int32] = []
        /// The positions by original transaction.
        var chains: [Chain] = []
        /// Whether the product is owned permanently: none of its transactions expires, and none is of a kind that is
        /// consumed or expires.
        var isLifetime = true
    }

    /// The transactions of one product that began with one original transaction: the periods of a subscription, or a
    /// purchase and its restored copies.
    struct Chain: Sendable {
        let original: ByteKey
        /// Positions in the receipt's list, newest first.
        var rows: [Int32] = []
        /// For each element of `rows`: the position of the valid transaction that expires last at or after this
        /// position, or -1.
        var lastToExpire: [Int32] = []
        /// The transactions that the customer upgraded, with the upgrade date.
        var upgrades: [(position: Int32, date: Date)] = []
    }

    private(set) var products: [ByteKey: Product] = [:]
    /// The products of each subscription group that the receipt names.
    private(set) var groups: [ByteKey: Set<ByteKey>] = [:]
    private var renewals = Renewals()

    init(_ contents: ReceiptContents) {
        // By product and original transaction.
        var places: [ByteKeyPair: Int] = [:]
        // The start of the next period of each subscription, because rows are visited from the newest to the oldest.
        var later: [ByteKey: (date: Date, next: Date?)] = [:]
        for (position, transaction) in contents.transactions.enumerated() {
            let row = transaction.facts
            let product = ByteKey(row.productID)
            let original = ByteKey(row.originalTransactionID)
            let pair = ByteKeyPair(product, original)
            let next = later[original].flatMap { $0.date > row.purchaseDate ? $0.date : $0.next }
            later[original] = (row.purchaseDate, next)
            let place = places[pair] ?? products[product]?.chains.count ?? 0
            if places.updateValue(place, forKey: pair) == nil {
                products[product, default: Product()].chains.append(Chain(original: original))
            }
            products[product]?.add(row, at: Int32(clamping: position), place, upgraded: row.revocationDate ?? next)
            if let group = row.subscriptionGroupID { groups[ByteKey(group), default: []].insert(product) }
        }
        for key in products.keys { products[key]?.link(contents.transactions) }
        renewals = Renewals(contents.renewals, products, places)
    }

    /// Returns the position of the renewal information for a transaction.
    func renewal(of row: PurchaseFacts) -> Int? {
        renewals.position(product: ByteKey(row.productID), original: ByteKey(row.originalTransactionID))
    }
}

extension ReceiptIndex.Product {
    fileprivate mutating func add(_ row: PurchaseFacts, at position: Int32, _ chain: Int, upgraded: Date?) {
        rows.append(position)
        chains[chain].rows.append(position)
        if row.isUpgraded, let upgraded { chains[chain].upgrades.append((position, upgraded)) }
        if row.expirationDate != nil || row.productKind.map({ $0 != .nonConsumable }) ?? false { isLifetime = false }
    }

    fileprivate mutating func link(_ transactions: [ReceiptTransaction]) {
        for index in chains.indices {
            var last: Int32 = -1
            var lastExpiration = -Double.infinity
            var lasts = [Int32](repeating: -1, count: chains[index].rows.count)
            for place in lasts.indices.reversed() {
                let position = chains[index].rows[place]
                let row = transactions[Int(position)].facts
                if row.isValid, let expiration = row.expirationDate?.timeIntervalSince1970, expiration >= lastExpiration
                {
                    last = position
                    lastExpiration = expiration
                }
                lasts[place] = last
            }
            chains[index].lastToExpire = lasts
        }
    }
}

extension ReceiptIndex {
    /// Assigns renewal information to transactions.
    ///
    /// Renewal information applies to the transactions with its product and original transaction. If the receipt has
    /// none, it applies to those of its product, and otherwise to those of its original transaction.
    fileprivate struct Renewals: Sendable {
        private var byPair: [ByteKeyPair: Int] = [:]
        private var byProduct: [ByteKey: Int] = [:]
        private var byOriginal: [ByteKey: Int] = [:]

        init() {}

        init(_ renewals: [ReceiptRenewal], _ products: [ByteKey: Product], _ pairs: [ByteKeyPair: Int]) {
            for (position, renewal) in renewals.enumerated() {
                let product = ByteKey(renewal.productID)
                let original = renewal.originalTransactionID.map(ByteKey.init)
                let pair = original.map { ByteKeyPair(product, $0) }
                func newer(_ known: Int?) -> Int {
                    let dates = [known, position].map { $0.flatMap { renewals[$0].signedDate } ?? .distantPast }
                    return known != nil && dates[0] >= dates[1] ? known ?? position : position
                }
                if let pair, pairs[pair] != nil {
                    byPair[pair] = newer(byPair[pair])
                } else if products[product] != nil {
                    byProduct[product] = newer(byProduct[product])
                } else if let original {
                    byOriginal[original] = newer(byOriginal[original])
                }
            }
        }

        func position(product: ByteKey, original: ByteKey) -> Int? {
            byPair[ByteKeyPair(product, original)] ?? byProduct[product] ?? byOriginal[original]
        }
    }
}
