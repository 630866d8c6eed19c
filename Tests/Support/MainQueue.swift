import AsyncStoreKitTesting
import Dispatch

package enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

    /// Keeps the main queue from running anything until the answer is called.
    package static func hold() -> () -> Void {
        let semaphore = DispatchSemaphore(value: 0)
        // A test that fails before it calls the answer must not hold up the others.
        DispatchQueue.main.async { _ = semaphore.wait(timeout: .now() + WaitExpired.limit) }
        return { semaphore.signal() }
    }

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
