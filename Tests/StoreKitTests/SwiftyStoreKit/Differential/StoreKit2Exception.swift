/// What differs over StoreKit 2: the rows of the table in the article DifferencesFromSwiftyStoreKit.
enum StoreKit2Exception: String, CaseIterable, Sendable {
    case transaction = "a transaction"
    case userName = "a user name"
    case hostedContent = "hosted content"
    case ownedAlready = "a product that the customer already has"
    case downgrade = "a downgrade, which begins at the next renewal"
    case pendingApproval = "a purchase that waits for approval"
    case restore = "a restore"
    case error = "an error"
    case promotedPurchase = "a promoted purchase that the handler continues"
    case receipt = "the receipt"

    /// The scenarios that differ for this reason, with their outcomes over StoreKit 2.
    var outcomes: [String: String] {
        switch self {
        case .transaction:
            [
                "a transaction that another observer finished first is still StoreKit's": "no SKPaymentTransaction",
                "the original of a restored row": "none",
            ]
        case .userName:
            [
                "buying for a user": "none",
                "two payments of one product, for different users": "0, 0, queue empty",
                "a restore that names its user": "none, none",
            ]
        case .hostedContent:
            ["hosted content of an atomic purchase": "queue empty"]
        case .ownedAlready:
            [
                "buying an owned product, answered as restored": "bought pro×1 purchased",
                "a payment that is answered with an older transaction": "at once",
            ]
        case .pendingApproval:
            [
                "an approval that is refused": ", queue empty",
                "a deferred transaction at launch, atomically": ", waiting",
            ]
        case .restore:
            [
                "a restore that fails after a row": "error SKErrorDomain 0",
                "restored rows after the end, before a listener exists": "…",
                "restored rows after the end, while a listener exists": "",
            ]
        case .error: ["a payment that fails with SKErrorDomain 5": "error SKErrorDomain 3, queue empty"]
        case .promotedPurchase, .downgrade: [:]
        case .receipt: ["a refresh that brings none": "StoreError receiptUnavailable"]
        }
    }

    static var outcomes: [String: String] {
        allCases.reduce(into: [:]) { all, exception in all.merge(exception.outcomes) { first, _ in first } }
    }
}
