import AppStoreSimulator
import CatalogReview
import Foundation

/// A configuration file without mistakes, for reviews of changed copies.
enum ReviewedFile {
    static let path = "Shop.storekit"
    static let productIDs = ["app.coins", "app.pro", "app.season", "app.yearly", "app.monthly"]
    /// A date at which no offer has ended.
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Returns the review of the file with replaced texts.
    static func review(_ edits: (old: String, new: String)...) throws -> CatalogReview {
        try review(edits)
    }

    static func review(_ edits: [(old: String, new: String)]) throws -> CatalogReview {
        var text = good
        for edit in edits {
            guard let range = text.range(of: edit.old) else { throw MissingText(text: edit.old) }
            text.replaceSubrange(range, with: edit.new)
        }
        return try CatalogReview(Data(text.utf8), path: path)
    }

    struct MissingText: Error { let text: String }

    static let good = """
        {
          "identifier" : "0A0B0C10",
          "nonRenewingSubscriptions" : [
            { "displayPrice" : "9.99", "familyShareable" : false, "internalID" : "3", "localizations" : [
                { "description" : "Alles bis Herbst.", "displayName" : "Saison", "locale" : "de" },
                { "description" : "Everything until fall.", "displayName" : "Season", "locale" : "en_US" }
              ], "productID" : "app.season", "referenceName" : "Season", "type" : "NonRenewingSubscription" }
          ],
          "products" : [
            { "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "1", "localizations" : [
                { "description" : "Zehn Münzen.", "displayName" : "Münzen", "locale" : "de" },
                { "description" : "Ten coins.", "displayName" : "Coins", "locale" : "en_US" }
              ], "productID" : "app.coins", "referenceName" : "Coins", "type" : "Consumable" },
            { "displayPrice" : "24.99", "familyShareable" : true, "internalID" : "2", "localizations" : [
                { "description" : "Alle Werkzeuge.", "displayName" : "Profi", "locale" : "de" },
                { "description" : "Every tool.", "displayName" : "Pro", "locale" : "en_US" }
              ], "productID" : "app.pro", "referenceName" : "Pro", "type" : "NonConsumable" }
          ],
          "settings" : { "_failTransactionsEnabled" : false, "_lastSynchronizedDate" : 700000000.5, "_locale" : "en_US",
            "_storeKitErrors" : [ { "current" : null, "enabled" : false, "name" : "Purchase" } ], "_storefront" : "DEU",
            "_timeRate" : 0 },
          "subscriptionGroups" : [
            { "id" : "G1", "localizations" : [], "name" : "Cloud", "subscriptions" : [
                { "adHocOffers" : [
                    { "displayPrice" : "35.99", "internalID" : "11", "numberOfPeriods" : 1, "offerID" : "back",
                      "paymentMode" : "payAsYouGo", "referenceName" : "Back", "subscriptionPeriod" : "P1Y" }
                  ],
                  "billingPlans" : [
                    { "billingPlanType" : "BILLED_UPFRONT", "commitmentDisplayPrice" : "49.99", "displayPrice" : "49.99",
                      "isEnabled" : true },
                    { "billingPlanType" : "MONTHLY", "commitmentDisplayPrice" : "59.88", "displayPrice" : "4.99",
                      "isEnabled" : true }
                  ],
                  "codeOffers" : [
                    { "internalID" : "12", "numberOfPeriods" : 1, "paymentMode" : "free", "referenceName" : "gift",
                      "subscriptionPeriod" : "P1M" }
                  ],
                  "displayPrice" : "49.99", "familyShareable" : true, "groupNumber" : 1, "internalID" : "4",
                  "introductoryOffer" : { "internalID" : "13", "numberOfPeriods" : 1, "paymentMode" : "free",
                    "subscriptionPeriod" : "P2W" },
                  "introductoryOffers" : [
                    { "billingPlanType" : "BILLED_UPFRONT", "internalID" : "13", "numberOfPeriods" : 1,
                      "paymentMode" : "free", "subscriptionPeriod" : "P2W" }
                  ],
                  "localizations" : [
                    { "description" : "Ein Jahr.", "displayName" : "Jährlich", "locale" : "de" },
                    { "description" : "A year.", "displayName" : "Yearly", "locale" : "en_US" }
                  ],
                  "productID" : "app.yearly", "recurringSubscriptionPeriod" : "P1Y", "referenceName" : "Yearly",
                  "subscriptionGroupID" : "G1", "type" : "RecurringSubscription", "winbackOffers" : [
                    { "displayPrice" : "19.99", "internalID" : "14", "numberOfPeriods" : 1, "offerID" : "winback",
                      "paymentMode" : "payUpFront", "subscriptionPeriod" : "P1Y" }
                  ] },
                { "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "5.99", "familyShareable" : false,
                  "groupNumber" : 2, "internalID" : "5", "localizations" : [
                    { "description" : "Ein Monat.", "displayName" : "Monatlich", "locale" : "de" },
                    { "description" : "A month.", "displayName" : "Monthly", "locale" : "en_US" }
                  ],
                  "productID" : "app.monthly", "recurringSubscriptionPeriod" : "P1M", "referenceName" : "Monthly",
                  "subscriptionGroupID" : "G1", "type" : "RecurringSubscription" }
              ] }
          ],
          "version" : { "major" : 5, "minor" : 0 }
        }
        """
}

extension CatalogFinding {
    /// The rule and the place, for comparisons.
    var brief: String { "\(rule.rawValue) \(keyPath)" }
}
