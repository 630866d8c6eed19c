import Foundation

/// A transaction in the history of the account.
struct HistoryRow {
    let number: UInt64
    /// The row of the first transaction; a first one names itself.
    let original: Int
    let entry: SimulatedTransaction.ID
    let productID: String
    let kind: SimulatedProduct.Kind
    let quantity: Int
    let applicationUsername: String?
    let purchaseDate: Date
    var group: String?
    var expirationDate: Date?
    var revocationDate: Date?
    var isUpgraded = false
    var isTrialPeriod = false
    var isInIntroductoryOfferPeriod = false
    var promotionalOfferID: String?
    var isFinished = false

    // What only StoreKit 2 shows.

    var price: Decimal = 0
    var currencyCode: String?
    var storefront = SimulatedStorefront.unitedStates
    var isRenewal = false
    var offer: SimulatedTransactionOffer?
    var ownership = SimulatedOwnership.purchased
    var revocationReason: SimulatedRevocationReason?
    var refundedPercentage: Decimal?
    var billingPlan: SimulatedBillingPlan?
    var commitment: SimulatedCommitment?
    var bundle: SimulatedBundleMembership?
    var previousOriginalTransactionID: String?
    var isVerified = true
    /// From when on it is listed.
    var listedFrom = Date.startOfSimulation
    /// Whether a call of StoreKit 2 was answered with it.
    var isAnswer = false
    /// Changes whenever something in it does, so that it is signed anew.
    var revision: UInt32 = 0

    /// Whether it was refunded or taken back; what an upgrade replaced was not.
    var isRevoked: Bool { revocationReason != nil }
}

/// Identifies a subscription of the account: its own one in a group, or one that the family shares.
struct SubscriptionKey: Hashable {
    let groupID: String
    var ownership = SimulatedOwnership.purchased

    /// Whether it comes first in a list.
    func isBefore(_ other: SubscriptionKey) -> Bool {
        groupID == other.groupID ? ownership == .purchased && other.ownership != .purchased : groupID < other.groupID
    }
}

/// The subscription that an account has or had in a group.
struct SubscriptionState {
    /// How a subscription stands.
    enum Status {
        /// Paid.
        case active
        /// Not paid; the App Store keeps trying.
        case billingRetry
        /// Ended.
        case expired
    }

    var status = Status.active
    var productID: String
    /// What it renews as.
    var renewalProductID: String
    /// How the paid period was billed.
    var plan = SimulatedBillingPlan.upFront
    /// How it's billed when it renews, or when its commitment renews.
    var renewalPlan = SimulatedBillingPlan.upFront
    /// The subscription to the bundle that includes this one.
    var bundle: SubscriptionKey?
    /// Whether it leaves the bundle at the next renewal.
    var willUnbundle = false
    /// The latest row.
    var row: Int
    var autoRenews = true
    /// From where periods are counted, so that the 31st does not turn into the 28th for good.
    var anchor: Date
    var periodsSinceAnchor: Int
    /// An offer whose reduced price lasts for more periods.
    var offer: SimulatedTransactionOffer?
    var offerPeriodsLeft = 0
    /// Until when it stays active although its renewal was not paid.
    var gracePeriodExpirationDate: Date?
    /// Changes with each period, so that what was scheduled for a former one has no effect.
    var generation: UInt64 = 0
    /// Why it has expired, or why its renewal was not paid.
    var expirationReason: SimulatedRenewal.ExpirationReason?
    /// A higher price that the customer has to agree to, or has agreed to.
    var priceIncrease: SimulatedRenewal.PriceIncrease?
    /// When it began, not counting what had expired more than 60 days before.
    var recentStart: Date
    /// The row that is seen until the renewal is, and until when.
    var flicker: (row: Int, end: Date)?
}

/// What the account has bought.
struct AccountState {
    /// Everything that was ever paid, oldest first.
    var rows: [HistoryRow] = []
    /// The first row of every non-consumable that is owned.
    var ownedNonConsumables: [String: Int] = [:]
    var subscriptions: [SubscriptionKey: SubscriptionState] = [:]
    /// The rows of every product, oldest first.
    private(set) var rowsByProduct: [String: [Int]] = [:]
    /// The rows that the app has not finished.
    private(set) var unfinished: Set<Int> = []
    /// How many of them there are of each product.
    private var unfinishedCounts: [String: Int] = [:]
    /// Non-renewing subscriptions.
    private(set) var nonRenewing: [Int] = []
    /// Non-consumables that a member of the family shares, by product.
    var sharedNonConsumables: [String: Int] = [:]
    /// Subscriptions that a higher level has replaced within the time that was paid.
    var upgraded: [Int] = []
    /// What was taken back: an app that uses StoreKit 2 hears of it at every launch until it finishes it.
    var unacknowledged: Set<Int> = []
    /// Groups in which an introductory offer was used.
    var groupsWithUsedIntroduction: Set<String> = []
    /// Failed entries whose payment waits for the customer.
    var interrupted: Set<SimulatedTransaction.ID> = []
    /// What the lists of transactions were before.
    var log = ListingLog()

    /// Adds a row, and returns its index.
    mutating func append(_ row: HistoryRow, at date: Date) -> Int {
        let index = rows.count
        log.recordPayment(isConsumable: row.kind == .consumable, isFinished: row.isFinished, at: date)
        rows.append(row)
        rowsByProduct[row.productID, default: []].append(index)
        if !row.isFinished {
            unfinished.insert(index)
            unfinishedCounts[row.productID, default: 0] += 1
        }
        if row.kind == .nonRenewingSubscription { nonRenewing.append(index) }
        return index
    }

    /// Marks a row as finished.
    mutating func finish(_ row: Int, at date: Date) {
        guard unfinished.remove(row) != nil else { return }
        log.recordFinish(of: row, at: date)
        rows[row].isFinished = true
        unfinishedCounts[rows[row].productID, default: 0] -= 1
    }

    /// Whether the app has yet to finish something of a product.
    func hasUnfinished(_ productID: String) -> Bool {
        unfinishedCounts[productID, default: 0] > 0
    }

    /// Changes what a row says, which is signed anew from then on.
    mutating func change(_ row: Int, at date: Date, _ body: (inout HistoryRow) -> Void) {
        log.recordChange(of: row, from: rows[row], at: date)
        body(&rows[row])
        rows[row].revision += 1
    }

    /// The row with this identifier of the App Store, found by binary search, as identifiers grow.
    func row(transactionID: String) -> Int? {
        UInt64(transactionID).flatMap { row(number: $0) }
    }

    /// The row with this number of the App Store.
    func row(number: UInt64) -> Int? {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].number < number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < rows.count && rows[low].number == number ? low : nil
    }

    /// Rows that a restore reports: finished, of a kind that is restored, and neither refunded nor revoked.
    var restorableRows: [Int] {
        rows.indices.filter { index in
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
