import Foundation

/// A payload under the names of Apple's documentation.
protocol SignedPayloadEncoding: Encodable {}

extension SignedPayloadEncoding {
    /// The JSON, with its names in order.
    var encoded: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, whole numbers and Booleans only, which never fail.
        return (try? encoder.encode(self)) ?? Data("{}".utf8)
    }
}

extension Date {
    /// The time as signed payloads have it.
    var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? 0
    }
}

extension Decimal {
    /// The price as signed payloads have it.
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
    /// The word of `offerDiscountType`.
    package var word: String {
        switch self {
        case .payAsYouGo: "PAY_AS_YOU_GO"
        case .payUpFront: "PAY_UP_FRONT"
        case .freeTrial: "FREE_TRIAL"
        }
    }
}

extension SimulatedProduct.Kind {
    /// The words of `type`.
    package var words: String {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .nonRenewingSubscription: "Non-Renewing Subscription"
        case .autoRenewableSubscription: "Auto-Renewable Subscription"
        }
    }
}
