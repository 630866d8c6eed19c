/// The JSON of Apple's `verifyReceipt`, or one object in it, as Foundation objects.
///
/// ``AppleReceiptValidator`` fills it with `NSString`, `NSNumber`, `NSArray`, `NSDictionary` and `NSNull`, on every platform.
/// Dictionaries that an app has put together itself, of Swift's strings and arrays too, are understood as well.
public typealias ReceiptInfo = [String: AnyObject]
