import AppReceipt
import AppStoreServer
import AsyncStoreKit
import Foundation

/// Records the requested pauses without waiting.
final class PauseRecorder: RetryClock {
    private let pauses = Locked<[TimeInterval]>([])

    var recorded: [TimeInterval] { pauses.withLock { $0 } }

    func sleep(for seconds: TimeInterval) async throws {
        pauses.withLock { $0.append(seconds) }
        try Task.checkCancellation()
    }
}
