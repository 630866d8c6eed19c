package import AsyncStoreKit
import AsyncStoreKitTesting
package import Foundation

/// A cache in memory, which outlives a launch. A test can change its content, as a person with the device can.
package final class MemoryCache: EntitlementCache {
    package let data: Locked<Data?>
    /// Whether the cache refuses every call, as a file does before the device is unlocked.
    package let isLocked = Locked(false)
    private let saves = Recorder<Data>()

    package init(_ data: Data? = nil) {
        self.data = Locked(data)
    }

    package var content: Data? { data.withLock { $0 } }
    package var saveCount: Int { saves.elements.count }

    /// Returns a cache with the same content, which later saves of this one don't change.
    package func copy() -> MemoryCache { MemoryCache(content) }

    package func load() throws -> Data? {
        try checkLock()
        return content
    }

    private func checkLock() throws {
        if isLocked.withLock({ $0 }) { throw POSIXError(.EPERM) }
    }

    package func save(_ data: Data) throws {
        try checkLock()
        self.data.withLock { $0 = data }
        saves.record(data)
    }

    /// Waits for a number of saves, and returns what the last one has saved.
    package func saved(_ count: Int) async throws -> Data { try await saves.first(count)[count - 1] }

    /// Waits until a text is saved that fits.
    package func saved(_ fits: @escaping @Sendable (String) -> Bool) async throws {
        _ = try await saves.first { fits(String(decoding: $0, as: UTF8.self)) }
    }
}
