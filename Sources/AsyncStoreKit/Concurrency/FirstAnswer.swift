/// Waits for the first answer to something that is started and may be cancelled. Whatever comes after it is ignored.
package final class FirstAnswer<Value: Sendable>: Sendable {
    package typealias Answer = Result<Value, any Error>

    private let pending = PendingAnswer<Answer>()

    package init() {}

    /// Starts, and waits. Once; a task that is cancelled before does not start at all.
    package func wait(start: () -> Void, cancel: @escaping @Sendable () -> Void) async -> Answer {
        await withTaskCancellationHandler {
            if !pending.isThere {
                start()
                // A cancellation that came between had nothing to cancel yet.
                if pending.isThere { cancel() }
            }
            return await pending.value()
        } onCancel: {
            cancel()
            end(.failure(CancellationError()))
        }
    }

    package func end(_ answer: Answer) {
        pending.answer(answer)
    }
}
