import Foundation

/// A transaction in the history of the account.
@dynamicMemberLookup
struct HistoryRow {
    let number: UInt64
    /// The index of the first transaction's row; for a first transaction, its own index.
    let original: Int
    /// The contents, apart from the automatic renewal of the subscription.
    var record: SimulatedHistoryRecord
    /// Whether a session deleted the row.
    var isDeleted = false
    /// The date from which the lists contain the row.
    var listedFrom = Date.startOfSimulation
    /// Whether the row answered a call of StoreKit 2.
    var isAnswer = false
    /// Changes with the contents of the row, so that a changed row gets a new signature.
    var revision: UInt32 = 0
    /// The earliest date of a signature with the present contents, later than every signature with former contents.
    var signedFrom = Date.distantPast

    subscript<Value>(dynamicMember member: WritableKeyPath<SimulatedHistoryRecord, Value>) -> Value {
        get { record[keyPath: member] }
        set { record[keyPath: member] = newValue }
    }

    /// The subscription that the row's period belongs to.
    var key: SubscriptionKey? {
        record.groupID.map { SubscriptionKey(groupID: $0, ownership: record.ownership) }
    }

    /// Whether the row was refunded or revoked. An upgraded row isn't revoked.
    var isRevoked: Bool { record.revocationReason != nil }

    /// Applies an offer to the row.
    mutating func apply(_ offer: SimulatedTransactionOffer?) {
        if record.ownership != .purchased { record.price = 0 }
        guard let offer else { return }
        record.offer = offer
        record.price = offer.terms.price
        record.promotionalOfferID = offer.kind == .promotional ? offer.terms.id : nil
        record.isTrialPeriod = offer.terms.paymentMode == .freeTrial
        record.isInIntroductoryOfferPeriod = offer.kind == .introductory && offer.terms.paymentMode != .freeTrial
    }
}

/// The key of a subscription: the account's own subscription in a group, or one that the family shares.
struct SubscriptionKey: Hashable {
    let groupID: String
    var ownership = SimulatedOwnership.purchased

    /// Returns whether the subscription precedes another one in lists.
    func isBefore(_ other: SubscriptionKey) -> Bool {
        groupID == other.groupID ? ownership == .purchased && other.ownership != .purchased : groupID < other.groupID
    }
}

/// The subscription that an account has or had in a group.
struct SubscriptionState {
    /// The status of a subscription.
    enum Status {
        /// The current period is paid.
        case active
        /// The renewal isn't paid, and the App Store is retrying the payment.
        case billingRetry
        /// The subscription expired.
        case expired
    }

    var status = Status.active
    var productID: String
    var renewalProductID: String
    /// The billing plan of the paid period.
    var plan = SimulatedBillingPlan.upFront
    /// The billing plan after the next renewal of the subscription or its commitment.
    var renewalPlan = SimulatedBillingPlan.upFront
    /// The number of seats; `nil` for a subscription without seats.
    var seats: Int?
    /// The subscription to the bundle that includes this subscription.
    var bundle: SubscriptionKey?
    /// Whether the subscription leaves its bundle at the next renewal.
    var willUnbundle = false
    /// The latest row.
    var row: Int
    var autoRenews = true
    /// The date from which periods are counted, so that renewals return to the 31st after a short month.
    var anchor: Date
    var periodsSinceAnchor: Int
    /// The rate at the time of the purchase.
    var timeRate: SimulatedTimeRate
    /// The offer whose reduced price applies to further periods.
    var offer: SimulatedTransactionOffer?
    var offerPeriodsLeft = 0
    /// The offer that the customer redeemed in the paid period, which begins with the next renewal.
    var nextOffer: SimulatedTransactionOffer?
    /// The end of the grace period, in which the subscription stays active although its renewal isn't paid.
    var gracePeriodExpirationDate: Date?
    /// Changes with each period, so that events scheduled for an earlier period have no effect.
    var generation: UInt64 = 0
    /// The reason that the subscription expired or its renewal wasn't paid.
    var expirationReason: SimulatedRenewal.ExpirationReason?
    /// A pending or accepted price increase.
    var priceIncrease: SimulatedRenewal.PriceIncrease?
    /// The start of the current run of the subscription, without periods that expired more than 60 days before.
    var recentStart: Date
    /// The row that is visible while the renewal is hidden, and the end of that time.
    var delayedRenewal: (row: Int, end: Date)?
}

/// The purchases of the account.
struct AccountState {
    /// All paid transactions, oldest first.
    var rows: [HistoryRow] = []
    /// The first row of every owned non-consumable.
    var ownedNonConsumables: [String: Int] = [:]
    var subscriptions: [SubscriptionKey: SubscriptionState] = [:]
    /// The rows by the App Store's numbers. A payment that waited has a lower number than the rows before it.
    private var rowsByNumber: [UInt64: Int] = [:]
    /// The rows of every product, oldest first.
    private(set) var rowsByProduct: [String: [Int]] = [:]
    /// The rows that the app hasn't finished.
    private(set) var unfinished: Set<Int> = []
    /// The rows of non-renewing subscriptions.
    private(set) var nonRenewing: [Int] = []
    /// The rows of non-consumables that a family member shares, by product.
    var sharedNonConsumables: [String: Int] = [:]
    /// The entries of the queue that repeat the transaction of a row, by row.
    var repetitions: [Int: [Int]] = [:]
    /// The rows of subscriptions that an upgrade replaced within the paid period.
    var upgraded: [Int] = []
    /// The revoked rows. StoreKit 2 reports a revocation at every launch until the app finishes the transaction.
    var unacknowledged: Set<Int> = []
    /// The groups in which the account used an introductory offer.
    var groupsWithUsedIntroduction: Set<String> = []
    /// The failed entries whose payment is waiting for the customer.
    var interrupted: Set<SimulatedTransaction.ID> = []
    /// The earlier states of the lists of transactions.
    var log = ListingLog()
    /// The latest signed contents of each subscription, and the earliest date of their signatures.
    var signedRenewals: [SubscriptionKey: (renewal: SimulatedRenewal, from: Date)] = [:]

    /// Adds a row and returns its index.
    mutating func append(_ row: HistoryRow, at date: Date) -> Int {
        let index = rows.count
        log.recordPayment(isConsumable: row.kind == .consumable, isFinished: row.isFinished, at: date)
        rows.append(row)
        rowsByNumber[row.number] = index
        rowsByProduct[row.productID, default: []].append(index)
        if !row.isFinished { unfinished.insert(index) }
        if row.kind == .nonRenewingSubscription { nonRenewing.append(index) }
        return index
    }

    mutating func finish(_ row: Int, at date: Date) {
        guard unfinished.remove(row) != nil else { return }
        log.recordFinish(of: row, at: date)
        rows[row].isFinished = true
    }

    /// Changes a row, which gets a new signature.
    mutating func change(_ row: Int, at date: Date, _ body: (inout HistoryRow) -> Void) {
        log.recordChange(of: row, from: rows[row], at: date)
        body(&rows[row])
        rows[row].revision += 1
        rows[row].signedFrom = max(date, rows[row].signedFrom).nextMillisecond
    }

    /// Removes a row from every list. The row itself stays, because the indices of other rows don't change.
    mutating func delete(_ row: Int, at date: Date) {
        change(row, at: date) { $0.isDeleted = true }
        let product = rows[row].productID
        rowsByNumber[rows[row].number] = nil
        rowsByProduct[product]?.removeAll { $0 == row }
        unfinished.remove(row)
        nonRenewing.removeAll { $0 == row }
        upgraded.removeAll { $0 == row }
        unacknowledged.remove(row)
        if ownedNonConsumables[product] == row { ownedNonConsumables[product] = nil }
        if sharedNonConsumables[product] == row { sharedNonConsumables[product] = nil }
    }

    /// The rows that a session hasn't deleted, oldest first.
    var presentRows: [Int] { rows.indices.filter { !rows[$0].isDeleted } }

    /// Returns the row with an identifier of the App Store.
    func row(transactionID: String) -> Int? {
        UInt64(transactionID).flatMap { row(number: $0) }
    }

    /// Returns the row with a number of the App Store.
    func row(number: UInt64) -> Int? {
        rowsByNumber[number]
    }

    /// The rows that a restore reports: finished, of a restorable kind, and neither refunded nor revoked.
    var restorableRows: [Int] {
        presentRows.filter { index in
            let row = rows[index]
            guard row.isFinished, row.revocationDate == nil || row.isUpgraded else { return false }
            switch row.kind {
            case .consumable, .nonRenewingSubscription: return false
            case .nonConsumable:
                return ownedNonConsumables[row.productID] == index || sharedNonConsumables[row.productID] == index
            case .autoRenewableSubscription: return true
            }
        }
    }
}
