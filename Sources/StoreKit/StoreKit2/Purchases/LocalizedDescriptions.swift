// Texts for customers. Apple localizes them; here they are in English.

extension Product.ProductType {
    /// The name of the type, in English. A type without a name here returns its raw value.
    public var localizedDescription: String {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .nonRenewable: "Non-Renewing Subscription"
        case .autoRenewable: "Auto-Renewable Subscription"
        case .subscriptionBundle: "Subscription Bundle"
        case .subscriptionSuite: "Subscription Suite"
        default: rawValue
        }
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// The name of the state, in English.
    public var localizedDescription: String {
        switch self {
        case .subscribed: "Subscribed"
        case .expired: "Expired"
        case .inBillingRetryPeriod: "In Billing Retry Period"
        case .inGracePeriod: "In Grace Period"
        case .revoked: "Revoked"
        default: "Unknown"
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo.ExpirationReason {
    /// The name of the reason, in English.
    public var localizedDescription: String {
        switch self {
        case .autoRenewDisabled: "Auto-Renew Disabled"
        case .billingError: "Billing Error"
        case .didNotConsentToPriceIncrease: "Did Not Consent to Price Increase"
        case .productUnavailable: "Product Unavailable"
        case .unbundled: "Unbundled"
        default: "Unknown"
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus {
    /// The name of the status, in English.
    public var localizedDescription: String {
        switch self {
        case .noIncreasePending: "No Increase Pending"
        case .pending: "Pending"
        case .agreed: "Agreed"
        }
    }
}

extension Product.SubscriptionOffer.OfferType {
    /// The name of the type, in English. A type without a name here returns its raw value.
    public var localizedDescription: String {
        switch self {
        case .introductory: "Introductory"
        case .promotional: "Promotional"
        case .winBack: "Win-Back"
        default: rawValue
        }
    }
}

extension Product.SubscriptionOffer.PaymentMode {
    /// The name of the mode, in English. A mode without a name here returns its raw value.
    public var localizedDescription: String {
        switch self {
        case .payAsYouGo: "Pay as You Go"
        case .payUpFront: "Pay up Front"
        case .freeTrial: "Free Trial"
        default: rawValue
        }
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// The name of the unit, in English.
    public var localizedDescription: String {
        switch self {
        case .day: "Day"
        case .week: "Week"
        case .month: "Month"
        case .year: "Year"
        }
    }
}

extension Transaction.OfferType {
    /// The name of the type, in English.
    public var localizedDescription: String {
        switch self {
        case .introductory: "Introductory"
        case .promotional: "Promotional"
        case .code: "Code"
        case .winBack: "Win-Back"
        default: "Unknown"
        }
    }
}

extension Transaction.RevocationReason {
    /// The name of the reason, in English.
    public var localizedDescription: String {
        switch self {
        case .developerIssue: "Developer Issue"
        case .other: "Other"
        case .upgradedToBundle: "Upgraded to Bundle"
        default: "Unknown"
        }
    }
}

extension Transaction.OwnershipType {
    /// The name of the type, in English. A type without a name here returns its raw value.
    public var localizedDescription: String {
        switch self {
        case .purchased: "Purchased"
        case .familyShared: "Family Shared"
        case .assigned: "Assigned"
        default: rawValue
        }
    }
}
