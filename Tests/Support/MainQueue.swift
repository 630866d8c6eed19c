import AsyncStoreKitTesting
import Dispatch

package enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

    /// Keeps the main queue from running anything, as soon as it is its turn and until it is let go.
    package struct Hold: Sendable {
        private let hasBegun = Monitor(false)
        private let end = DispatchSemaphore(value: 0)

        fileprivate init() {
            // A test that fails before it lets go must not hold up the others.
            DispatchQueue.main.async { [hasBegun, end] in
                hasBegun.update { $0 = true }
                _ = end.wait(timeout: .now() + WaitExpired.limit)
            }
        }

        /// Returns when everything has run that was put on the main queue before.
        package func begun() async throws {
            try await hasBegun.wait(for: "the main queue to be held") { $0 ? () : nil }
        }

        package func release() { end.signal() }
    }

    package static func hold() -> Hold { Hold() }

    /// Does something on the main queue, and returns what came of it.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        let done = Monitor<Value?>(nil)
        DispatchQueue.main.async {
            let value = body()
            done.update { $0 = value }
        }
        return try await done.wait(for: "the main queue's turn") { $0 }
    }

    /// Returns when everything has run that was put on the main queue before.
    package static func drain() async throws {
        try await run {}
    }
}
