import Testing

/// A scenario with the outcome of SwiftyStoreKit 0.16.4, the outcome of the block API, and the reason for a difference.
struct Comparison: Sendable, CustomTestStringConvertible {
    let scenario: String
    /// The recorded outcome of 0.16.4. "…" means an event that never occurs.
    let original: String
    /// The outcome of the block API.
    let ours: String
    /// The reason for the difference; `nil` for equal outcomes.
    let why: Difference?
    /// Runs the scenario and returns its outcome.
    let play: @Sendable () async throws -> String

    var testDescription: String { scenario }

    static func same(
        _ scenario: String, _ outcome: String, _ play: @escaping @Sendable () async throws -> String
    ) -> Comparison {
        Comparison(scenario: scenario, original: outcome, ours: outcome, why: nil, play: play)
    }

    static func differs(
        _ scenario: String, was original: String, is ours: String, _ why: Difference,
        _ play: @escaping @Sendable () async throws -> String
    ) -> Comparison {
        Comparison(scenario: scenario, original: original, ours: ours, why: why, play: play)
    }
}
