/// The differences over StoreKit 2: the lines of the table in Migration.md.
enum StoreKit2Exception: String, CaseIterable, Sendable {
    case transaction = "a transaction"
    case userName = "a user name"
    case hostedContent = "hosted content"
    case ownedAlready = "what is owned already"
    case pendingApproval = "a purchase that waits for an approval"
    case restore = "a restore"
    case error = "an error"
    case promotedPurchase = "a promoted purchase that the handler lets go on"
    case receipt = "the receipt"

    /// The scenarios of the exception with their outcomes over StoreKit 2.
    var outcomes: [String: String] {
        switch self {
        case .transaction:
            [
                "the transaction handed out is StoreKit's": "false",
                "what another observer finished first is StoreKit's transaction still": "no SKPaymentTransaction",
                "the original of a restored row": "none",
            ]
        case .userName:
            [
                "buying for a user": "none", "two payments of one product, for different users": "0, 0",
                "a restore that names its user": "none",
            ]
        case .hostedContent:
            [
                "hosted content of an atomic purchase": "queue empty", "hosted content of a purchase that is not atomic, started": "",
            ]
        case .ownedAlready: ["buying what is owned, answered as restored": "bought pro×1 purchased"]
        case .pendingApproval:
            [
                "an approval that is refused": ", queue empty", "a deferred transaction at launch, atomically": ", waiting",
            ]
        case .restore:
            [
                "a restore that fails after a row": "error SKErrorDomain 0", "restored rows after the end, before anybody listens": "…",
                "restored rows after the end, while somebody listens": "",
            ]
        case .error: ["a payment that fails with SKErrorDomain 5": "error SKErrorDomain 3, queue empty"]
        case .promotedPurchase: [:]
        case .receipt: ["a refresh that brings none": "StoreError receiptUnavailable"]
        }
    }

    static var outcomes: [String: String] {
        allCases.reduce(into: [:]) { all, exception in all.merge(exception.outcomes) { first, _ in first } }
    }
}
