/// A sheet that the system presents for the app.
package enum StoreSheet: Sendable, Hashable {
    /// Redeems an offer code. iOS and visionOS; over StoreKit 2 also macOS 15 and later, and Mac Catalyst 27 and
    /// later. In earlier versions, Apple's functions show nothing there.
    case codeRedemption
    /// Asks for consent to a price increase that ``PaymentQueuePolicies/shouldShowPriceConsent`` has held. StoreKit 1
    /// only.
    case priceConsent
    /// Changes or cancels subscriptions. StoreKit 2, on iOS, Mac Catalyst and visionOS.
    case subscriptionManagement(groupID: String? = nil)
    /// Requests a refund. StoreKit 2, on iOS, Mac Catalyst, visionOS and macOS.
    case refundRequest(transactionID: String)
    /// Shows one of the App Store's messages. StoreKit 2, on iOS, Mac Catalyst and visionOS.
    case message(StoreMessage)
}

/// A message from the App Store to the customer, which the app shows with ``PurchaseStore/show(_:in:)``.
public struct StoreMessage: Sendable, Hashable, Identifiable {
    /// The reason of a message. The set is open: Apple may add to it.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The name of the reason.
        public let description: String

        /// Anything else.
        public static let generic = Reason(description: "generic")
        /// A higher price needs the customer's consent.
        public static let priceIncreaseConsent = Reason(description: "priceIncreaseConsent")
        /// The App Store couldn't collect the price of a renewal.
        public static let billingIssue = Reason(description: "billingIssue")
        /// A win-back offer is available.
        public static let winBackOffer = Reason(description: "winBackOffer")

        package init(description: String) {
            self.description = description
        }
    }

    /// Identifies a message within this process.
    public struct ID: Sendable, Hashable {
        private let call = CallID()

        package init() {}
    }

    /// The identifier of the message.
    public let id: ID
    /// The reason of the message.
    public let reason: Reason

    package init(id: ID = ID(), reason: Reason) {
        self.id = id
        self.reason = reason
    }
}

extension StoreSheet {
    /// The purpose of the sheet, in words.
    var purpose: String {
        switch self {
        case .codeRedemption: "offer codes"
        case .priceConsent: "the consent to a new price"
        case .subscriptionManagement: "the management of subscriptions"
        case .refundRequest: "refund requests"
        case .message: "the App Store's messages"
        }
    }
}
