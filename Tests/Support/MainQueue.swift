import AsyncStoreKitTesting
import Dispatch

package enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

    /// Blocks the main queue until the block is released.
    package struct Hold: Sendable {
        private let hasBegun = Monitor(false)
        private let end = DispatchSemaphore(value: 0)

        fileprivate init() {
            // A test that fails before the release must not block other tests.
            DispatchQueue.main.async { [hasBegun, end] in
                hasBegun.update { $0 = true }
                _ = end.wait(timeout: .now() + WaitExpired.limit)
            }
        }

        /// Waits until all earlier blocks of the main queue have run.
        package func begun() async throws {
            try await hasBegun.wait(for: "the main queue to be held") { $0 ? () : nil }
        }

        package func release() { end.signal() }
    }

    package static func hold() -> Hold { Hold() }

    /// Runs a closure on the main queue and returns its result.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        let done = Monitor<Value?>(nil)
        DispatchQueue.main.async {
            let value = body()
            done.update { $0 = value }
        }
        return try await done.wait(for: "the main queue to run") { $0 }
    }

    /// Waits until all earlier blocks of the main queue have run.
    package static func drain() async throws {
        try await run {}
    }
}
