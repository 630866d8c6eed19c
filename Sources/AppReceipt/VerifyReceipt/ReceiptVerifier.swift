public import Foundation

/// Something that turns receipt data into a receipt that can be believed: local verification, Apple's server, or an app's own.
public protocol ReceiptVerifier: Sendable {
    /// Verifies a receipt file.
    ///
    /// - Parameter receiptData: the file, as the App Store left it on the device.
    /// - Returns: what the receipt says. Every answer about purchases and subscriptions is asked of it.
    /// - Throws: whatever says why the receipt cannot be believed. A verifier that was cancelled throws too.
    func verify(_ receiptData: Data) async throws -> Receipt
}
