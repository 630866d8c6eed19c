/// A text that customers read: the text of an error, the label of a button, a price with its period.
///
/// ``CustomerTexts`` has the texts in the customer's language. The raw value is the key of the text. A word in braces
/// is a ``Placeholder``. A text with `{count}` has a form for each plural category of a language.
///
/// The set is open: later versions may add texts, so a `switch` needs a `default`.
public enum CustomerText: String, Sendable, Hashable, CaseIterable {
    /// A placeholder in braces for a value.
    public enum Placeholder: String, Sendable, Hashable, CaseIterable {
        /// A price, such as "$4.99", or a price with its period, such as "$4.99 per month".
        case price
        /// The price of a whole commitment.
        case total
        /// A length of time, such as "3 months".
        case period
        /// An offer, such as "1 week free".
        case offer
        /// A number of days, weeks, months, years or purchases.
        case count
        /// A percentage with its sign, such as "20%".
        case percent
        /// The name of a product.
        case product
        /// The terms of a purchase, such as "1 week free, then $4.99 per month".
        case terms
        /// A date.
        case date
    }

    // Errors.

    /// "The action was canceled."
    case errorCancelled = "error.cancelled"
    /// "Couldn’t connect to the App Store. Check your internet connection and try again."
    case errorNoConnection = "error.noConnection"
    /// "The App Store didn’t respond in time. Try again later."
    case errorNoResponse = "error.noResponse"
    /// "The App Store has a problem right now. Try again later."
    case errorAppStoreProblem = "error.appStoreProblem"
    /// "This item isn’t available in your country or region."
    case errorNotInCountry = "error.notInCountry"
    /// "This item isn’t available right now."
    case errorItemUnavailable = "error.itemUnavailable"
    /// "Purchases aren’t allowed on this device. Check its restrictions in Settings."
    case errorPurchasesNotAllowed = "error.purchasesNotAllowed"
    /// "You aren’t eligible for this offer."
    case errorNotEligibleForOffer = "error.notEligibleForOffer"
    /// "This offer isn’t available right now."
    case errorOfferUnavailable = "error.offerUnavailable"
    /// "This offer isn’t available on this device."
    case errorOfferNotOnDevice = "error.offerNotOnDevice"
    /// "Your purchase isn’t complete yet. You may have to confirm it with your bank or in the App Store."
    case errorPurchaseInterrupted = "error.purchaseInterrupted"
    /// "This payment plan isn’t available. Choose another one."
    case errorPaymentPlanUnavailable = "error.paymentPlanUnavailable"
    /// "Add a payment method to your Apple Account and try again."
    case errorPaymentMethodRequired = "error.paymentMethodRequired"
    /// "This quantity isn’t available. Choose another one."
    case errorQuantityUnavailable = "error.quantityUnavailable"
    /// "This purchase is already in progress."
    case errorPurchaseInProgress = "error.purchaseInProgress"
    /// "The purchase was not approved."
    case errorPurchaseNotApproved = "error.purchaseNotApproved"
    /// "It isn’t clear whether your purchase was completed. Check your purchase history before you buy again."
    case errorPurchaseResultUnknown = "error.purchaseResultUnknown"
    /// "This purchase isn’t complete yet."
    case errorPurchaseIncomplete = "error.purchaseIncomplete"
    /// "Your purchase was successful but isn’t unlocked yet. You don’t need to buy it again."
    case errorPurchaseNotUnlockedYet = "error.purchaseNotUnlockedYet"
    /// "Your purchase couldn’t be unlocked. Contact the app’s support."
    case errorPurchaseNotUnlocked = "error.purchaseNotUnlocked"
    /// "Your purchase couldn’t be verified. If you were charged, contact the app’s support."
    case errorPurchaseNotVerified = "error.purchaseNotVerified"
    /// "This purchase can’t be refunded."
    case errorNotRefundable = "error.notRefundable"
    /// "You have already requested a refund for this purchase."
    case errorRefundAlreadyRequested = "error.refundAlreadyRequested"
    /// "Your refund request couldn’t be sent. Try again later."
    case errorRefundNotRequested = "error.refundNotRequested"
    /// "Your purchases are already being restored."
    case errorAlreadyRestoring = "error.alreadyRestoring"
    /// "No purchases were found on this device. Restore your purchases and try again."
    case errorPurchasesNotFound = "error.purchasesNotFound"
    /// "Your purchases couldn’t be checked yet. Try again later."
    case errorPurchasesNotChecked = "error.purchasesNotChecked"
    /// "Your purchases couldn’t be verified. Restore your purchases and try again."
    case errorPurchasesNotVerified = "error.purchasesNotVerified"
    /// "This isn’t available on this device."
    case errorNotOnDevice = "error.notOnDevice"
    /// "Something went wrong. If this happens again, contact the app’s support."
    case errorUnexpected = "error.unexpected"

    // Prices.

    /// "{price} per day"
    case pricePerDay = "price.perDay"
    /// "{price} per week"
    case pricePerWeek = "price.perWeek"
    /// "{price} per month"
    case pricePerMonth = "price.perMonth"
    /// "{price} per year"
    case pricePerYear = "price.perYear"
    /// "{price} every {period}"
    case pricePerPeriod = "price.perPeriod"
    /// "{price} for {period}"
    case priceForPeriod = "price.forPeriod"
    /// "{price} for {period}"
    case priceOnceForPeriod = "price.onceForPeriod"
    /// "{price} for {period} ({total} in total)"
    case priceOfCommitment = "price.ofCommitment"
    /// "{offer}, then {price}"
    case priceAfterOffer = "price.afterOffer"
    /// "One-time purchase"
    case priceOneTime = "price.oneTime"
    /// "{period} free"
    case offerFree = "offer.free"

    // Periods.

    /// "{count} days"
    case periodDays = "period.days"
    /// "{count} weeks"
    case periodWeeks = "period.weeks"
    /// "{count} months"
    case periodMonths = "period.months"
    /// "{count} years"
    case periodYears = "period.years"

    // States.

    /// "Purchasing…"
    case statusPurchasing = "status.purchasing"
    /// "Waiting for approval"
    case statusPending = "status.pending"
    /// "Paid. You get it in a moment."
    case statusAwaitingDelivery = "status.awaitingDelivery"
    /// "The purchase failed."
    case statusFailed = "status.failed"
    /// "Purchased"
    case statusOwned = "status.owned"
    /// "Current plan"
    case statusSubscribed = "status.subscribed"
    /// "Not available"
    case statusUnavailable = "status.unavailable"
    /// "Loading…"
    case statusLoading = "status.loading"
    /// "Renews on {date}"
    case statusRenews = "status.renews"
    /// "Expires on {date}"
    case statusExpires = "status.expires"
    /// "Expired on {date}"
    case statusExpired = "status.expired"
    /// "Changes to {product} on {date}"
    case statusChanges = "status.changes"
    /// "Your trial ends today"
    case statusTrialEndsToday = "status.trialEndsToday"
    /// "Your trial ends in {count} days"
    case statusTrialEnds = "status.trialEnds"
    /// "There’s a problem with your payment. Update your payment method to keep your subscription."
    case statusPaymentProblem = "status.paymentProblem"
    /// "Shared by your family"
    case statusFamilyShared = "status.familyShared"
    /// "Refunded"
    case statusRefunded = "status.refunded"

    // Hints.

    /// "Asks you to confirm the purchase."
    case hintPurchase = "hint.purchase"
    /// "Asks you to confirm the subscription."
    case hintSubscribe = "hint.subscribe"
    /// "Someone in your family has to approve this purchase."
    case hintPending = "hint.pending"
    /// "Looks for purchases that you have made before."
    case hintRestore = "hint.restore"

    // Buttons.

    /// "Restore Purchases"
    case buttonRestore = "button.restore"
    /// "Restoring…"
    case buttonRestoring = "button.restoring"
    /// "Manage Subscriptions"
    case buttonManage = "button.manageSubscriptions"
    /// "Request a Refund"
    case buttonRefund = "button.requestRefund"
    /// "Redeem Code"
    case buttonRedeem = "button.redeemCode"
    /// "Subscribe"
    case buttonSubscribe = "button.subscribe"
    /// "Start Free Trial"
    case buttonStartTrial = "button.startTrial"
    /// "Change Plan"
    case buttonChangePlan = "button.changePlan"
    /// "Buy"
    case buttonBuy = "button.buy"
    /// "Try Again"
    case buttonTryAgain = "button.tryAgain"
    /// "OK"
    case buttonOK = "button.ok"
    /// "Cancel"
    case buttonCancel = "button.cancel"
    /// "Terms of Use"
    case linkTermsOfUse = "link.termsOfUse"
    /// "Privacy Policy"
    case linkPrivacyPolicy = "link.privacyPolicy"

    // Choosing a subscription.

    /// "Save {percent}"
    case pickerSaving = "picker.saving"
    /// "{terms}. Renews automatically until you cancel."
    case pickerRenewal = "picker.renewal"
    /// "Subscriptions aren’t available at the moment."
    case pickerUnavailable = "picker.unavailable"

    // Alerts.

    /// "Waiting for approval"
    case approvalTitle = "approval.title"
    /// "You get {product} when the request is approved."
    case approvalMessage = "approval.message"
    /// "Purchase Failed"
    case alertPurchaseFailed = "alert.purchaseFailed"
    /// "Restore Failed"
    case alertRestoreFailed = "alert.restoreFailed"
    /// "Something Went Wrong"
    case alertFailed = "alert.failed"
    /// "Nothing to Restore"
    case alertNothingRestored = "alert.nothingRestored"
    /// "There are no earlier purchases for this Apple Account."
    case alertNothingRestoredMessage = "alert.nothingRestored.message"
    /// "Purchases Restored"
    case alertRestored = "alert.restored"
    /// "{count} purchases are available again."
    case alertRestoredMessage = "alert.restored.message"
    /// "Refund Requested"
    case alertRefundRequested = "alert.refundRequested"
    /// "Apple reviews your request and sends you the decision."
    case alertRefundRequestedMessage = "alert.refundRequested.message"

    /// Whether the text has a form for each plural category.
    public var hasCount: Bool {
        switch self {
        case .periodDays, .periodWeeks, .periodMonths, .periodYears, .statusTrialEnds, .alertRestoredMessage: true
        default: false
        }
    }
}
