public import Foundation

/// The behavior of the simulated App Store: the circumstances of the customer and the device, behavior that Apple's
/// documentation doesn't define, and faults that have been observed.
///
/// By default, the App Store lists purchases immediately and reports them once, without faults. ``demanding`` turns on
/// the difficult behavior that has been observed with StoreKit. Test your code with both.
public struct SimulatorBehavior: Sendable, Hashable {
    /// The thread on which observers and request handlers are called.
    public enum DeliveryThread: Sendable, Hashable, CaseIterable {
        /// A background thread, in order.
        case background
        /// The main thread, each call in a separate pass of the run loop, so that the app's own work on the main queue
        /// runs in between.
        case main
        /// The caller's thread, from inside the call that caused the event.
        case caller
        /// A different thread each time, but one call after another.
        case any
    }

    /// The end of a restore.
    public enum RestoreEnding: Sendable, Hashable {
        /// The restore finishes with all purchases.
        case finishes
        /// The restore fails with an error, after this number of purchases.
        case fails(SimulatedError, afterRows: Int)
        /// The restore never ends, after this number of purchases.
        case neverAnswers(afterRows: Int)
    }

    /// The result of buying a non-consumable or an active subscription that the account already owns.
    public enum RepeatedPurchaseResult: Sendable, Hashable, CaseIterable {
        /// A new purchased transaction with a new identifier.
        case purchased
        /// A restored transaction with the original transaction.
        case restored
    }

    /// The delay after which a purchase enters the receipt.
    public enum ReceiptLag: Sendable, Hashable {
        /// The receipt contains the purchase before the transaction is reported.
        case none
        /// The receipt contains the purchase after this number of refreshes.
        case refreshes(Int)
        /// The receipt contains the purchase after this virtual time, in seconds.
        case seconds(TimeInterval)
    }

    /// The outcome of a StoreKit 2 purchase whose task is canceled while the customer is being asked. Apple doesn't
    /// document this case.
    public enum CancelledPurchase: Sendable, Hashable, CaseIterable {
        /// The call ends with a `CancellationError`. If the customer pays nevertheless, the transaction arrives as an
        /// update.
        case comesAsUpdate
        /// The call continues until the customer has answered.
        case isAwaited
        /// The sheet closes, the customer isn't charged, and the call returns `.userCancelled`.
        case isWithdrawn
    }

    /// StoreKit 2's answer to an interrupted purchase. When the issue is resolved, the transaction arrives as an
    /// update.
    public enum InterruptedPurchase: Sendable, Hashable, CaseIterable {
        /// The call throws `StoreKitError.unknown`.
        case throwsUnknown
        /// The call returns `.pending`.
        case isPending
    }

    /// When the transaction of an answered StoreKit 2 purchase also arrives as an update.
    public enum DuplicateUpdateTiming: Sendable, Hashable, CaseIterable {
        /// The transaction doesn't arrive as an update.
        case none
        /// The update arrives before the call returns.
        case beforeAnswer
        /// The update arrives after the call has returned.
        case afterAnswer
        /// The update arrives half a second after the transaction was finished, only for auto-renewable subscriptions.
        case afterSubscriptionIsFinished
    }

    /// The result of a StoreKit 2 refund request.
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

    /// The lengths of a billing grace period in App Store Connect, in days.
    public enum BillingGracePeriodDuration: Int, Sendable, Hashable, CaseIterable {
        /// Three days.
        case threeDays = 3
        /// Sixteen days, or six days for a weekly subscription.
        case sixteenDays = 16
        /// Twenty-eight days, or six days for a weekly subscription.
        case twentyEightDays = 28
    }

    /// The environments of the App Store.
    public enum Environment: String, Sendable, Hashable, CaseIterable {
        /// The App Store.
        case production = "Production"
        /// The sandbox, including TestFlight.
        case sandbox = "Sandbox"
        /// A session of StoreKit Test.
        case xcode = "Xcode"
    }

    // The circumstances of the customer and the device; most have the names that SKTestSession gives them.

    /// Whether payments wait for approval, as those of a child. See ``SimulatedAppStore/approvePurchase(of:)``.
    public var askToBuyEnabled = false
    /// Whether payments fail because the customer must resolve an issue first.
    /// ``SimulatedAppStore/resolvePurchase(of:)`` completes the payment.
    public var interruptedPurchasesEnabled = false
    /// Whether payments fail with ``failureError``.
    public var failTransactionsEnabled = false
    /// The error of payments while ``failTransactionsEnabled`` is set.
    public var failureError = SimulatedError.unknown
    /// Whether the device is offline: payments, restores, requests, downloads and `verifyReceipt` fail with
    /// ``SimulatedError/notConnectedToInternet``. Events of the App Store itself, such as renewals, are still reported.
    public var isOffline = false
    /// Whether the device is allowed to make payments. Otherwise payments fail with
    /// ``SimulatedError/purchaseNotAllowed``.
    public var canMakePayments = true
    /// Whether payments of renewals fail. The App Store retries these payments for 60 days.
    public var shouldEnterBillingRetryOnRenewal = false
    /// Whether a subscription stays active for a grace period while the App Store retries the payment of its renewal.
    ///
    /// A payment in the grace period continues the billing cycle. A later payment begins a new cycle. Commitments have
    /// no grace period.
    public var billingGracePeriodIsEnabled = false
    /// The length of the grace period. For a weekly subscription, the length is at most six days.
    public var billingGracePeriodDuration = BillingGracePeriodDuration.sixteenDays
    /// The speed, on the virtual clock, of subscriptions that are bought after it was set. Other subscriptions keep
    /// theirs.
    public var timeRate = SimulatedTimeRate.realTime

    /// The environment that receipts and signed texts name. To simulate the App Store build that replaces a TestFlight
    /// build, change it and launch the app again.
    public var environment = Environment.sandbox

    // Reports of the payment queue.

    /// The thread that delivers events.
    public var deliveryThread = DeliveryThread.background
    /// Whether the queue reports `.purchasing` before a terminal state.
    public var reportsPurchasing = true
    /// Whether every report contains a new object for the same entry.
    public var bringsFreshObjects = false
    /// Whether the queue reports every terminal state twice.
    public var reportsTwice = false
    /// Whether the queue reports a payment of another library for the same product before each payment of the app.
    public var insertsCompetingPayment = false
    /// Whether a second observer also receives a report of all unfinished transactions.
    public var reportsToSecondObserver = true
    /// Whether finishing fails without an error: the transaction is reported again at the next launch.
    public var finishingFails = false
    /// Whether finished transactions are reported once again at the next launch.
    public var redeliversFinishedTransactions = false
    /// The result of buying a product that the account already owns.
    public var repeatedPurchaseResult = RepeatedPurchaseResult.purchased
    /// Whether StoreKit 1 reports a new transaction when the customer changes to a subscription that begins at the next
    /// renewal. Otherwise StoreKit 1 reports the transaction of the paid period, as StoreKit 2 does. The new period has
    /// a transaction of its own in both cases.
    public var laterChangesReportNewTransaction = false
    /// Whether StoreKit never answers payments, not even with `.purchasing`.
    public var paymentsAreNeverAnswered = false

    // Restores.

    /// The end of a restore.
    public var restoreEnding = RestoreEnding.finishes
    /// The number of restored transactions in a batch, at least 1.
    public var restoreBatchSize = 100
    /// The number of restored transactions that arrive after the restore has finished.
    public var restoredRowsAfterFinished = 0
    /// Whether restored transactions have no original transaction.
    public var restoredWithoutOriginal = false

    // Requests and receipts.

    /// Whether product requests are never answered.
    public var productRequestsAreNeverAnswered = false
    /// The error of product requests.
    public var productRequestError: SimulatedError?
    /// Whether a product request reports a failure after its response.
    public var productRequestsFailAfterReply = false
    /// Whether a canceled request still receives its response.
    public var repliesAfterCancel = false
    /// Whether receipt refreshes are never answered.
    public var receiptRefreshesAreNeverAnswered = false
    /// The error of receipt refreshes.
    public var receiptRefreshError: SimulatedError?
    /// Whether receipts have a valid signature. Signing is slow in debug builds. Receipts without a valid signature are
    /// readable.
    public var signsReceipts = true
    /// The delay after which a purchase enters the receipt.
    public var receiptLag = ReceiptLag.none
    /// The shared secret that `verifyReceipt` requires for receipts with subscriptions; `nil` accepts any secret, or
    /// none.
    public var sharedSecret: String?
    /// The status of every `verifyReceipt` response, such as 21005 for an unavailable service.
    public var verifyReceiptStatus: Int?

    // Lists and statuses of StoreKit 2.

    /// Whether reads in a canceled task return nothing, without an error: products, transactions and statuses are
    /// empty, and the eligibility for an introductory offer is `false`.
    public var cancelledTasksReadNothing = true
    /// The time after which a new purchase appears in the lists of transactions, in seconds of the virtual clock. The
    /// list of unfinished transactions contains it immediately.
    public var listingLag: TimeInterval = 0
    /// How long a renewal stays invisible after the period has ended, in seconds of the virtual clock. Until then, the
    /// subscription seems to have expired.
    public var renewalVisibilityDelay: TimeInterval = 0
    /// Whether a subscription that an upgrade replaced stays in the current entitlements until its paid period ends,
    /// marked as upgraded.
    public var entitlementsListUpgraded = false
    /// Whether a subscription stays in the current entitlements while the App Store retries its payment, even after the
    /// grace period.
    public var entitlementsListBillingRetry = false
    /// Whether the current entitlements are always empty.
    public var entitlementsAreEmpty = false
    /// Whether finished consumables stay in the history, as with `SKIncludeConsumableInAppPurchaseHistory` in the app's
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
    /// Whether the history also contains purchases of another Apple Account, as has been reported of devices with two
    /// accounts: one purchase of every product, signed for this app and this device, with a different
    /// `appTransactionId`. The current entitlements, the unfinished transactions and the statuses never contain these
    /// purchases.
    public var historyListsAnotherAccount = false
    /// Whether signed texts have no `appTransactionId`, as Apple signed them in earlier years.
    public var textsLackAppTransactionID = false
    /// The error with which statuses of subscriptions cannot be read.
    public var statusError: SimulatedError?
    /// Whether the first result of the eligibility for an introductory offer is repeated until the next launch.
    public var remembersIntroductoryEligibility = false
    /// Whether the signatures of all transactions are invalid. See also ``SimulatedOutcome/unverified``.
    public var transactionsAreUnverified = false
    /// The error with which the app transaction cannot be read.
    public var appTransactionError: SimulatedError?
    /// Whether `AppTransaction.shared` shows a sign-in dialog. The customer always signs in, and
    /// ``SimulatedAppStore/appTransactionSignInCount`` counts the dialogs.
    public var appTransactionAsksToSignIn = false

    // Purchases and updates of StoreKit 2.

    /// Whether a purchase that the customer cancels throws `StoreKitError.userCancelled` instead of returning
    /// `.userCancelled`.
    public var cancellingThrows = false
    /// The outcome of a purchase whose task is canceled.
    public var cancelledPurchase = CancelledPurchase.comesAsUpdate
    /// StoreKit's answer to an interrupted purchase.
    public var interruptedPurchase = InterruptedPurchase.throwsUnknown
    /// Whether purchasing an expired subscription again returns its expired transaction instead of a new one. No other
    /// subscription can be purchased a second time then.
    public var returnsExpiredTransaction = false
    /// Whether the transaction of a purchase also arrives on `Transaction.updates`, and when.
    public var duplicateUpdateTiming = DuplicateUpdateTiming.none
    /// Whether the first listener of a launch receives the unfinished transactions, if it starts before the clock
    /// advances.
    public var deliversUnfinishedAtLaunch = true
    /// Whether a listener also receives the updates for which there was no listener, if it starts later in the launch.
    /// StoreKit Test delivers a purchase outside the app in this way.
    public var deliversUpdatesToLaterListeners = false
    /// Whether finished renewals that no launch has observed are delivered with the first purchase, the newest of them
    /// twice.
    public var redeliversRenewalsAtLaunch = false
    /// Whether turning automatic renewal on or off sends a new subscription status, as measured on macOS 26. Without a
    /// status, a store has the change after its next read: when a sheet closes, or the app becomes active.
    public var sendsAutoRenewChanges = true
    /// Whether a new storefront is sent twice.
    public var sendsStorefrontTwice = false
    /// Whether `AppStore.sync()` sends finished renewals as updates again.
    public var syncRepeatsFinishedRenewals = false
    /// The error of the sheet for offer codes.
    public var offerCodeError: SimulatedError?
    /// The error of the sheet in which the customer manages subscriptions.
    public var subscriptionManagementError: SimulatedError?
    /// The result of a refund request.
    public var refundRequestEnding = RefundRequestEnding.sent
    /// Whether `willAutoRenew` is still `true` in the last billing period of a canceled commitment. Apple's
    /// documentation doesn't define this case. The commitment doesn't renew in either case.
    public var canceledCommitmentAutoRenewsInLastPeriod = false
    /// Whether the sheet for offer codes returns the transaction of the redeemed code, as in iOS 27 and macOS 27.
    /// Otherwise the sheet returns no transaction, and the transaction arrives on `updates`.
    public var offerCodeSheetReturnsTransaction = false
    /// Whether the refund of the current period ends a subscription. Otherwise the subscription still renews.
    public var refundEndsSubscription = false

    /// Creates the default behavior, without faults.
    public init() {}

    /// Difficult behavior that has been observed with StoreKit. Purchases, restores and refunds have the same results
    /// as with the default behavior, but later or repeatedly.
    ///
    /// Each switch has a public source:
    ///
    /// | Switch | Source |
    /// |---|---|
    /// | ``reportsTwice`` | RMStore, issue 150 |
    /// | ``redeliversFinishedTransactions`` | Apple's documentation of `SKPaymentQueue.finishTransaction(_:)` |
    /// | ``listingLag``, ``renewalVisibilityDelay``, ``duplicateUpdateTiming`` | measured on macOS 26, `Kosikowski/swift-storekit` |
    /// | ``remembersIntroductoryEligibility``, ``redeliversRenewalsAtLaunch`` | the same |
    /// | ``sendsAutoRenewChanges`` | turning renewal on sends no status in the simulator of iOS 27, the same |
    /// | ``entitlementsListBillingRetry`` | measured in the simulator of iOS 27, the same |
    /// | ``entitlementsListUpgraded`` | Apple's documentation of `Transaction.isUpgraded` |
    /// | ``historyListsAnotherAccount`` | purchases-flutter, issue 332 |
    /// | ``appTransactionAsksToSignIn`` | Superwall-iOS, issue 371; purchases-ios, issue 5777 |
    /// | ``syncRepeatsFinishedRenewals`` | Apple's developer forums, thread 821622 |
    public static var demanding: SimulatorBehavior {
        var behavior = SimulatorBehavior()
        behavior.reportsTwice = true
        behavior.redeliversFinishedTransactions = true
        behavior.listingLag = 1
        behavior.renewalVisibilityDelay = 0.5
        behavior.duplicateUpdateTiming = .afterSubscriptionIsFinished
        behavior.remembersIntroductoryEligibility = true
        behavior.redeliversRenewalsAtLaunch = true
        behavior.sendsAutoRenewChanges = false
        behavior.entitlementsListBillingRetry = true
        behavior.entitlementsListUpgraded = true
        behavior.historyListsAnotherAccount = true
        behavior.appTransactionAsksToSignIn = true
        behavior.syncRepeatsFinishedRenewals = true
        return behavior
    }
}

extension SimulatorBehavior: CustomStringConvertible {
    /// The properties that differ from the default, such as "SimulatorBehavior(isOffline: true)", or
    /// "SimulatorBehavior.demanding".
    public var description: String {
        guard self != .demanding else { return "SimulatorBehavior.demanding" }
        let properties = zip(Mirror(reflecting: self).children, Mirror(reflecting: SimulatorBehavior()).children)
        let changes = properties.compactMap { property, usual in
            let (value, usualValue) = ("\(property.value)", "\(usual.value)")
            return value == usualValue ? nil : "\(property.label ?? ""): \(value)"
        }
        return "SimulatorBehavior(\(changes.joined(separator: ", ")))"
    }
}
