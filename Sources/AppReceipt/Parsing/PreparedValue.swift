import Foundation

/// A value that is made from its owner when it is first asked for, and kept for the next time.
///
/// It says nothing that its owner doesn't, so all are equal.
// @unchecked because: `made` is only touched while `lock` is held, and nothing else changes.
final class PreparedValue<Value: Sendable>: Hashable, @unchecked Sendable {
    private let lock = NSLock()
    private var made: Value??

    /// The value; `make` is called the first time only, also when it returns `nil`.
    func value(_ make: () -> Value?) -> Value? {
        lock.withLock {
            if let made { return made }
            let value = make()
            made = .some(value)
            return value
        }
    }

    static func == (left: PreparedValue, right: PreparedValue) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
