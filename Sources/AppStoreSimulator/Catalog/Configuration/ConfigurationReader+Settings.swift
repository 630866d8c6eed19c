import Foundation

extension ConfigurationReader {
    // The numbers of SKTestTimeRate in Apple's SKTestSession.h; for the deprecated ones 4 and 5 the replacements it names.
    private static let timeRates: [Int64: TimeRate] = [
        0: .realTime, 4: .monthlyRenewalEveryThirtyMinutes, 5: .monthlyRenewalEveryFifteenMinutes, 6: .oneSecondIsOneDay,
        10: .monthlyRenewalEveryHour, 11: .monthlyRenewalEveryThirtyMinutes, 12: .monthlyRenewalEveryFifteenMinutes,
        13: .monthlyRenewalEveryFiveMinutes, 15: .monthlyRenewalEveryThirtySeconds, 1002: .oneRenewalEveryMinute,
        1003: .oneRenewalEveryThirtySeconds, 1004: .oneRenewalEveryTenSeconds, 1005: .oneRenewalEveryTwoSeconds,
    ]

    static func settings(_ node: ConfigurationNode) throws(CatalogError) -> SimulatorSettings {
        var settings = SimulatorSettings()
        func isOn(_ key: String) throws(CatalogError) -> Bool {
            try node.optional(key)?.bool() ?? false
        }
        settings.askToBuyEnabled = try isOn("_askToBuyEnabled")
        let (interrupted, billingIssues) = (try isOn("_interruptedPurchasesEnabled"), try isOn("_billingIssuesEnabled"))
        settings.interruptedPurchasesEnabled = interrupted || billingIssues
        settings.failTransactionsEnabled = try isOn("_failTransactionsEnabled")
        settings.billingGracePeriodIsEnabled = try isOn("_billingGracePeriodEnabled")
        settings.shouldEnterBillingRetryOnRenewal = try isOn("_renewalBillingIssuesEnabled")
        if let rate = try node.optional("_timeRate") {
            settings.timeRate = timeRates[try rate.integer(in: 0...9999)]
        }
        for error in try node.elements("_storeKitErrors") where try error.optional("enabled")?.bool() ?? false {
            settings.enabledErrors.append(try error.required("name").string())
        }
        return settings
    }

    /// The storefront of the settings, if they name one. A country without a known storefront gets an empty identifier.
    static func storefront(_ settings: ConfigurationNode) throws(CatalogError) -> SimulatedStorefront? {
        guard let node = try settings.optional("_storefront") else { return nil }
        let code = try node.string()
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
            throw node.invalid("is not a three-letter country code")
        }
        return SimulatedStorefront(countryCode: code) ?? SimulatedStorefront(countryCode: code, identifier: "")
    }

    /// Adds the storefront's currency where the locale's own region has another, or none.
    static func localeIdentifier(_ localeIdentifier: String, pricedIn storefront: SimulatedStorefront) -> String {
        guard let currency = storefront.currencyCode, !localeIdentifier.contains("@"),
            Locale(identifier: localeIdentifier).currencyCode != currency
        else { return localeIdentifier }
        return "\(localeIdentifier)@currency=\(currency)"
    }
}
