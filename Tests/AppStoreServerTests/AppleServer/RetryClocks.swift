import AppReceipt
import AppStoreServer
import Foundation
import ReceiptTestFixtures

/// A clock that records delays without waiting.
actor RecordingRetryClock: RetryClock {
    private(set) var delays: [TimeInterval] = []

    func sleep(for seconds: TimeInterval) async throws {
        delays.append(seconds)
        try Task.checkCancellation()
    }
}

/// A clock that waits until the task is canceled, and signals the start of the wait.
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
