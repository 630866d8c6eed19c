import Foundation

/// A value that is created on first use and kept.
// @unchecked because: `made` is only accessed while `lock` is held, and nothing else changes.
final class PreparedValue<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var made: Value??

    /// Returns the value. Only the first call runs `make`, even if `make` returns `nil`.
    func value(_ make: () -> Value?) -> Value? {
        lock.withLock {
            if let made { return made }
            let value = make()
            made = .some(value)
            return value
        }
    }
}
