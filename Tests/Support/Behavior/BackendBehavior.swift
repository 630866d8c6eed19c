package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting

/// A behavior that a store must have over every backend, with any switches of the simulated App Store.
///
/// ```swift
/// @Test(arguments: BackendBehavior.all)
/// func behaves(_ behavior: BackendBehavior) async throws {
///     try await behavior.check { MyBackend(launch: $0) }
/// }
/// ```
package struct BackendBehavior: Sendable, CustomStringConvertible {
    /// The required behavior as a sentence.
    package let description: String
    /// The capabilities that the behavior needs.
    package let requirements: Set<BackendCapability>
    private let body: @concurrent @Sendable (StoreWorld) async throws -> Void

    init(
        _ description: String, requires requirements: Set<BackendCapability> = [],
        _ body: @escaping @Sendable (StoreWorld) async throws -> Void
    ) {
        self.description = description
        self.requirements = requirements
        self.body = body
    }

    /// A behavior of the store of one launch.
    static func launching(
        _ description: String, requires requirements: Set<BackendCapability> = [],
        _ body: @escaping @Sendable (StoreWorld, PurchaseStore) async throws -> Void
    ) -> BackendBehavior {
        BackendBehavior(description, requires: requirements) { try await body($0, $0.launch()) }
    }

    /// A behavior of the store of one launch, which leaves no transaction unfinished.
    static func finishing(
        _ description: String, requires requirements: Set<BackendCapability> = [],
        _ body: @escaping @Sendable (StoreWorld, PurchaseStore) async throws -> Void
    ) -> BackendBehavior {
        .launching(description, requires: requirements) { world, store in
            try await body(world, store)
            try await world.expectFinished(store)
        }
    }

    /// All required behaviors.
    package static var all: [BackendBehavior] {
        products + purchases + pendingPurchases + attribution + restores + transactions + deliveries + announcements
            + promotions + downloads
    }

    /// Runs the scenario over a new simulated App Store.
    /// - Parameters:
    ///   - behavior: The switches. The scenario changes the switches that it tests.
    ///   - makeBackend: Creates a backend for one launch of the app.
    /// - Throws: ``BehaviorViolation`` if the backend violates the behavior, or if the scenario hasn't ended after 20
    ///   seconds because an expected event is missing.
    package func check(
        under behavior: SimulatorBehavior = SimulatorBehavior(),
        makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend
    ) async throws {
        let world = StoreWorld(behavior, selling: .shop, makeBackend: makeBackend)
        do {
            try await withDeadline("the end of the scenario", within: 20) { try await body(world) }
        } catch let expired as WaitExpired {
            throw BehaviorViolation(description: "\(expired). \(await world.report())", line: #line)
        }
        try world.expect(world.appStore.misuses.isEmpty, "forbidden calls of StoreKit: \(world.appStore.misuses)")
    }
}

/// A capability that some backends don't have.
package enum BackendCapability: Sendable, Hashable, CaseIterable {
    /// The App Store hosts content for purchases.
    case hostedContent
    /// The device has a receipt file, which can be refreshed.
    case receipt
    /// An account can have any name, not only a UUID.
    case userNames
    /// The App Store reports a declined approval.
    case declines
    /// The App Store immediately reports a transaction that another observer finished.
    case removals
    /// The backend doesn't know which payment a transaction answers, so the store waits before it uses an older
    /// transaction.
    case unattributedAnswers
    /// The purchases of a restore arrive one after another.
    case restoredRows
    /// The App Store asks whether a running transaction continues after a change of the storefront.
    case storefrontQuestions
}

/// A violation of a required behavior.
package struct BehaviorViolation: Error, Sendable, CustomStringConvertible {
    /// The expected and the actual behavior.
    package let description: String
    /// The line of the expectation.
    package let line: UInt
}
