public import AsyncStoreKit
import Foundation

// What an app's server signs. The simulated App Store doesn't know the key, and accepts every signature of the right
// form, as Xcode's does.
extension PurchaseOffer {
    /// Returns a promotional offer with a signature that the simulated App Store accepts, over both engines.
    ///
    /// ```swift
    /// try await store.purchase(
    ///     "club.monthly", options: [.offer(.simulatedPromotional("back"))])
    /// ```
    /// - Parameter id: The identifier of an offer among the product's promotional offers.
    public static func simulatedPromotional(_ id: String) -> PurchaseOffer {
        promotional(id: id, keyID: "SIMULATED", nonce: UUID(), signature: "c2lnbmVk", timestamp: 0)
    }
}

extension PurchaseOption {
    /// Returns the server's decision whether the introductory offer applies, with a signature that the simulated App
    /// Store accepts. StoreKit 2 only.
    ///
    /// Without the option, the App Store decides: the offer applies if the customer hasn't used one of the group.
    /// - Parameter isEligible: Whether the introductory offer applies.
    public static func simulatedIntroductoryOfferEligibility(_ isEligible: Bool) -> PurchaseOption {
        let claims = Data(#"{"allowIntroductoryOffer":\#(isEligible)}"#.utf8).base64EncodedString()
        let unpadded = String(claims.prefix { $0 != "=" }).replacingOccurrences(of: "/", with: "_")
        return introductoryOfferEligibility(jws: "e30.\(unpadded.replacingOccurrences(of: "+", with: "-")).c2lnbmVk")
    }
}
