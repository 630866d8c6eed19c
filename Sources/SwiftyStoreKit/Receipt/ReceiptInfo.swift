import AppReceipt
public import Foundation

/// The JSON response of Apple's `verifyReceipt`, or one object of the response, as Foundation objects.
///
/// ``AppleReceiptValidator`` returns `NSString`, `NSNumber`, `NSArray`, `NSDictionary` and `NSNull` on every platform.
/// Dictionaries that your app creates, including those of Swift strings and arrays, are supported as well.
public typealias ReceiptInfo = [String: AnyObject]

/// The result of fetching the receipt.
public enum FetchReceiptResult {
    /// The unchanged content of the receipt file.
    case success(receiptData: Data)
    /// The device has no receipt, or the refresh failed.
    case error(error: ReceiptError)
}

/// The result of validating a receipt.
public enum VerifyReceiptResult {
    /// The receipt is valid. Its subscriptions may have expired.
    case success(receipt: ReceiptInfo)
    /// The receipt is invalid, or the validation failed.
    case error(error: ReceiptError)
}

/// The result of checking a purchase.
public enum VerifyPurchaseResult {
    /// The customer bought the product. `item` is the latest purchase that wasn't revoked.
    case purchased(item: ReceiptItem)
    /// The customer didn't buy the product, or every purchase was revoked.
    case notPurchased
}

/// The result of checking a subscription. The items are the valid periods, latest end first.
public enum VerifySubscriptionResult {
    /// The subscription is active until `expiryDate`. In a billing grace period, this is the end of the grace period,
    /// which is later than the end of the last period.
    case purchased(expiryDate: Date, items: [ReceiptItem])
    /// The subscription expired at `expiryDate`.
    case expired(expiryDate: Date, items: [ReceiptItem])
    /// The receipt contains no valid period: the customer bought none, or every period was revoked or upgraded.
    case notPurchased
}

/// The type of a subscription.
public enum SubscriptionType: Hashable {
    /// Apple renews the subscription, and the receipt contains the end of each period.
    case autoRenewable
    /// The subscription lasts `validDuration` seconds from the original purchase date.
    case nonRenewing(validDuration: TimeInterval)
}

/// The reason that a valid receipt isn't available.
public enum ReceiptError: Error {
    /// The device has no receipt, even after a refresh.
    case noReceiptData
    /// The server's response was empty.
    case noRemoteData
    /// The request couldn't be encoded.
    case requestBodyEncodeError(error: any Error)
    /// The network or the App Store failed, or the request was canceled (`SKError.paymentCancelled`).
    case networkError(error: any Error)
    /// The server's response, `string`, isn't JSON.
    case jsonDecodeError(string: String?)
    /// The server rejected the receipt. `receipt` is the server's response. For a status without a case, `status` is
    /// ``ReceiptStatus/unknown``, and the number is in the response under `status`.
    case receiptInvalid(receipt: ReceiptInfo, status: ReceiptStatus)
}

// @unchecked because: errors must be Sendable, but the compiler can't check a dictionary of Foundation objects. This
// module's objects are immutable; those of an app's own validator may be mutable.
extension ReceiptError: @unchecked Sendable {}

/// The status in a response of Apple's `verifyReceipt`.
public enum ReceiptStatus: Int {
    /// A status without a case.
    case unknown = -2
    /// The response has no status.
    case none = -1
    /// The receipt is valid.
    case valid = 0
    /// The server couldn't read the request.
    case jsonNotReadable = 21000
    /// The receipt data was malformed, or the server had a temporary problem.
    case malformedOrMissingData = 21002
    /// The receipt couldn't be authenticated.
    case receiptCouldNotBeAuthenticated = 21003
    /// The shared secret doesn't match the account's secret.
    case secretNotMatching = 21004
    /// The server is temporarily unavailable.
    case receiptServerUnavailable = 21005
    /// The receipt is valid, and its subscription has expired.
    case subscriptionExpired = 21006
    /// A sandbox receipt was sent to production.
    case testReceipt = 21007
    /// A production receipt was sent to the sandbox.
    case productionEnvironment = 21008
}

/// Validates receipt data, for example with Apple's server, your own server or on the device.
public protocol ReceiptValidator {
    /// Validates receipt data.
    ///
    /// - Parameters:
    ///   - receiptData: The unchanged content of the receipt file on the device.
    ///   - completion: Call this closure with the result, on any thread. The first call is used, and later calls have
    ///     no effect. Until the first call, the request that
    ///     ``SwiftyStoreKit/verifyReceipt(using:forceRefresh:completion:)`` returned can be canceled.
    func validate(receiptData: Data, completion: @escaping (VerifyReceiptResult) -> Void)
}

extension ReceiptInfo {
    /// Creates immutable Foundation objects, the same on every platform, from a server's response.
    init(_ members: [String: ReceiptValue]) {
        self = members.mapValues { $0.foundationObject }
    }
}

extension ReceiptValue {
    fileprivate var foundationObject: NSObject {
        switch self {
        case .null: NSNull()
        case .bool(let flag): NSNumber(value: flag)
        case .number(let text): Self.number(text)
        case .string(let text): NSString(string: text)
        case .array(let elements): NSArray(array: elements.map(\.foundationObject))
        case .object(let members): NSDictionary(dictionary: members.mapValues(\.foundationObject))
        case .data(let data): NSData(data: data)
        }
    }

    /// Returns a whole number as an integer, so that no digit of an identifier is lost.
    private static func number(_ text: String) -> NSNumber {
        if let number = Int64(text) { return NSNumber(value: number) }
        if let number = UInt64(text) { return NSNumber(value: number) }
        return NSNumber(value: Double(text) ?? .nan)
    }
}

// swift-format-ignore-file: AlwaysUseLowerCamelCase
