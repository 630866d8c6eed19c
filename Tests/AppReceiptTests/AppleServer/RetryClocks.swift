import AppReceipt
import Foundation

/// Does not wait, and remembers what it was asked to.
actor RecordingRetryClock: RetryClock {
    private(set) var delays: [TimeInterval] = []

    func sleep(for seconds: TimeInterval) async throws {
        delays.append(seconds)
        try Task.checkCancellation()
    }
}

/// Waits until the task is cancelled, and says when it has begun to.
struct HangingRetryClock: RetryClock {
    let began: AsyncStream<Void>
    private let beginning: AsyncStream<Void>.Continuation

    init() {
        (began, beginning) = AsyncStream.makeStream()
    }

    func sleep(for seconds: TimeInterval) async throws {
        let (never, _) = AsyncStream<Void>.makeStream()
        beginning.yield()
        for await _ in never {}
        throw CancellationError()
    }
}
