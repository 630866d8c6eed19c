import Testing

/// One scenario, played: what SwiftyStoreKit 0.16.4 does in it, what its API over this library does, and why where that differs.
struct Comparison<Stage>: Sendable, CustomTestStringConvertible {
    let scenario: String
    /// A recorded fact. What never comes is "…".
    let original: String
    /// What we do.
    let ours: String
    /// Why it differs; `nil` where it is the same.
    let why: Difference?
    /// Plays it, and says what happened.
    let play: @Sendable (Stage) async throws -> String

    var testDescription: String { scenario }

    static func same(
        _ scenario: String, _ outcome: String, _ play: @escaping @Sendable (Stage) async throws -> String
    ) -> Comparison {
        Comparison(scenario: scenario, original: outcome, ours: outcome, why: nil, play: play)
    }

    static func differs(
        _ scenario: String, was original: String, is ours: String, _ why: Difference,
        _ play: @escaping @Sendable (Stage) async throws -> String
    ) -> Comparison {
        Comparison(scenario: scenario, original: original, ours: ours, why: why, play: play)
    }
}

extension Difference {
    /// The sections of the article DifferencesFromSwiftyStoreKit.
    enum Chapter: String, CaseIterable, Sendable {
        case restores = "Restores"
        case purchases = "Purchases"
        case products = "Products"
        case receipts = "Receipts"
        case questions = "Questions to a receipt"
        case errors = "Errors"
    }
}
