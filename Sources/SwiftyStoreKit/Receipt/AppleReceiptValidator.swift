public import Foundation

/// Asks Apple's `verifyReceipt`.
public class AppleReceiptValidator: ReceiptValidator {
    /// Where Apple is asked.
    public enum VerifyReceiptURLType: String {
        /// Apple's server for apps from the App Store.
        case production = "https://buy.itunes.apple.com/verifyReceipt"
        /// Apple's server for tests.
        case sandbox = "https://sandbox.itunes.apple.com/verifyReceipt"
    }

    /// Which server is asked first.
    public var service: VerifyReceiptURLType
    private let sharedSecret: String?

    /// Creates a validator.
    public init(service: VerifyReceiptURLType = .production, sharedSecret: String? = nil) {
        self.service = service
        self.sharedSecret = sharedSecret
    }

    /// Validates receipt data.
    public func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void) {
        completion(.error(error: .noRemoteData))
    }
}
