public import Foundation

/// Something that turns receipt data into a receipt that can be believed, or says why it cannot: Apple's server, an app's own, or the device.
public protocol ReceiptValidator {
    /// Validates receipt data.
    ///
    /// - Parameters:
    ///   - receiptData: the receipt file, as the App Store left it on the device.
    ///   - completion: to be called with the result, on any thread. The first call counts; further ones do no harm. While there
    ///     is none, the request that ``SwiftyStoreKit/verifyReceipt(using:forceRefresh:completion:)`` returned can be cancelled.
    func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void)
}
