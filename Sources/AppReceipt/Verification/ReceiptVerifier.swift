public import Foundation

/// Turns receipt data into a verified receipt: on the device, through Apple's server, or through the app's own.
public protocol ReceiptVerifier: Sendable {
    /// Verifies a receipt file.
    ///
    /// - Parameter receiptData: the file, as the App Store left it on the device.
    /// - Returns: the receipt, to be asked about purchases and subscriptions.
    /// - Throws: the reason why the receipt is not genuine, or not this app's; `CancellationError`, or an error that
    ///   says so, when the task was cancelled.
    func verify(_ receiptData: Data) async throws -> Receipt
}
