/// Carries what is not Sendable to where a test uses it next.
// @unchecked because: tests hand it over, or call functions that may be called from any thread.
struct Held<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
