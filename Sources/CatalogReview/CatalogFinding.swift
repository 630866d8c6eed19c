public import AppStoreSimulator

/// A mistake in the products of an app, or a change to them that takes something away from customers.
///
/// `findings(for:)` and `findings(inFile:for:)` of a catalog return findings. The command `store check` prints them.
public struct CatalogFinding: Sendable, Hashable, CustomStringConvertible {
    /// How serious a finding is.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The app can't sell a product, or customers lose something.
        case error
        /// The value is probably a mistake, or App Store Connect doesn't accept the value. A file that isn't
        /// synchronized never gets there.
        case warning
    }

    /// The rule that was broken.
    public let rule: Rule
    /// The place in the configuration file, such as `products[2].displayPrice`; empty for a place in another file.
    public let keyPath: String
    /// The path of the file; `nil` for a catalog that wasn't read from a file.
    public internal(set) var file: String?
    /// The number of the line in the file, starting with 1; `nil` without a file.
    public internal(set) var line: Int?
    /// The problem and what to do, in one or two sentences.
    public let message: String
    /// The customers who lose something by a change; empty for other findings.
    public internal(set) var customers: [Customer] = []

    /// How serious the finding is.
    public var severity: Severity { rule.severity }

    /// The place, the severity, the message and the rule, such as `Shop.storekit:12: error: … [missing-price]`.
    public var description: String {
        let place = [file, line.map(String.init)].compactMap(\.self).joined(separator: ":")
        let start = file == nil ? keyPath : place
        let end = file == nil || keyPath.isEmpty ? "" : " \(keyPath)"
        return "\(start.isEmpty ? "" : "\(start): ")\(severity.rawValue): \(message) [\(rule.rawValue)]\(end)"
    }

    init(_ rule: Rule, at keyPath: String = "", file: String? = nil, line: Int? = nil, _ message: String) {
        self.rule = rule
        self.keyPath = keyPath
        self.file = file
        self.line = line
        self.message = message
    }
}

extension CatalogFinding {
    /// A rule about products. The raw value is the name that turns the rule off in `store check --disable`.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// Two products have the same identifier.
        case duplicateIdentifier = "duplicate-identifier"
        /// An identifier is missing, or has characters or a length that App Store Connect doesn't accept.
        case identifierFormat = "identifier-format"
        /// Two identifiers differ only by case.
        case identifierCase = "identifier-case"
        /// The code names a product that the file doesn't contain.
        case identifierNotInFile = "identifier-not-in-file"
        /// The code names a product whose identifier differs from one in the file by case or by one letter.
        case misspelledIdentifier = "misspelled-identifier"
        /// The code doesn't name a product of the file.
        case identifierNotInCode = "identifier-not-in-code"
        /// A product has no price.
        case missingPrice = "missing-price"
        /// A price isn't a number with a decimal point.
        case priceFormat = "price-format"
        /// A product or a paid offer costs nothing.
        case zeroPrice = "zero-price"
        /// A product has no name or no description, or lacks a language of the other products.
        case missingLocalization = "missing-localization"
        /// A product has two localizations for a locale.
        case repeatedLocale = "repeated-locale"
        /// A locale isn't a language, or a language and a region.
        case unknownLocale = "unknown-locale"
        /// A storefront is no country or region.
        case unknownStorefront = "unknown-storefront"
        /// A text is longer than App Store Connect accepts. App Store Connect has accepted the texts of a file that it
        /// synchronizes.
        case longText = "long-text"
        /// A consumable, or a subscription that doesn't renew, is shared by families.
        case familySharingKind = "family-sharing-kind"
        /// A subscription or an offer is outside a subscription group, a subscription names another group than the one
        /// around it, or two groups have the same identifier.
        case subscriptionGroup = "subscription-group"
        /// A subscription has no period, or a period that App Store Connect doesn't have.
        case subscriptionPeriod = "subscription-period"
        /// Two subscriptions of a group have the same level and the same period.
        case equalLevels = "equal-levels"
        /// Two different introductory offers of a subscription are for the same billing plan.
        case introductoryOffers = "introductory-offers"
        /// An offer costs more than the subscription in the same time.
        case offerPrice = "offer-price"
        /// An offer has a length or a billing period that App Store Connect doesn't have.
        case offerPeriod = "offer-period"
        /// A subscription has more offers of a kind than App Store Connect allows to be active.
        case offerCount = "offer-count"
        /// A code is for no customers.
        case offerEligibility = "offer-eligibility"
        /// A year costs more than twelve months of the same level.
        case yearlyPrice = "yearly-price"
        /// A free product that begins a trial is shared by a family.
        case sharedTrial = "shared-trial"
        /// The total of a commitment isn't twelve payments.
        case commitmentTotal = "commitment-total"
        /// Subscriptions run faster than in real time.
        case timeRate = "time-rate"
        /// The file makes purchases fail or wait.
        case simulatedFailures = "simulated-failures"
        /// A date is in the past.
        case pastDate = "past-date"
        /// A value of the file can't be read.
        case unreadableValue = "unreadable-value"
        /// A scheme uses a file that doesn't exist, another file, or none.
        case schemeFile = "scheme-file"
        /// The file is a resource of an app.
        case fileInResources = "file-in-resources"
        /// A product of the previous file is missing.
        case removedProduct = "removed-product"
        /// A product has another kind or another period than in the previous file.
        case changedProduct = "changed-product"
        /// A subscription belongs to another group than in the previous file.
        case changedGroup = "changed-group"
        /// Two subscriptions of a group have another order than in the previous file.
        case changedLevel = "changed-level"
        /// Families can no longer share a product.
        case familySharingOff = "family-sharing-off"
        /// An offer or a billing plan is missing, shorter, or more expensive than in the previous file.
        case narrowedOffer = "narrowed-offer"

        /// How serious a finding of the rule is.
        public var severity: Severity {
            switch self {
            case .identifierCase, .identifierNotInCode, .zeroPrice, .missingLocalization, .repeatedLocale,
                .unknownLocale,
                .unknownStorefront, .longText, .familySharingKind, .offerPrice, .offerPeriod, .offerCount,
                .offerEligibility, .yearlyPrice, .equalLevels,
                .introductoryOffers, .sharedTrial, .timeRate, .simulatedFailures, .pastDate, .fileInResources,
                .changedLevel, .narrowedOffer:
                .warning
            default: .error
            }
        }
    }
}
