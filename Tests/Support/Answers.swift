/// Records the calls of a block API's completion: the values, their number, and whether they were on the main queue.
package final class Answers<Value>: Sendable {
    // @unchecked because: the values are read only after they were recorded.
    private struct Answer: @unchecked Sendable {
        let value: Value
        let isOnMain: Bool
    }

    private let recorder = Recorder<Answer>()

    package init() {}

    package var count: Int { recorder.elements.count }
    package var all: [Value] { recorder.elements.map(\.value) }
    /// Whether every call was on the main queue.
    package var cameOnMain: Bool { recorder.elements.allSatisfy(\.isOnMain) }

    /// Returns a completion that records the value and calls a closure.
    package func completion(then body: @escaping (Value) -> Void = { _ in }) -> (Value) -> Void {
        { value in
            self.recorder.record(Answer(value: value, isOnMain: MainQueue.isCurrent))
            body(value)
        }
    }

    /// Waits for a number of calls.
    @discardableResult
    package func first(_ count: Int) async throws -> [Value] {
        try await recorder.first(count).map(\.value)
    }

    /// Waits for the first value.
    package func next() async throws -> Value {
        try await recorder.first(1)[0].value
    }
}
