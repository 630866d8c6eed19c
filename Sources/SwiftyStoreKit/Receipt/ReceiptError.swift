/// Why there is no receipt, or none that can be believed.
public enum ReceiptError: Error {
    /// There is no receipt on the device, after a refresh either.
    case noReceiptData
    /// The server answered with nothing.
    case noRemoteData
    /// The request could not be written.
    case requestBodyEncodeError(error: any Error)
    /// There was no answer: of the network, of the App Store, or because the request was cancelled (`SKError.paymentCancelled`).
    case networkError(error: any Error)
    /// The server's answer, `string`, is not JSON.
    case jsonDecodeError(string: String?)
    /// The server does not believe the receipt. A status that ``ReceiptStatus`` does not know is ``ReceiptStatus/unknown``; the number
    /// is in `receipt`, the server's answer, under `status`.
    case receiptInvalid(receipt: ReceiptInfo, status: ReceiptStatus)
}

// @unchecked because: errors are Sendable, and a dictionary of Foundation objects cannot be seen to be; the ones put in here are
// immutable, unless an app's own validator says otherwise.
extension ReceiptError: @unchecked Sendable {}
