extension CatalogConfigurationTests {
    static let version1 = """
        {
          "identifier" : "0A0B0C01",
          "nonRenewingSubscriptions" : [
            { "displayPrice" : "5.00", "internalID" : "3", "localizations" : [], "productID" : "season", "referenceName" : "Season",
              "type" : "NonRenewingSubscription" }
          ],
          "products" : [
            { "displayPrice" : "0.99", "internalID" : "1", "localizations" : [
                { "description" : "Lights up", "displayName" : "Lamp", "locale" : "en_US" }
              ], "productID" : "lamp", "referenceName" : "Lamp", "type" : "Consumable" },
            { "displayPrice" : "9.99", "internalID" : "2", "localizations" : [], "productID" : "genie", "referenceName" : "Genie",
              "type" : "NonConsumable" }
          ],
          "settings" : { "_timeRate" : 6 },
          "subscriptionGroups" : [
            { "id" : "A1", "localizations" : [], "name" : "Wishes", "subscriptions" : [
                { "adHocOffers" : [], "displayPrice" : "2.99", "groupNumber" : 1, "internalID" : "4", "introductoryOffer" : null,
                  "localizations" : [], "productID" : "monthly", "recurringSubscriptionPeriod" : "P1M", "referenceName" : "Monthly",
                  "subscriptionGroupID" : "A1", "type" : "RecurringSubscription" }
              ] }
          ],
          "version" : { "major" : 1, "minor" : 1 }
        }
        """

    static let version2 = """
        {
          "identifier" : "0A0B0C02",
          "nonRenewingSubscriptions" : [],
          "products" : [
            { "displayPrice" : "49.99", "familyShareable" : true, "internalID" : "1", "localizations" : [
                { "description" : "Alles, für immer", "displayName" : "Profi", "locale" : "de" },
                { "description" : "", "displayName" : "Pro", "locale" : "en_US" }
              ], "productID" : "pro", "referenceName" : "Pro, for ever", "type" : "NonConsumable" }
          ],
          "settings" : { "_locale" : "de_DE", "_storefront" : "DEU" },
          "subscriptionGroups" : [],
          "version" : { "major" : 2, "minor" : 0 }
        }
        """

    static let version3 = """
        {
          "identifier" : "0A0B0C03",
          "nonRenewingSubscriptions" : [],
          "products" : [],
          "settings" : { "_failTransactionsEnabled" : false, "_storeKitErrors" : [
              { "current" : null, "enabled" : false, "name" : "Load Products" }
            ] },
          "subscriptionGroups" : [
            { "id" : "B2", "localizations" : [], "name" : "All of it", "subscriptions" : [
                { "adHocOffers" : [
                    { "displayPrice" : "20", "internalID" : "5", "numberOfPeriods" : 2, "offerID" : "half",
                      "paymentMode" : "payAsYouGo", "referenceName" : "Half", "subscriptionPeriod" : "P1Y" },
                    { "displayPrice" : "30.50", "internalID" : "6", "offerID" : "once", "paymentMode" : "payUpFront",
                      "referenceName" : "Once", "subscriptionPeriod" : "P6M" }
                  ],
                  "codeOffers" : [
                    { "displayPrice" : "1", "eligibility" : ["new"], "internalID" : "7", "isStackable" : true,
                      "paymentMode" : "payUpFront", "referenceName" : "Friends", "subscriptionPeriod" : "P1M" }
                  ],
                  "displayPrice" : "39.99", "familyShareable" : false, "groupNumber" : 1, "internalID" : "4",
                  "introductoryOffer" : { "internalID" : "8", "numberOfPeriods" : 1, "paymentMode" : "free",
                    "subscriptionPeriod" : "P2W" },
                  "localizations" : [], "productID" : "yearly", "recurringSubscriptionPeriod" : "P1Y", "referenceName" : "Yearly",
                  "subscriptionGroupID" : "B2", "type" : "RecurringSubscription" },
                { "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "1.99", "familyShareable" : false, "groupNumber" : 2,
                  "internalID" : "9", "introductoryOffer" : { "displayPrice" : "0.99", "internalID" : "10",
                    "paymentMode" : "payUpFront", "subscriptionPeriod" : "P3D" },
                  "localizations" : [], "productID" : "weekly", "recurringSubscriptionPeriod" : "P1W", "referenceName" : "Weekly",
                  "subscriptionGroupID" : "B2", "type" : "RecurringSubscription" }
              ] }
          ],
          "version" : { "major" : 3, "minor" : 0 }
        }
        """

    static let version4 = """
        {
          "appPolicies" : { "eula" : "", "policies" : [ { "locale" : "en_US", "policyText" : "", "policyURL" : "" } ] },
          "identifier" : "0A0B0C04",
          "nonRenewingSubscriptions" : [],
          "products" : [],
          "settings" : {
            "_applicationInternalID" : "1", "_askToBuyEnabled" : true, "_billingGracePeriodEnabled" : true,
            "_billingIssuesEnabled" : true, "_developerTeamID" : "TEAM", "_disableDialogs" : false, "_failTransactionsEnabled" : true,
            "_lastSynchronizedDate" : 752198400.25, "_locale" : "en_US", "_renewalBillingIssuesEnabled" : true, "_storefront" : "USA",
            "_storeKitErrors" : [
              { "current" : { "index" : 0, "type" : "generic" }, "enabled" : true, "name" : "Load Products" },
              { "current" : null, "enabled" : false, "name" : "Purchase" }
            ],
            "_timeRate" : 13
          },
          "subscriptionGroups" : [
            { "id" : "C3", "localizations" : {}, "name" : "Pro", "subscriptions" : [
                { "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "4.99", "familyShareable" : true, "groupNumber" : 1,
                  "internalID" : "4", "introductoryOffer" : null, "localizations" : [], "productID" : "monthly",
                  "recurringSubscriptionPeriod" : "P1M", "referenceName" : "Monthly", "subscriptionGroupID" : "C3",
                  "type" : "RecurringSubscription", "winbackOffers" : [
                    { "displayPrice" : "0.99", "internalID" : "11", "isEligible" : true, "numberOfPeriods" : 1, "offerID" : "back",
                      "paymentMode" : "payUpFront", "referenceName" : "Back", "subscriptionPeriod" : "P1M" }
                  ] }
              ] }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """

    static let version5 = """
        {
          "identifier" : "0A0B0C05", "nonRenewingSubscriptions" : [], "products" : [], "settings" : {},
          "subscriptionGroups" : [
            { "id" : "D4", "localizations" : [], "name" : "Pro", "subscriptions" : [
                { "adHocOffers" : [
                    { "billingPlanType" : "BILLED_UPFRONT", "displayPrice" : "30", "internalID" : "21", "numberOfPeriods" : 1,
                      "offerID" : "summer", "paymentMode" : "payUpFront", "subscriptionPeriod" : "P1Y" },
                    { "billingPlanType" : "MONTHLY", "displayPrice" : "3", "internalID" : "22", "numberOfPeriods" : 2,
                      "offerID" : "winter", "paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P1M" }
                  ],
                  "billingPlans" : [
                    { "billingPlanType" : "BILLED_UPFRONT", "commitmentDisplayPrice" : "55", "displayPrice" : "55",
                      "internalID" : "31", "isEnabled" : true },
                    { "billingPlanType" : "MONTHLY", "commitmentDisplayPrice" : "60", "displayPrice" : "5", "isEnabled" : true }
                  ],
                  "codeOffers" : [
                    { "billingPlanType" : "BILLED_UPFRONT", "internalID" : "41", "numberOfPeriods" : 1, "paymentMode" : "free",
                      "referenceName" : "gift", "subscriptionPeriod" : "P1M" },
                    { "billingPlanType" : "MONTHLY", "internalID" : "42", "numberOfPeriods" : 1, "paymentMode" : "free",
                      "referenceName" : "gift.monthly", "subscriptionPeriod" : "P1M" }
                  ],
                  "displayPrice" : "11.88", "familyShareable" : false, "groupNumber" : 1, "internalID" : "4",
                  "introductoryOffers" : [
                    { "billingPlanType" : "BILLED_UPFRONT", "internalID" : "12", "numberOfPeriods" : 1, "paymentMode" : "free",
                      "subscriptionPeriod" : "P1M" },
                    { "billingPlanType" : "MONTHLY", "internalID" : "13", "numberOfPeriods" : 1, "paymentMode" : "free",
                      "subscriptionPeriod" : "P2M" }
                  ],
                  "localizations" : [], "productID" : "yearly", "recurringSubscriptionPeriod" : "P1Y", "referenceName" : "Yearly",
                  "subscriptionGroupID" : "D4", "type" : "RecurringSubscription", "winbackOffers" : [
                    { "displayPrice" : "40", "internalID" : "51", "isEligible" : true, "numberOfPeriods" : 1, "offerID" : "back",
                      "paymentMode" : "payUpFront", "subscriptionPeriod" : "P1Y" }
                  ] }
              ] }
          ],
          "version" : { "major" : 5, "minor" : 0 }
        }
        """
}
