import Foundation

extension SimulatedRenewal {
    /// Returns the payload of the signed renewal information, Apple's `JWSRenewalInfoDecodedPayload`.
    func signedPayload(_ seal: SigningContext) -> Data {
        var payload = SignedPayloadWriter()
        payload.add("originalTransactionId", originalTransactionID)
        payload.add("productId", productID)
        payload.add("autoRenewProductId", autoRenewPreference)
        payload.add("autoRenewStatus", willAutoRenew ? 1 : 0)
        payload.add("expirationIntent", expirationReason?.rawValue)
        payload.add("isInBillingRetryPeriod", isInBillingRetry)
        payload.add("gracePeriodExpiresDate", gracePeriodExpirationDate?.milliseconds)
        payload.add("priceIncreaseStatus", priceIncrease?.rawValue)
        payload.add(offer)
        payload.add("eligibleWinBackOfferIds", eligibleWinBackOfferIDs.isEmpty ? nil : eligibleWinBackOfferIDs)
        payload.add("recentSubscriptionStartDate", recentSubscriptionStartDate?.milliseconds)
        payload.add("renewalDate", renewalDate?.milliseconds)
        payload.add("renewalPrice", renewalPrice?.thousandths)
        payload.add("currency", currencyCode)
        payload.add("renewalBillingPlanType", billingPlan?.rawValue)
        payload.add("commitmentInfo", commitment?.signedPayload)
        payload.add(bundle)
        payload.add("willUnbundle", bundle == nil ? nil : willUnbundle)
        if let seats {
            payload.add("renewalQuantity", seats)
            let tiers = SignedPayloadWriter.priceTiers("renewalPriceTiers", price: renewalPrice ?? 0, seats: seats)
            payload.add("multiSeatInfo", tiers)
        }
        payload.add("appAccountToken", applicationUsername.flatMap(UUID.init(uuidString:))?.uuidString.lowercased())
        payload.add("environment", seal.environment)
        payload.add("signedDate", seal.signedDate.milliseconds)
        payload.add(seal)
        return payload.data
    }
}

extension SimulatedRenewalCommitment {
    /// The commitment as `commitmentInfo` of signed renewal information.
    fileprivate var signedPayload: SignedPayloadWriter {
        var payload = SignedPayloadWriter()
        payload.add("commitmentAutoRenewProductId", autoRenewPreference)
        payload.add("commitmentAutoRenewStatus", willAutoRenew ? 1 : 0)
        payload.add("commitmentRenewalDate", renewalDate.milliseconds)
        payload.add("commitmentRenewalPrice", renewalPrice.thousandths)
        payload.add("commitmentRenewalBillingPlanType", renewalBillingPlan.rawValue)
        return payload
    }
}

extension SimulatedAppTransaction {
    /// Returns the payload of the signed app transaction, Apple's `JWSAppTransactionDecodedPayload`.
    func signedPayload(_ seal: SigningContext) -> Data {
        var payload = SignedPayloadWriter()
        payload.add("bundleId", seal.bundleID)
        payload.add("applicationVersion", version)
        payload.add("originalApplicationVersion", originalVersion)
        payload.add("originalPurchaseDate", originalPurchaseDate.milliseconds)
        payload.add("originalPlatform", originalPlatform)
        payload.add("receiptType", seal.environment)
        payload.add("appRevocationDate", revocationDate?.milliseconds)
        payload.add("receiptCreationDate", seal.signedDate.milliseconds)
        payload.add(seal)
        return payload.data
    }
}
