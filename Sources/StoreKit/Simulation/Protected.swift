import Foundation

/// A value behind a lock.
///
/// Only closures of this module that access nothing but the value run while the lock is held.
// @unchecked because: the value is accessed only while the lock is held.
final class Protected<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// A copy of the current value.
    var current: Value {
        withLock { $0 }
    }
}

/// A weak reference.
struct WeakReference<Object: AnyObject> {
    weak var object: Object?
}
