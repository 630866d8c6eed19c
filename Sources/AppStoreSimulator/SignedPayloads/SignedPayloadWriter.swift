import Foundation

/// Writes a payload: a JSON object with the names of Apple's documentation. Fields that are `nil` are omitted.
struct SignedPayloadWriter: Encodable {
    private struct Member: Encodable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private var members: [String: Member] = [:]

    /// The JSON, which is the same for the same members.
    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The object contains only strings, whole numbers, Booleans, arrays and objects, whose encoding never fails.
        return (try? encoder.encode(self)) ?? Data()
    }

    func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

    mutating func add(_ name: String, _ value: (any Encodable)?) {
        members[name] = value.map(Member.init)
    }

    /// Adds the fields that tie every payload to the app's download and the device.
    mutating func add(_ seal: SigningContext) {
        add("appTransactionId", seal.namesAppTransaction ? seal.appTransactionID : nil)
        add("deviceVerification", SimulatedSignedText.deviceVerification(seal).base64EncodedString())
        add("deviceVerificationNonce", seal.nonce.uuidString.lowercased())
    }

    /// Adds the offer of a period.
    mutating func add(_ offer: SimulatedTransactionOffer?) {
        guard let offer else { return }
        add("offerType", offer.kind.rawValue)
        add("offerIdentifier", offer.terms.id)
        add("offerDiscountType", offer.paymentModeWord)
        add("offerPeriod", offer.periodDuration)
    }

    static func priceTiers(_ name: String, price: Decimal, seats: Int) -> SignedPayloadWriter {
        var tier = SignedPayloadWriter()
        tier.add("price", price.thousandths)
        tier.add("quantity", seats)
        var list = SignedPayloadWriter()
        list.add(name, [tier])
        return list
    }

    /// Adds the bundle of a subscription.
    mutating func add(_ bundle: SimulatedBundleMembership?) {
        guard let bundle else { return }
        add("bundleProductId", bundle.productID)
        add("bundleSubscriptionGroupIdentifier", bundle.groupID)
        add("bundleTransactionId", bundle.transactionID)
        add("bundleOriginalTransactionId", bundle.originalTransactionID)
    }
}

extension Date {
    /// The date as signed payloads contain it, in milliseconds since 1970.
    var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? 0
    }

    /// The next date that a signed payload tells apart from this one. Of two signatures, the later one is used.
    var nextMillisecond: Date {
        Date(timeIntervalSince1970: ((timeIntervalSince1970 * 1_000).rounded() + 1) / 1_000)
    }
}

extension Decimal {
    /// The price as signed payloads contain it, in thousandths.
    var thousandths: Int64 {
        NSDecimalNumber(decimal: (self * 1_000).inWhole).int64Value
    }

    private var inWhole: Decimal {
        var (number, rounded) = (self, Decimal())
        NSDecimalRound(&rounded, &number, 0, .plain)
        return rounded
    }
}

extension SimulatedPeriod {
    /// The period as an ISO 8601 duration.
    package var duration: String {
        switch unit {
        case .day: "P\(numberOfUnits)D"
        case .week: "P\(numberOfUnits)W"
        case .month: "P\(numberOfUnits)M"
        case .year: "P\(numberOfUnits)Y"
        }
    }
}

extension SimulatedSubscription.Offer.PaymentMode {
    /// The value of `offerDiscountType`.
    package var word: String {
        switch self {
        case .payAsYouGo: "PAY_AS_YOU_GO"
        case .payUpFront: "PAY_UP_FRONT"
        case .freeTrial: "FREE_TRIAL"
        }
    }
}

extension SimulatedProduct.Kind {
    /// The value of `type`.
    package var words: String {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .nonRenewingSubscription: "Non-Renewing Subscription"
        case .autoRenewableSubscription: "Auto-Renewable Subscription"
        }
    }
}
