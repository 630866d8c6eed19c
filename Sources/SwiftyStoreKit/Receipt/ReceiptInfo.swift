public import Foundation

/// The JSON of Apple's `verifyReceipt`, or one object in it, as Foundation objects.
///
/// ``AppleReceiptValidator`` fills it with `NSString`, `NSNumber`, `NSArray`, `NSDictionary` and `NSNull`, on every platform.
/// Dictionaries that an app has put together itself, of Swift's strings and arrays too, are understood as well.
public typealias ReceiptInfo = [String: AnyObject]

/// What comes of fetching the receipt.
public enum FetchReceiptResult {
    /// The receipt file, encoded as the App Store left it.
    case success(receiptData: Data)
    /// There is no receipt, or no new one.
    case error(error: ReceiptError)
}

/// What comes of validating a receipt.
public enum VerifyReceiptResult {
    /// The receipt is genuine; its subscriptions may have expired.
    case success(receipt: ReceiptInfo)
    /// It cannot, or nobody could be asked.
    case error(error: ReceiptError)
}

/// Whether a product was bought.
public enum VerifyPurchaseResult {
    /// It was; `item` is the latest purchase that stands.
    case purchased(item: ReceiptItem)
    /// It was not, or every purchase was taken back.
    case notPurchased
}

/// Where a subscription stands. The items are the periods that count, the one that ends last first.
public enum VerifySubscriptionResult {
    /// It runs until `expiryDate`; within a billing grace period, that is its end, which is later than the last period's.
    case purchased(expiryDate: Date, items: [ReceiptItem])
    /// It ended at `expiryDate`.
    case expired(expiryDate: Date, items: [ReceiptItem])
    /// The receipt has no period of it that counts: none was bought, or each was taken back or upgraded away.
    case notPurchased
}

/// The kind of a subscription.
public enum SubscriptionType: Hashable {
    /// Apple renews it, and the receipt says when each period ends.
    case autoRenewable
    /// The app knows how long it lasts: `validDuration` seconds from the original purchase date.
    case nonRenewing(validDuration: TimeInterval)
}

/// Why there is no receipt, or none that is genuine.
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

/// The status in an answer of Apple's `verifyReceipt`.
public enum ReceiptStatus: Int {
    /// A status that is none of these.
    case unknown = -2
    /// The answer has no status.
    case none = -1
    /// The receipt is genuine.
    case valid = 0
    /// The request was not understood.
    case jsonNotReadable = 21000
    /// The receipt was not understood, or the server was in trouble.
    case malformedOrMissingData = 21002
    /// The receipt is not genuine.
    case receiptCouldNotBeAuthenticated = 21003
    /// The shared secret is not the one of the account.
    case secretNotMatching = 21004
    /// The server is not available at the moment.
    case receiptServerUnavailable = 21005
    /// The receipt is genuine, and its subscription has expired.
    case subscriptionExpired = 21006
    /// A receipt of the sandbox was sent to production.
    case testReceipt = 21007
    /// A receipt of production was sent to the sandbox.
    case productionEnvironment = 21008
}

/// Something that turns receipt data into a genuine receipt, or says why it cannot: Apple's server, an app's own, or the device.
public protocol ReceiptValidator {
    /// Validates receipt data.
    ///
    /// - Parameters:
    ///   - receiptData: the receipt file, as the App Store left it on the device.
    ///   - completion: to be called with the result, on any thread. The first call counts; further ones do no harm. While there
    ///     is none, the request that ``SwiftyStoreKit/verifyReceipt(using:forceRefresh:completion:)`` returned can be cancelled.
    func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void)
}

// swift-format-ignore-file: AlwaysUseLowerCamelCase
