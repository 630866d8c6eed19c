import Foundation

/// A value behind a lock.
///
/// Nobody is called while the lock is held, except for closures of this module that only touch the value.
// @unchecked because: the value is only ever touched while the lock is held.
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

    /// A copy of the value as it is now.
    var current: Value {
        withLock { $0 }
    }
}

/// A reference that keeps nothing alive.
struct WeakReference<Object: AnyObject> {
    weak var object: Object?
}
