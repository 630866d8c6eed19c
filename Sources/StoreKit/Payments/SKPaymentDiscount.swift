package import AppStoreSimulator
public import Foundation

/// A promotional offer that the app's server has signed for one payment.
@available(iOS, deprecated: 18.0)
// @unchecked because: the initializer sets every property; the timestamp is an immutable number.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private let contents: SimulatedPayment.Discount
    private let signedAt: NSNumber

    /// Creates a signed offer.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the offer.
    ///   - keyIdentifier: The identifier of the key that signed the offer.
    ///   - nonce: The signed nonce.
    ///   - signature: The signature, in base64.
    ///   - timestamp: The time of the signature, in milliseconds since 1970.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        contents = SimulatedPayment.Discount(
            offerID: identifier, keyID: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
        signedAt = timestamp
    }

    /// Creates an offer with empty properties.
    public override convenience init() {
        self.init(identifier: "", keyIdentifier: "", nonce: UUID(), signature: "", timestamp: 0)
    }

    package convenience init(_ discount: SimulatedPayment.Discount) {
        self.init(
            identifier: discount.offerID, keyIdentifier: discount.keyID, nonce: discount.nonce,
            signature: discount.signature,
            timestamp: NSNumber(value: discount.timestamp))
    }

    /// The identifier of the offer.
    open var identifier: String {
        contents.offerID
    }

    /// The identifier of the key that signed the offer.
    open var keyIdentifier: String {
        contents.keyID
    }

    /// The signed nonce.
    open var nonce: UUID {
        contents.nonce
    }

    /// The signature, in base64.
    open var signature: String {
        contents.signature
    }

    /// The time of the signature, in milliseconds since 1970.
    open var timestamp: NSNumber {
        signedAt
    }

    package var simulatedDiscount: SimulatedPayment.Discount {
        SimulatedPayment.Discount(
            offerID: identifier, keyID: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
    }
}
