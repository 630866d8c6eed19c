public import Foundation

/// How the simulated App Store behaves: the circumstances of the customer and the device, what Apple's documentation leaves
/// open, and what has been seen to go wrong.
///
/// The default is a good day: what is bought is listed at once, reported once and seen as it is. ``demanding`` turns on
/// everything awkward that StoreKit has been seen to do. Code that works with both works on devices.
public struct SimulatorBehavior: Sendable, Hashable {
    /// The thread on which observers and request handlers are called.
    public enum DeliveryThread: Sendable, Hashable, CaseIterable {
        /// One background thread, in order.
        case background
        /// The main thread, each in a turn of its own: what the app has put on the main queue runs in between.
        case main
        /// The caller's own, from inside the call that caused the event, before it returns.
        case caller
        /// Another one each time, still one after the other.
        case any
    }

    /// How a restore ends.
    public enum RestoreEnding: Sendable, Hashable {
        /// Completely, with "finished".
        case finishes
        /// With an error, after this many rows.
        case fails(SimulatedError, afterRows: Int)
        /// Not at all, after this many rows.
        case neverAnswers(afterRows: Int)
    }

    /// The result of buying a non-consumable or an active subscription that the account already owns.
    public enum RepeatedPurchaseResult: Sendable, Hashable, CaseIterable {
        /// Purchased, with an identifier of its own.
        case purchased
        /// Restored, with the original transaction.
        case restored
    }

    /// When a purchase enters the receipt.
    public enum ReceiptLag: Sendable, Hashable {
        /// Before the transaction is reported.
        case none
        /// After the receipt has been refreshed this many times.
        case refreshes(Int)
        /// After so much virtual time, in seconds.
        case seconds(TimeInterval)
    }

    /// What becomes of a purchase of StoreKit 2 whose task is cancelled while the customer is asked. Apple does not say.
    public enum CancelledPurchase: Sendable, Hashable, CaseIterable {
        /// The call ends with a `CancellationError`; what is paid all the same comes as an update.
        case comesAsUpdate
        /// The call goes on until the customer has answered.
        case isAwaited
        /// The sheet closes: nothing is paid, and the call says that the customer cancelled.
        case isWithdrawn
    }

    /// How StoreKit 2 answers a purchase that is interrupted; once the issue is resolved, it comes as an update either way.
    public enum InterruptedPurchase: Sendable, Hashable, CaseIterable {
        /// By throwing `StoreKitError.unknown`.
        case throwsUnknown
        /// With `.pending`.
        case isPending
    }

    /// Whether a purchase that StoreKit 2 answers comes as an update, too.
    public enum DuplicateUpdateTiming: Sendable, Hashable, CaseIterable {
        /// Not at all.
        case none
        /// Before the call returns.
        case beforeAnswer
        /// After the call has returned.
        case afterAnswer
        /// For an auto-renewable subscription, half a second after it was finished.
        case afterSubscriptionIsFinished
    }

    /// How a refund request of StoreKit 2 ends.
    public enum RefundRequestEnding: Sendable, Hashable, CaseIterable {
        /// The customer sends the request. `SimulatedAppStore.refund` grants it.
        case sent
        /// The customer closes the sheet without sending the request.
        case userCancelled
        /// The request throws `Transaction.RefundRequestError.duplicateRequest`.
        case duplicateRequest
        /// The request throws `Transaction.RefundRequestError.failed`.
        case failed
        /// The request throws `Transaction.RefundRequestError.ineligible`.
        case ineligible
    }

    /// The environments of the App Store.
    public enum Environment: String, Sendable, Hashable, CaseIterable {
        /// The App Store.
        case production = "Production"
        /// The sandbox, including TestFlight.
        case sandbox = "Sandbox"
    }

    // The circumstances of the customer and the device; most have the names that SKTestSession gives them.

    /// Whether payments wait for an approval, as a child's do. See ``SimulatedAppStore/approvePurchase(of:)``.
    public var askToBuyEnabled = false
    /// Whether payments fail because the customer has to resolve an issue first. They are paid when
    /// ``SimulatedAppStore/resolvePurchase(of:)`` is called.
    public var interruptedPurchasesEnabled = false
    /// Whether payments fail, with ``failureError``.
    public var failTransactionsEnabled = false
    /// The error with which payments fail while ``failTransactionsEnabled`` is set.
    public var failureError = SimulatedError.unknown
    /// Whether the device has no connection: payments, restores, requests, downloads and `verifyReceipt` fail with
    /// ``SimulatedError/notConnectedToInternet``. What the App Store does by itself, such as a renewal, is still reported.
    public var isOffline = false
    /// Whether the device may pay. Payments fail with ``SimulatedError/paymentNotAllowed`` if not.
    public var canMakePayments = true
    /// Whether the App Store cannot collect the price of renewals, and keeps trying for 60 days.
    public var shouldEnterBillingRetryOnRenewal = false
    /// Whether a subscription stays active for a grace period while the App Store tries to collect the price of its renewal: 6 days
    /// for a subscription of a week or less, 16 for longer ones.
    public var billingGracePeriodIsEnabled = false
    /// How fast subscriptions run on the virtual clock. Periods that have begun keep their end.
    public var timeRate = SimulatedTimeRate.realTime

    /// The environment that receipts and signed texts name. To play the App Store build that replaces a TestFlight build, change
    /// it and launch the app again.
    public var environment = Environment.sandbox

    // Reports of the payment queue.

    /// On which thread events arrive.
    public var deliveryThread = DeliveryThread.background
    /// Whether `.purchasing` is reported before a terminal state.
    public var reportsPurchasing = true
    /// Whether every report brings a fresh object for the same entry.
    public var bringsFreshObjects = false
    /// Whether every report of a terminal state comes twice.
    public var reportsTwice = false
    /// Whether the queue reports a payment of another library for the same product before each payment of the app.
    public var insertsCompetingPayment = false
    /// Whether an observer that is added while there is another gets a report of its own.
    public var reportsToSecondObserver = true
    /// Whether finishing fails, silently: the transaction is reported again at the next launch.
    public var finishingFails = false
    /// Whether transactions that were finished are reported once more at the next launch.
    public var redeliversFinishedTransactions = false
    /// The result of buying what the account already owns.
    public var repeatedPurchaseResult = RepeatedPurchaseResult.purchased
    /// Whether payments are never answered, not even with `.purchasing`.
    public var paymentsAreNeverAnswered = false

    // Restores.

    /// How a restore ends.
    public var restoreEnding = RestoreEnding.finishes
    /// How many restored transactions make a batch, at least 1.
    public var restoreBatchSize = 100
    /// How many of the restored transactions come only after "finished".
    public var restoredRowsAfterFinished = 0
    /// Whether restored transactions come without their original.
    public var restoredWithoutOriginal = false

    // Requests and receipts.

    /// Whether product requests are never answered.
    public var productRequestsAreNeverAnswered = false
    /// The error with which product requests fail.
    public var productRequestError: SimulatedError?
    /// Whether a product request reports a failure after its response.
    public var productRequestsFailAfterReply = false
    /// Whether a request that was cancelled is answered all the same.
    public var repliesAfterCancel = false
    /// Whether receipt refreshes are never answered.
    public var receiptRefreshesAreNeverAnswered = false
    /// The error with which receipt refreshes fail.
    public var receiptRefreshError: SimulatedError?
    /// Whether receipts bear a genuine signature, which takes a moment in a debug build. Without, they can be read all the same.
    public var signsReceipts = true
    /// When a purchase enters the receipt.
    public var receiptLag = ReceiptLag.none
    /// The shared secret that `verifyReceipt` wants for receipts with subscriptions; `nil` when it accepts any, and none.
    public var sharedSecret: String?
    /// The status with which `verifyReceipt` answers whatever it is asked, such as 21005 for a service that is unavailable.
    public var verifyReceiptStatus: Int?

    // What StoreKit 2 reads.

    /// Whether everything that is read in a cancelled task is empty, without an error: products, transactions, statuses.
    /// The eligibility for an introductory offer is `false` then.
    public var cancelledTasksReadNothing = true
    /// For how long a purchase or an approval is not among the transactions that are listed, in seconds of the virtual clock.
    /// Unfinished ones are listed at once.
    public var listingLag: TimeInterval = 0
    /// How long a renewal stays invisible after the period has ended, in seconds of the virtual clock. Until then, the
    /// subscription seems to have expired.
    public var renewalVisibilityDelay: TimeInterval = 0
    /// Whether a subscription that was replaced by one of a higher level stays among the current entitlements for the time that was
    /// paid, marked as upgraded.
    public var entitlementsListUpgraded = false
    /// Whether a subscription stays among the current entitlements while the App Store tries to collect its price, also after the
    /// grace period.
    public var entitlementsListBillingRetry = false
    /// Whether the current entitlements seem to be empty, whatever is owned.
    public var entitlementsAreEmpty = false
    /// Whether consumables that were finished stay in the history, as with `SKIncludeConsumableInAppPurchaseHistory` in the app's
    /// `Info.plist`.
    public var historyListsFinishedConsumables = false
    /// The fault of the list of unfinished transactions, `Transaction.unfinished`.
    public var unfinishedListing = SimulatedListingFault.none
    /// The fault of the list of current entitlements, `Transaction.currentEntitlements`.
    public var entitlementsListing = SimulatedListingFault.none
    /// The fault of the list of the full history, `Transaction.all`.
    public var historyListing = SimulatedListingFault.none
    /// The percentage of reads in which ``unfinishedListing``, ``entitlementsListing`` and ``historyListing`` apply.
    /// The App Store's seed determines which reads these are.
    public var listingFaultPercentage = 100
    /// Whether the history also lists purchases of another Apple Account, as has been reported of devices that two
    /// accounts use: one purchase of every product, signed for this app and this device, with an `appTransactionId`
    /// of its own. The current entitlements, the unfinished transactions and the statuses never list them.
    public var historyListsAnotherAccount = false
    /// Whether signed texts have no `appTransactionId`, as Apple signed them in earlier years.
    public var textsLackAppTransactionID = false
    /// The error with which statuses of subscriptions cannot be read.
    public var statusError: SimulatedError?
    /// Whether the first answer about the eligibility for an introductory offer is given until the next launch.
    public var remembersIntroductoryEligibility = false
    /// Whether no transaction verifies. See also ``SimulatedOutcome/unverified``.
    public var transactionsAreUnverified = false
    /// Whether `AppTransaction.shared` shows a dialog in which the customer signs in to the Apple Account. The
    /// customer always signs in; ``SimulatedAppStore/appTransactionSignInCount`` counts the dialogs.
    public var appTransactionAsksToSignIn = false

    // Purchases and updates of StoreKit 2.

    /// Whether a customer who cancels makes a purchase throw `StoreKitError.userCancelled`, rather than return `.userCancelled`.
    public var cancellingThrows = false
    /// The outcome of a purchase whose task is cancelled.
    public var cancelledPurchase = CancelledPurchase.comesAsUpdate
    /// How StoreKit answers an interrupted purchase.
    public var interruptedPurchase = InterruptedPurchase.throwsUnknown
    /// Whether purchasing an expired subscription again returns its expired transaction instead of a new one. No other
    /// subscription can be purchased a second time then.
    public var returnsExpiredTransaction = false
    /// Whether the transaction of a purchase also arrives on `Transaction.updates`, and when.
    public var duplicateUpdateTiming = DuplicateUpdateTiming.none
    /// Whether the first listener of a launch receives the unfinished transactions. It must listen before the clock advances.
    public var deliversUnfinishedAtLaunch = true
    /// Whether finished renewals that no launch has observed are delivered with the first purchase, the newest of them twice.
    public var redeliversRenewalsAtLaunch = false
    /// Whether turning automatic renewal on or off sends a new subscription status.
    public var sendsAutoRenewChanges = false
    /// Whether a new storefront is sent twice.
    public var sendsStorefrontTwice = false
    /// Whether `AppStore.sync()` sends finished renewals as updates again.
    public var syncRepeatsFinishedRenewals = false
    /// How a refund request ends.
    public var refundRequestEnding = RefundRequestEnding.sent
    /// Whether `willAutoRenew` is still `true` in the last billing period of a commitment that the customer has
    /// canceled. Apple's documentation doesn't say. The commitment doesn't renew either way.
    public var canceledCommitmentAutoRenewsInLastPeriod = false
    /// Whether the sheet for offer codes returns the transaction of the code that the customer has redeemed, as from
    /// iOS 27 and macOS 27 on. If not, the sheet returns nothing, and the transaction arrives on `updates`.
    public var offerCodeSheetReturnsTransaction = false
    /// Whether the refund of the current period ends a subscription; else the next renewal comes all the same.
    public var refundEndsSubscription = false

    /// A good day.
    public init() {}

    /// Everything awkward that StoreKit has been seen to do while purchases still succeed: late lists, reports that come
    /// twice, updates for the app's own purchases, subscriptions that seem to have expired for a moment.
    ///
    /// Purchases, restores and refunds have the same results as with the default, later or more than once.
    public static var demanding: SimulatorBehavior {
        var behavior = SimulatorBehavior()
        behavior.reportsTwice = true
        behavior.bringsFreshObjects = true
        behavior.listingLag = 1
        behavior.renewalVisibilityDelay = 0.5
        behavior.entitlementsListUpgraded = true
        behavior.entitlementsListBillingRetry = true
        behavior.remembersIntroductoryEligibility = true
        behavior.historyListsAnotherAccount = true
        behavior.appTransactionAsksToSignIn = true
        behavior.duplicateUpdateTiming = .afterSubscriptionIsFinished
        behavior.redeliversRenewalsAtLaunch = true
        behavior.redeliversFinishedTransactions = true
        behavior.sendsStorefrontTwice = true
        behavior.syncRepeatsFinishedRenewals = true
        behavior.canceledCommitmentAutoRenewsInLastPeriod = true
        return behavior
    }
}
