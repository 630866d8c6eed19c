public import Foundation

/// The offer that applies to a purchase.
///
/// StoreKit applies introductory offers automatically. The set of kinds is open: Apple may add to it.
public struct PurchaseOffer: Sendable, Hashable {
    package enum Form: Sendable, Hashable {
        // Stored out of line, because most requests have no offer.
        indirect case promotional(Signature)
        case signed(jws: String)
        case winBack
    }

    /// The first kind of signature, which both engines take.
    package struct Signature: Sendable, Hashable {
        package let keyID: String
        package let nonce: UUID
        /// In base64.
        package let signature: String
        /// In milliseconds since 1970.
        package let timestamp: Int64

        package init(keyID: String, nonce: UUID, signature: String, timestamp: Int64) {
            self.keyID = keyID
            self.nonce = nonce
            self.signature = signature
            self.timestamp = timestamp
        }
    }

    /// The identifier of the offer.
    public let id: String
    package let form: Form

    /// A promotional offer with the first kind of signature. Both engines support it. Deprecated by Apple in iOS 26.
    ///
    /// Over StoreKit 2, the purchase throws ``StoreError/Code/offerUnavailable`` on watches whose integers have 32
    /// bits, such as Apple Watch Series 8 and earlier. Use ``promotional(id:jws:)`` there.
    /// - Parameters:
    ///   - id: The identifier of the offer.
    ///   - keyID: The identifier of the key that signed the offer.
    ///   - nonce: The nonce that was signed.
    ///   - signature: The signature of the app's server, in base64.
    ///   - timestamp: The time of the signature, in milliseconds since 1970.
    public static func promotional(id: String, keyID: String, nonce: UUID, signature: String, timestamp: Int64)
        -> PurchaseOffer
    {
        let signature = Signature(keyID: keyID, nonce: nonce, signature: signature, timestamp: timestamp)
        return PurchaseOffer(id: id, form: .promotional(signature))
    }

    /// A promotional offer with the first kind of signature, in the types of StoreKit 2. Both engines support it.
    /// Deprecated by Apple in iOS 26. See ``promotional(id:keyID:nonce:signature:timestamp:)-(_,_,_,String,_)``.
    /// - Parameters:
    ///   - id: The identifier of the offer.
    ///   - keyID: The identifier of the key that signed the offer.
    ///   - nonce: The nonce that was signed.
    ///   - signature: The signature of the app's server.
    ///   - timestamp: When the offer was signed, in milliseconds since 1970.
    public static func promotional(
        id: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> PurchaseOffer {
        promotional(
            id: id, keyID: keyID, nonce: nonce, signature: signature.base64EncodedString(), timestamp: Int64(timestamp))
    }

    /// A promotional offer with a JSON Web Signature of the app's server. Over StoreKit 1, the purchase throws
    /// ``StoreError/Code/offerUnavailable``.
    public static func promotional(id: String, jws: String) -> PurchaseOffer {
        PurchaseOffer(id: id, form: .signed(jws: jws))
    }

    /// A win-back offer, one of ``StoreProduct/winBackOffers`` or of a billing plan's offers. See ``winBack(id:)``.
    ///
    /// With an offer of another kind, the purchase throws ``StoreError/Code/invalidOfferIdentifier``.
    public static func winBack(_ offer: StoreOffer) -> PurchaseOffer {
        // Every win-back offer has an identifier. The product has no win-back offer with an empty one.
        winBack(id: offer.kind == .winBack ? offer.id ?? "" : "")
    }

    /// A win-back offer, by the identifier of one of ``StoreProduct/winBackOffers``. StoreKit 2 takes it in iOS 18,
    /// macOS 15, tvOS 18, watchOS 11, visionOS 2 and later; elsewhere the purchase throws
    /// ``StoreError/Code/offerUnavailable``.
    public static func winBack(id: String) -> PurchaseOffer {
        PurchaseOffer(id: id, form: .winBack)
    }
}
