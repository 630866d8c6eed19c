/// An error of a receipt verifier that says whether the cancellation of the task is its cause.
package protocol CancellationReporting: Error {
    /// Whether the task was cancelled.
    var isCancellation: Bool { get }
}
