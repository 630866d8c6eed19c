import Foundation

/// Returns whether an object is deallocated within ten seconds. Threads may still be returning from its functions.
/// - Parameter object: Returns the object, from a weak reference.
nonisolated(nonsending) package func isReleased(_ object: () -> AnyObject?) async -> Bool {
    let begin = Date()
    while object() != nil {
        guard Date().timeIntervalSince(begin) < 10 else { return false }
        await Task.yield()
    }
    return true
}
