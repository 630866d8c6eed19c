public import Foundation

/// Verifies receipt files: on the device, with Apple's server, or with your own server.
public protocol ReceiptVerifier: Sendable {
    /// Verifies a receipt file.
    ///
    /// - Parameter receiptData: the unchanged receipt file from the App Store.
    /// - Returns: the verified receipt.
    /// - Throws: an error if the receipt isn't genuine or belongs to another app; `CancellationError` or a
    ///   corresponding error if the task was canceled.
    func verify(_ receiptData: Data) async throws -> Receipt
}

/// An error of a receipt verifier that says whether the cancellation of the task is its cause.
package protocol CancellationReporting: Error {
    /// Whether the task was canceled.
    var isCancellation: Bool { get }
}
