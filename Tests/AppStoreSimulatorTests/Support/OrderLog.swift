import Foundation

/// Values in the order of their arrival.
// @unchecked because: the values are read and written under the lock.
final class OrderLog<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [Value] = []

    var values: [Value] { lock.withLock { recorded } }

    func removeAll() {
        lock.withLock { recorded = [] }
    }

    func append(_ value: Value) {
        lock.withLock { recorded.append(value) }
    }
}
