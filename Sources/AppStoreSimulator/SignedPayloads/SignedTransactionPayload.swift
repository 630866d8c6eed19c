import Foundation

extension SimulatedHistoryRecord {
    /// Returns the payload of the signed transaction, Apple's `JWSTransactionDecodedPayload`.
    func signedPayload(_ seal: SigningContext) -> Data {
        let date = purchaseDate ?? seal.signedDate
        var payload = SignedPayloadWriter()
        payload.add("transactionId", transactionID ?? "")
        payload.add("originalTransactionId", originalTransactionID ?? "")
        payload.add("webOrderLineItemId", kind == .autoRenewableSubscription ? transactionID : nil)
        payload.add("bundleId", seal.bundleID)
        payload.add("productId", productID)
        payload.add("subscriptionGroupIdentifier", groupID)
        payload.add("purchaseDate", date.milliseconds)
        payload.add("originalPurchaseDate", (originalPurchaseDate ?? date).milliseconds)
        payload.add("expiresDate", expirationDate?.milliseconds)
        payload.add("quantity", quantity)
        payload.add("type", kind.words)
        payload.add("appAccountToken", appAccountToken?.uuidString.lowercased())
        payload.add("inAppOwnershipType", ownership.rawValue)
        payload.add("isUpgraded", isUpgraded ? true : nil)
        if let revocationReason {
            // An upgraded transaction has a revocation date in receipts, but not in signed transactions.
            payload.add("revocationDate", revocationDate?.milliseconds)
            payload.add("revocationReason", revocationReason.rawValue)
            payload.add("revocationType", revocationType)
            payload.add("revocationPercentage", refundedPercentage?.thousandths)
        }
        payload.add("billingPlanType", billingPlan?.rawValue)
        payload.add("commitmentInfo", commitment?.signedPayload)
        payload.add(bundle)
        payload.add("previousOriginalTransactionId", previousOriginalTransactionID)
        if isMultiSeat {
            payload.add("invitationManagement", "APPLE")
            payload.add("multiSeatInfo", SignedPayloadWriter.priceTiers("priceTiers", price: price, seats: quantity))
        }
        payload.add("additionalTransactionReason", hasAddedSeats ? "SEAT_ADDITION" : nil)
        payload.add(offer)
        payload.add("storefront", storefront.countryCode)
        payload.add("storefrontId", storefront.id)
        payload.add("transactionReason", isRenewal ? "RENEWAL" : "PURCHASE")
        payload.add("price", price.thousandths)
        payload.add("currency", currencyCode)
        payload.add("environment", seal.environment)
        payload.add("signedDate", seal.signedDate.milliseconds)
        payload.add(seal)
        return payload.data
    }
}

extension SimulatedHistoryRecord {
    /// The value of `revocationType`; `nil` for an upgrade to a bundle.
    package var revocationType: String? {
        guard let revocationReason, revocationReason != .upgradedToBundle else { return nil }
        switch ownership {
        case .purchased: return refundedPercentage == nil ? "REFUND_FULL" : "REFUND_PRORATED"
        case .familyShared: return "FAMILY_REVOKE"
        case .assigned: return "ASSIGNMENT_REVOKE"
        }
    }
}

extension SimulatedCommitment {
    /// The commitment as `commitmentInfo` of a signed transaction.
    fileprivate var signedPayload: SignedPayloadWriter {
        var payload = SignedPayloadWriter()
        payload.add("billingPeriodNumber", billingPeriodNumber)
        payload.add("totalBillingPeriods", totalBillingPeriods)
        payload.add("commitmentExpiresDate", expirationDate.milliseconds)
        payload.add("commitmentPrice", price.thousandths)
        return payload
    }
}
