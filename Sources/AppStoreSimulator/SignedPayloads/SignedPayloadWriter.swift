import Foundation

/// Writes a payload: a JSON object with the names of Apple's documentation. Fields that are `nil` are omitted.
///
/// The writer doesn't use `JSONEncoder`, because a list may need thousands of payloads.
struct SignedPayloadWriter {
    private var text: [UInt8] = [UInt8(ascii: "{")]

    /// The JSON.
    var data: Data { Data(text + [UInt8(ascii: "}")]) }

    mutating func add(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        beginMember(name)
        append(quoted: value)
    }

    mutating func add(_ name: StaticString, _ value: Int?) {
        add(name, value.map { Int64($0) })
    }

    mutating func add(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        beginMember(name)
        text += "\(value)".utf8
    }

    mutating func add(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        beginMember(name)
        text += (value ? "true" : "false").utf8
    }

    mutating func add(_ name: StaticString, _ values: [String]) {
        guard !values.isEmpty else { return }
        beginMember(name)
        for (index, value) in values.enumerated() {
            text.append(UInt8(ascii: index == 0 ? "[" : ","))
            append(quoted: value)
        }
        text.append(UInt8(ascii: "]"))
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

    mutating func add(_ name: StaticString, _ object: SignedPayloadWriter?) {
        guard let object else { return }
        beginMember(name)
        text += object.text + [UInt8(ascii: "}")]
    }

    /// Adds an array of objects.
    mutating func add(_ name: StaticString, _ objects: [SignedPayloadWriter]) {
        guard !objects.isEmpty else { return }
        beginMember(name)
        for (index, object) in objects.enumerated() {
            text.append(UInt8(ascii: index == 0 ? "[" : ","))
            text += object.text + [UInt8(ascii: "}")]
        }
        text.append(UInt8(ascii: "]"))
    }

    static func priceTiers(_ name: StaticString, price: Decimal, seats: Int) -> SignedPayloadWriter {
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

    private mutating func beginMember(_ name: StaticString) {
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { text += $0 }
        text += "\":".utf8
    }

    /// Appends a string with the required escapes (RFC 8259, section 7).
    private mutating func append(quoted value: String) {
        text.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text += [UInt8(ascii: "\\"), byte]
            case ..<0x20:
                let digits = String(byte, radix: 16)
                text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default:
                text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
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
