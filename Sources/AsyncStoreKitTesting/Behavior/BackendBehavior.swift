package import AppStoreSimulator
package import AsyncStoreKit

/// One thing that a store must do over every backend, whatever the simulated App Store's switches say.
///
/// ```swift
/// @Test(arguments: BackendBehavior.all)
/// func behaves(_ behavior: BackendBehavior) async throws {
///     try await behavior.check { MyBackend(launch: $0) }
/// }
/// ```
package struct BackendBehavior: Sendable, CustomStringConvertible {
    /// What must hold, as a sentence.
    package let description: String
    /// Without what it has no meaning.
    package let requirements: Set<BackendCapability>
    private let body: @Sendable (BehaviorWorld) async throws -> Void

    init(
        _ description: String, requires requirements: Set<BackendCapability> = [],
        _ body: @escaping @Sendable (BehaviorWorld) async throws -> Void
    ) {
        self.description = description
        self.requirements = requirements
        self.body = body
    }

    /// Everything that must hold.
    package static var all: [BackendBehavior] {
        products + purchases + pendingPurchases + attribution + restores + transactions + deliveries + announcements
            + promotions + downloads
    }

    /// Plays the scenario over a new simulated App Store.
    /// - Parameters:
    ///   - behavior: The switches; the scenario sets those on top that it is about.
    ///   - makeBackend: Makes a backend for one launch of the app.
    /// - Throws: ``BehaviorViolation`` when it does not hold; also when it has not ended after 20 seconds, as then something was
    ///   waited for that does not come.
    package func check(
        under behavior: SimulatorBehavior = SimulatorBehavior(),
        makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend
    ) async throws {
        let world = BehaviorWorld(behavior: behavior, makeBackend: makeBackend)
        do {
            try await withDeadline("the end of the scenario", within: 20) { try await body(world) }
        } catch let expired as WaitExpired {
            throw BehaviorViolation(description: "\(expired). \(await world.account())", line: #line)
        }
        try world.expect(world.appStore.misuses.isEmpty, "StoreKit was misused: \(world.appStore.misuses)")
    }
}

/// What not every App Store has.
package enum BackendCapability: Sendable, Hashable, CaseIterable {
    /// The App Store hosts content for purchases.
    case hostedContent
    /// There is a receipt file, and it can be refreshed.
    case receipt
    /// An account may go by any name, not only by a UUID.
    case userNames
    /// The app is told when an approval is refused.
    case declines
    /// The app is told at once when somebody else finishes a transaction.
    case removals
    /// Whose a transaction is has to be found out, so that an answer is waited for a while.
    case unattributedAnswers
    /// The rows of a restore come one after the other.
    case restoredRows
    /// A transaction that is under way is asked about when the storefront changes.
    case storefrontQuestions
}

/// What a backend did other than it must.
package struct BehaviorViolation: Error, Sendable, CustomStringConvertible {
    /// What was expected, and what was seen.
    package let description: String
    /// Where it was expected.
    package let line: UInt
}
