/// What a completion of the old API was called with, how often, and whether on the main queue.
package final class Answers<Value>: Sendable {
    // @unchecked because: the values are only read after they were recorded.
    private struct Answer: @unchecked Sendable {
        let value: Value
        let isOnMain: Bool
    }

    private let recorder = Recorder<Answer>()

    package init() {}

    package var count: Int { recorder.elements.count }
    package var all: [Value] { recorder.elements.map(\.value) }
    /// Whether every call so far came on the main queue.
    package var cameOnMain: Bool { recorder.elements.allSatisfy(\.isOnMain) }

    /// A completion that records, then does something.
    package func completion(then body: @escaping (Value) -> Void = { _ in }) -> (Value) -> Void {
        { value in
            self.recorder.record(Answer(value: value, isOnMain: MainQueue.isCurrent))
            body(value)
        }
    }

    /// Returns as soon as it has been called so often.
    @discardableResult
    package func first(_ count: Int) async throws -> [Value] {
        try await recorder.first(count).map(\.value)
    }

    /// The first value it was called with.
    package func next() async throws -> Value {
        try await recorder.first(1)[0].value
    }
}
