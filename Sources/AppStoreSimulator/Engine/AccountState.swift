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
    /// The latest row.
    var row: Int
    var autoRenews = true
    /// From where periods are counted, so that the 31st does not turn into the 28th for good.
    var anchor: Date
    var periodsSinceAnchor: Int
    /// An offer whose reduced price lasts for more periods.
    var offer: SimulatedSubscription.Offer?
    var offerPeriodsLeft = 0
    /// Until when it stays active although its renewal was not paid.
    var gracePeriodExpirationDate: Date?
    /// Changes with each period, so that what was scheduled for a former one has no effect.
    var generation: UInt64 = 0
    /// Why it has expired, or why its renewal was not paid.
    var expirationReason: SimulatedRenewal.ExpirationReason?
}

/// What the account has bought.
struct AccountState {
    /// Everything that was ever paid, oldest first.
    var rows: [HistoryRow] = []
    /// The first row of every non-consumable that is owned.
    var ownedNonConsumables: [String: Int] = [:]
    /// Subscriptions by group.
    var subscriptions: [String: SubscriptionState] = [:]
    /// Groups in which an introductory offer was used.
    var groupsWithUsedIntroduction: Set<String> = []
    /// Failed entries whose payment waits for the customer.
    var interrupted: Set<SimulatedTransaction.ID> = []
    var receipt = ReceiptState()

    /// The row with this identifier of the App Store, found by binary search, as identifiers grow.
    func row(transactionID: String) -> Int? {
        guard let number = UInt64(transactionID) else { return nil }
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
            case .nonConsumable: return ownedNonConsumables[row.productID] == index
            case .autoRenewableSubscription: return true
            }
        }
    }
}
