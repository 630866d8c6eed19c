import Foundation

/// A value that is read and changed under a lock. `Mutex` isn't available on the oldest supported systems.
///
/// Copies share the value. The closure must not call out: don't resume a continuation or yield to a stream while the
/// lock is held.
///
/// To lock a function, use a struct with a property for the function as the value. If the value is a function, or a
/// tuple that contains a function, each call of ``withLock(_:)`` adds a wrapper to the function, which makes its calls
/// slower.
// @unchecked because: the value is only ever touched while the mutex is held.
package struct Locked<Value>: @unchecked Sendable {
    // One allocation for the value and its mutex, because every waiting call has one.
    private let storage: ManagedBuffer<Value, pthread_mutex_t>

    package init(_ value: sending Value) {
        let storage = LockedStorage<Value>.create(minimumCapacity: 1) { storage in
            storage.withUnsafeMutablePointerToElements { mutex in
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, nil)
            }
            return value
        }
        self.storage = storage
    }

    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
        // The pointers leave their closure because its result can't be declared as `sending`.
        let (value, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        defer { withExtendedLifetime(storage) {} }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}

private final class LockedStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
    deinit {
        withUnsafeMutablePointerToElements { mutex in
            pthread_mutex_destroy(mutex)
            mutex.deinitialize(count: 1)
        }
    }
}
