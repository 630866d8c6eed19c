/// Stores a large optional value out of line.
///
/// The containing value stays small, and so does the code that copies, moves and destroys it: a copy retains a
/// reference.
@propertyWrapper
package struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
        case nothing
        indirect case something(Value)
    }

    private var storage: Storage

    package init(wrappedValue: Value?) {
        storage = wrappedValue.map { .something($0) } ?? .nothing
    }

    package var wrappedValue: Value? {
        get {
            guard case .something(let value) = storage else { return nil }
            return value
        }
        set { self = Boxed(wrappedValue: newValue) }
    }
}
