package import AsyncStoreKit

/// The texts that the views show to customers, in English. The raw value is the key of a text.
///
/// A word in braces is a placeholder: ``Placeholder``. A text with a count has a form for one and a form for other
/// counts.
package enum StoreTexts: String, Sendable, Hashable, CaseIterable {
    /// What a placeholder stands for.
    package enum Placeholder: String, Sendable, Hashable, CaseIterable {
        case price, total, period, offer, count, percent, product, terms
    }

    case pricePerDay = "price.perDay"
    case pricePerWeek = "price.perWeek"
    case pricePerMonth = "price.perMonth"
    case pricePerYear = "price.perYear"
    case priceForPeriod = "price.forPeriod"
    case priceOfCommitment = "price.ofCommitment"
    case priceAfterOffer = "price.afterOffer"
    case periodDays = "period.days"
    case periodWeeks = "period.weeks"
    case periodMonths = "period.months"
    case periodYears = "period.years"
    case offerFree = "offer.free"

    case statusPurchasing = "status.purchasing"
    case statusPending = "status.pending"
    case statusAwaitingDelivery = "status.awaitingDelivery"
    case statusFailed = "status.failed"
    case statusOwned = "status.owned"
    case statusSubscribed = "status.subscribed"
    case statusUnavailable = "status.unavailable"
    case statusLoading = "status.loading"

    case hintPurchase = "hint.purchase"
    case hintSubscribe = "hint.subscribe"
    case hintPending = "hint.pending"
    case hintRestore = "hint.restore"

    case buttonRestore = "button.restore"
    case buttonRestoring = "button.restoring"
    case buttonManage = "button.manageSubscriptions"
    case buttonRefund = "button.requestRefund"
    case buttonRedeem = "button.redeemCode"
    case buttonSubscribe = "button.subscribe"
    case buttonStartTrial = "button.startTrial"
    case buttonChangePlan = "button.changePlan"
    case buttonTryAgain = "button.tryAgain"
    case buttonOK = "button.ok"
    case linkTermsOfUse = "link.termsOfUse"
    case linkPrivacyPolicy = "link.privacyPolicy"

    case pickerSaving = "picker.saving"
    case pickerRenewal = "picker.renewal"
    case pickerUnavailable = "picker.unavailable"

    case approvalTitle = "approval.title"
    case approvalMessage = "approval.message"

    case alertPurchaseFailed = "alert.purchaseFailed"
    case alertRestoreFailed = "alert.restoreFailed"
    case alertFailed = "alert.failed"
    case alertNothingRestored = "alert.nothingRestored"
    case alertNothingRestoredMessage = "alert.nothingRestored.message"
    case alertRestored = "alert.restored"
    case alertRestoredMessage = "alert.restored.message"
    case alertRefundRequested = "alert.refundRequested"
    case alertRefundRequestedMessage = "alert.refundRequested.message"
}

extension StoreTexts {
    /// Returns the text with values in place of its placeholders.
    /// - Parameters:
    ///   - values: The values of the placeholders, except for the count.
    ///   - count: The count, which also selects the form.
    package func text(_ values: [Placeholder: String] = [:], count: Int = 1) -> String {
        let forms = english.split(separator: "|")
        var text = (count == 1 ? forms.first : forms.last) ?? ""
        // The values are inserted in one pass, so that braces in a product's name stay as they are.
        var result = ""
        while let opening = text.firstIndex(of: "{"), let closing = text[opening...].firstIndex(of: "}") {
            let name = String(text[text.index(after: opening)..<closing])
            let value = Placeholder(rawValue: name).flatMap { $0 == .count ? "\(count)" : values[$0] }
            result += text[..<opening] + (value ?? "{\(name)}")
            text = text[text.index(after: closing)...]
        }
        return result + text
    }

    /// The English text. A text with a count has two forms, for a count of one and for other counts, with a bar
    /// between.
    package var english: String {
        switch self {
        case .pricePerDay: "{price} per day|{price} every {count} days"
        case .pricePerWeek: "{price} per week|{price} every {count} weeks"
        case .pricePerMonth: "{price} per month|{price} every {count} months"
        case .pricePerYear: "{price} per year|{price} every {count} years"
        case .periodDays: "{count} day|{count} days"
        case .periodWeeks: "{count} week|{count} weeks"
        case .periodMonths: "{count} month|{count} months"
        case .periodYears: "{count} year|{count} years"
        case .alertRestoredMessage: "{count} purchase is available again.|{count} purchases are available again."
        case .priceForPeriod: "{price} for {period}"
        case .priceOfCommitment: "{price} for {period} ({total} in total)"
        case .priceAfterOffer: "{offer}, then {price}"
        case .offerFree: "{period} free"
        case .statusPurchasing: "Purchasing…"
        case .statusPending: "Waiting for approval"
        case .statusAwaitingDelivery: "Paid. You get it in a moment."
        case .statusFailed: "The purchase failed."
        case .statusOwned: "Purchased"
        case .statusSubscribed: "Current plan"
        case .statusUnavailable: "Not available"
        case .statusLoading: "Loading…"
        case .hintPurchase: "Asks you to confirm the purchase."
        case .hintSubscribe: "Asks you to confirm the subscription."
        case .hintPending: "Someone in your family has to approve this purchase."
        case .hintRestore: "Looks for purchases that you have made before."
        case .buttonRestore: "Restore Purchases"
        case .buttonRestoring: "Restoring…"
        case .buttonManage: "Manage Subscriptions"
        case .buttonRefund: "Request a Refund"
        case .buttonRedeem: "Redeem Code"
        case .buttonSubscribe: "Subscribe"
        case .buttonStartTrial: "Start Free Trial"
        case .buttonChangePlan: "Change Plan"
        case .buttonTryAgain: "Try Again"
        case .buttonOK: "OK"
        case .linkTermsOfUse: "Terms of Use"
        case .linkPrivacyPolicy: "Privacy Policy"
        case .pickerSaving: "Save {percent}"
        case .pickerRenewal: "{terms}. Renews automatically until you cancel."
        case .pickerUnavailable: "Subscriptions aren’t available at the moment."
        case .approvalTitle: "Waiting for approval"
        case .approvalMessage: "You get {product} when the request is approved."
        case .alertPurchaseFailed: "Purchase Failed"
        case .alertRestoreFailed: "Restore Failed"
        case .alertFailed: "Something Went Wrong"
        case .alertNothingRestored: "Nothing to Restore"
        case .alertNothingRestoredMessage: "There are no earlier purchases for this Apple Account."
        case .alertRestored: "Purchases Restored"
        case .alertRefundRequested: "Refund Requested"
        case .alertRefundRequestedMessage: "Apple reviews your request and sends you the decision."
        }
    }
}

// Texts that are made of several.
extension StoreTexts {
    /// Returns a length of time, such as "3 months". Whole weeks in days are weeks.
    package static func period(_ period: StoreSubscriptionPeriod) -> String {
        let period = period.inWeeks
        let text: StoreTexts =
            switch period.unit {
            case .day: .periodDays
            case .week: .periodWeeks
            case .month: .periodMonths
            case .year: .periodYears
            }
        return text.text(count: period.value)
    }

    /// Returns a price that is paid in each period, such as "$4.99 per month" and "$9.99 every 3 months".
    package static func price(_ price: String, per period: StoreSubscriptionPeriod) -> String {
        let period = period.inWeeks
        let text: StoreTexts =
            switch period.unit {
            case .day: .pricePerDay
            case .week: .pricePerWeek
            case .month: .pricePerMonth
            case .year: .pricePerYear
            }
        return text.text([.price: price], count: period.value)
    }

    /// Returns an offer without what follows, such as "1 week free" and "$0.99 per month for 3 months".
    package static func offer(_ offer: StoreOffer) -> String {
        let length = period(
            StoreSubscriptionPeriod(value: offer.period.value * offer.periodCount, unit: offer.period.unit))
        if offer.paymentMode == .freeTrial { return offerFree.text([.period: length]) }
        let isPaidEachPeriod = offer.paymentMode == .payAsYouGo
        let price = isPaidEachPeriod ? price(offer.displayPrice, per: offer.period) : offer.displayPrice
        return priceForPeriod.text([.price: price, .period: length])
    }
}

extension StoreSubscriptionPeriod {
    /// The period in weeks if it has a whole number of weeks in days: StoreKit returns a week in both forms.
    fileprivate var inWeeks: StoreSubscriptionPeriod {
        guard unit == .day, value > 0, value.isMultiple(of: 7) else { return self }
        return StoreSubscriptionPeriod(value: value / 7, unit: .week)
    }

    /// The period in months if it has years: commitments are named in the unit of their payments.
    package var inMonths: StoreSubscriptionPeriod {
        unit == .year ? StoreSubscriptionPeriod(value: value * 12, unit: .month) : self
    }
}
