/// A check of the article *Not yet verified on devices*.
struct ChecklistCheck: Sendable, Hashable {
    /// The name, which identifies the check.
    let name: String
    let steps: String
    let expected: String
    /// The part that the app starts by itself, if any.
    let action: ChecklistAction?
    /// The events that show the expected result. Without any, only a person can see the result.
    let expects: [ChecklistSignal]

    init(
        _ name: String, steps: String, expected: String, action: ChecklistAction? = nil,
        expects: [ChecklistSignal] = []
    ) {
        self.name = name
        self.steps = steps
        self.expected = expected
        self.action = action
        self.expects = expects
    }
}

/// The checks with one risk, in the order of the article.
struct ChecklistSection: Sendable, Hashable {
    let number: Int
    let title: String
    let checks: [ChecklistCheck]

    static let all = [firstChecks, deliveries, entitlements, storeKit1, sheets, platforms]
}

/// A call that the app makes for a check.
enum ChecklistAction: Sendable, Hashable {
    case purchase(String)
    case purchaseBoth(String, String)
    /// Purchases, and delivers for 20 seconds, as over a slow network.
    case purchaseSlowly(String)
    case restore
}

/// An event that the app saw. No event contains a receipt, a token or a name.
enum ChecklistSignal: String, Sendable, Hashable, CaseIterable, Codable {
    case delivered = "A purchase was delivered"
    case redelivered = "A purchase was delivered again"
    case arrivedLater = "A purchase arrived outside a call"
    case failed = "A purchase failed"
    case pending = "A purchase waits for approval"
    case revoked = "A purchase was revoked"
    case intent = "A purchase began in the App Store"
    case accessBegan = "Access began"
    case accessEnded = "Access ended"
    case cachedAnswer = "The answer about access came from the cache"
    case nothingUnfinished = "Nothing is unfinished"
    case ledgerWorks = "The delivery ledger has no error"
    case ledgerFailed = "The delivery ledger has an error"
}
