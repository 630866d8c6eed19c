import Foundation

/// A value that is read and changed under a lock: `Mutex` is not there on the oldest systems this package runs on.
///
/// The closure must not call out: no continuation is resumed and no stream is fed while the lock is held.
// @unchecked because: `value` is only ever touched while `lock` is held.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
