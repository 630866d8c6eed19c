/// A large value that copies share: passing it on retains a reference, and doesn't copy every field.
///
/// Read a field with `shared.value.field`, which loads that field alone. To change the value, make another one.
final class Shared<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension Shared: Equatable where Value: Equatable {
    static func == (left: Shared, right: Shared) -> Bool {
        left === right || left.value == right.value
    }
}
