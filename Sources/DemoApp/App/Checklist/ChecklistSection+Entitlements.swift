extension ChecklistSection {
    static let entitlements = ChecklistSection(
        number: 3, title: "Entitlements keep and end access",
        checks: [
            ChecklistCheck(
                "A subscription at the end of its period",
                steps: "Subscribe, and stay in the app for three renewals",
                expected: "Access never ends",
                action: .purchase("club.monthly"), expects: [.accessBegan, .arrivedLater]),
            ChecklistCheck(
                "A launch without a network",
                steps: "Subscribe, set entitlementCache, switch to airplane mode, and launch",
                expected: "The first value has access, with the basis .cached(asOf:)",
                expects: [.cachedAnswer]),
            ChecklistCheck(
                "A cancellation while the app is open",
                steps:
                    "On a second device, turn off the renewal, with a loop over entitlements on the first one; then turn it on again",
                expected: "willRenew changes within a minute. If it doesn't, it changes when the app becomes active"),
            ChecklistCheck(
                "A cancellation in the app's own sheet",
                steps: "Call manageSubscriptions(inGroup:in:), and cancel",
                expected: "willRenew is false when the sheet has closed"),
            ChecklistCheck(
                "A refund",
                steps: "Refund a purchase in Xcode's transaction manager",
                expected: "revocations within seconds, and access ends",
                expects: [.revoked, .accessEnded]),
            ChecklistCheck(
                "A restore right after the installation",
                steps: "Install on a new device, and restore",
                expected: "The second read, a second later, lists the purchases",
                action: .restore, expects: [.accessBegan]),
            ChecklistCheck(
                "A refund that is reversed",
                steps: "Have the App Store reverse a refund",
                expected: "The transaction is delivered again, unless this process has delivered it"),
            ChecklistCheck(
                "An upgrade and a downgrade",
                steps: "Buy yearly over monthly, and the other way round",
                expected: "The upgrade gives access at once. The downgrade names its date",
                action: .purchase("club.yearly"), expects: [.delivered]),
            ChecklistCheck(
                "A transaction of another device",
                steps: "Copy the cache file to another device",
                expected: "The transaction is refused"),
            ChecklistCheck(
                "The device identifier in an extension",
                steps: "Read an EntitlementFile(appGroup:) in a widget with EntitlementReader",
                expected: "issues is empty"),
            ChecklistCheck(
                "The environment in an extension, and of an iPad app on a Mac",
                steps: "The same, with a build from TestFlight",
                expected: "The widget accepts the file"),
            ChecklistCheck(
                "The app that a watch app's transactions name",
                steps: "Read entitlements twice on a watch, with a cache, in an app with an iPhone companion",
                expected: "The second launch has no cacheRefused(_:)"),
            ChecklistCheck(
                "A restored copy of a refunded purchase",
                steps: "Refund, restore on a second device, and read the receipt",
                expected: "Neither transaction gives access"),
            ChecklistCheck(
                "Signatures with CryptoKit",
                steps: "Verify the same transaction and receipt on a device and on Linux",
                expected: "Both accept them"),
        ])
}
