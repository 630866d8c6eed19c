import Foundation

/// The texts in English: part of the code, so that they are there when the files of the other languages are missing.
enum EnglishTexts {
    /// The texts by key. The key of a plural form ends in its category.
    static let table = TextFile.table(Data(json.utf8)) ?? [:]

    // One literal takes less room in an app than a dictionary of literals.
    private static let json = #"""
        {
        "error.cancelled": "The action was canceled.",
        "error.noConnection": "Couldn’t connect to the App Store. Check your internet connection and try again.",
        "error.noResponse": "The App Store didn’t respond in time. Try again later.",
        "error.appStoreProblem": "The App Store has a problem right now. Try again later.",
        "error.notInCountry": "This item isn’t available in your country or region.",
        "error.itemUnavailable": "This item isn’t available right now.",
        "error.purchasesNotAllowed": "Purchases aren’t allowed on this device. Check its restrictions in Settings.",
        "error.notEligibleForOffer": "You aren’t eligible for this offer.",
        "error.offerUnavailable": "This offer isn’t available right now.",
        "error.offerNotOnDevice": "This offer isn’t available on this device.",
        "error.purchaseInterrupted": "Your purchase isn’t complete yet. You may have to confirm it with your bank or in the App Store.",
        "error.paymentPlanUnavailable": "This payment plan isn’t available. Choose another one.",
        "error.paymentMethodRequired": "Add a payment method to your Apple Account and try again.",
        "error.quantityUnavailable": "This quantity isn’t available. Choose another one.",
        "error.purchaseInProgress": "This purchase is already in progress.",
        "error.purchaseNotApproved": "The purchase was not approved.",
        "error.purchaseResultUnknown": "It isn’t clear whether your purchase was completed. Check your purchase history before you buy again.",
        "error.purchaseIncomplete": "This purchase isn’t complete yet.",
        "error.purchaseNotUnlockedYet": "Your purchase was successful but isn’t unlocked yet. You don’t need to buy it again.",
        "error.purchaseNotUnlocked": "Your purchase couldn’t be unlocked. Contact the app’s support.",
        "error.purchaseNotVerified": "Your purchase couldn’t be verified. If you were charged, contact the app’s support.",
        "error.notRefundable": "This purchase can’t be refunded.",
        "error.refundAlreadyRequested": "You have already requested a refund for this purchase.",
        "error.refundNotRequested": "Your refund request couldn’t be sent. Try again later.",
        "error.alreadyRestoring": "Your purchases are already being restored.",
        "error.purchasesNotFound": "No purchases were found on this device. Restore your purchases and try again.",
        "error.purchasesNotChecked": "Your purchases couldn’t be checked yet. Try again later.",
        "error.purchasesNotVerified": "Your purchases couldn’t be verified. Restore your purchases and try again.",
        "error.notOnDevice": "This isn’t available on this device.",
        "error.unexpected": "Something went wrong. If this happens again, contact the app’s support.",
        "price.perDay": "{price} per day",
        "price.perWeek": "{price} per week",
        "price.perMonth": "{price} per month",
        "price.perYear": "{price} per year",
        "price.perPeriod": "{price} every {period}",
        "price.forPeriod": "{price} for {period}",
        "price.onceForPeriod": "{price} for {period}",
        "price.ofCommitment": "{price} for {period} ({total} in total)",
        "price.afterOffer": "{offer}, then {price}",
        "price.oneTime": "One-time purchase",
        "offer.free": "{period} free",
        "period.days.one": "{count} day",
        "period.days.other": "{count} days",
        "period.weeks.one": "{count} week",
        "period.weeks.other": "{count} weeks",
        "period.months.one": "{count} month",
        "period.months.other": "{count} months",
        "period.years.one": "{count} year",
        "period.years.other": "{count} years",
        "status.purchasing": "Purchasing…",
        "status.pending": "Waiting for approval",
        "status.awaitingDelivery": "Paid. You get it in a moment.",
        "status.failed": "The purchase failed.",
        "status.owned": "Purchased",
        "status.subscribed": "Current plan",
        "status.unavailable": "Not available",
        "status.loading": "Loading…",
        "status.renews": "Renews on {date}",
        "status.expires": "Expires on {date}",
        "status.expired": "Expired on {date}",
        "status.changes": "Changes to {product} on {date}",
        "status.trialEndsToday": "Your trial ends today",
        "status.trialEnds.one": "Your trial ends in {count} day",
        "status.trialEnds.other": "Your trial ends in {count} days",
        "status.paymentProblem": "There’s a problem with your payment. Update your payment method to keep your subscription.",
        "status.familyShared": "Shared by your family",
        "status.refunded": "Refunded",
        "hint.purchase": "Asks you to confirm the purchase.",
        "hint.subscribe": "Asks you to confirm the subscription.",
        "hint.pending": "Someone in your family has to approve this purchase.",
        "hint.restore": "Looks for purchases that you have made before.",
        "button.restore": "Restore Purchases",
        "button.restoring": "Restoring…",
        "button.manageSubscriptions": "Manage Subscriptions",
        "button.requestRefund": "Request a Refund",
        "button.redeemCode": "Redeem Code",
        "button.subscribe": "Subscribe",
        "button.startTrial": "Start Free Trial",
        "button.changePlan": "Change Plan",
        "button.buy": "Buy",
        "button.tryAgain": "Try Again",
        "button.ok": "OK",
        "button.cancel": "Cancel",
        "link.termsOfUse": "Terms of Use",
        "link.privacyPolicy": "Privacy Policy",
        "picker.saving": "Save {percent}",
        "picker.renewal": "{terms}. Renews automatically until you cancel.",
        "picker.unavailable": "Subscriptions aren’t available at the moment.",
        "approval.title": "Waiting for approval",
        "approval.message": "You get {product} when the request is approved.",
        "alert.purchaseFailed": "Purchase Failed",
        "alert.restoreFailed": "Restore Failed",
        "alert.failed": "Something Went Wrong",
        "alert.nothingRestored": "Nothing to Restore",
        "alert.nothingRestored.message": "There are no earlier purchases for this Apple Account.",
        "alert.restored": "Purchases Restored",
        "alert.restored.message.one": "{count} purchase is available again.",
        "alert.restored.message.other": "{count} purchases are available again.",
        "alert.refundRequested": "Refund Requested",
        "alert.refundRequested.message": "Apple reviews your request and sends you the decision."
        }
        """#
}

/// The files with the texts of the languages: one for each language except English, in JSON.
enum TextFile {
    /// Returns the texts of a language by key; `nil` if the file is missing or unreadable.
    static func table(of language: String, in bundle: Bundle? = bundle) -> [String: String]? {
        let url = bundle?.url(forResource: language, withExtension: "json", subdirectory: "Localizations")
        return url.flatMap { try? Data(contentsOf: $0) }.flatMap(table)
    }

    static func table(_ data: Data) -> [String: String]? {
        try? JSONSerialization.jsonObject(with: data) as? [String: String]
    }

    // `Bundle.module`, which the package manager generates, ends the process if the bundle is missing.
    static let bundle: Bundle? = {
        let own = Bundle(for: Marker.self)
        return firstBundle(
            in: folders(
                app: Bundle.main.bundleURL, appResources: Bundle.main.resourceURL, own: own.bundleURL,
                ownResources: own.resourceURL, environment: ProcessInfo.processInfo.environment))
    }()

    /// Returns the folders that may have the bundle of this module's resources, the likeliest first.
    ///
    /// A preview of a package runs in an app of Xcode's. This module's code is then in a framework, up to three folders
    /// below the products of the build, or Xcode names the folder in a variable.
    static func folders(
        app: URL, appResources: URL?, own: URL, ownResources: URL?, environment: [String: String]
    ) -> [URL] {
        let named = ["PACKAGE_RESOURCE_BUNDLE_PATH", "PACKAGE_RESOURCE_BUNDLE_URL"].compactMap { environment[$0] }
        let above = sequence(first: own) { $0.deletingLastPathComponent() }.dropFirst().prefix(3)
        return named.map { URL(fileURLWithPath: $0, isDirectory: true) }
            + [appResources, ownResources, app].compactMap(\.self) + above
    }

    /// Returns the bundle of this module's resources in the first of some folders that has it.
    static func firstBundle(in folders: [URL]) -> Bundle? {
        for folder in folders {
            for kind in ["bundle", "resources"] {
                let url = folder.appendingPathComponent("AsyncStoreKit_AsyncStoreKit.\(kind)")
                if let bundle = Bundle(url: url) { return bundle }
            }
        }
        return nil
    }

    /// A class whose bundle is the app, a framework or the bundle of a test, whichever has this module's code.
    private final class Marker {}
}
