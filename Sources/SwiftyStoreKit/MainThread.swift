import Dispatch
import Foundation

/// Asks on the main thread and waits for the answer.
enum MainThread {
    // On Linux the main queue may be served by another thread than the one the process began with.
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread }

    /// Runs the body here when this is the main thread, else there.
    static func ask<Answer: Sendable>(_ body: @Sendable () -> Answer) -> Answer {
        isCurrent ? body() : DispatchQueue.main.sync(execute: body)
    }
}
