/// The form in which a receipt came.
public enum ReceiptSource: String, Hashable, Sendable, Codable {
    /// An App Store receipt file.
    case pkcs7
    /// An answer of Apple's `verifyReceipt`.
    case verifyReceipt
    /// Put together by the app, a server or a test.
    case constructed
}
