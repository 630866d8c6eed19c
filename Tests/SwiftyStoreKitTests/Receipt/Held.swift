/// Passes a value that isn't Sendable to another thread.
// @unchecked because: tests pass the value on, or call functions that allow any thread.
struct Held<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
