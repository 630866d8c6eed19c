/// The differences between SwiftyStoreKit 0.16.4 and its API over this library. Each has the words before the colon in
/// the article DifferencesFromSwiftyStoreKit, in the order of the article.
enum Difference: String, CaseIterable, Sendable {
    // Restores
    case secondRestore = "A second `restorePurchases` while one is running"
    case restoreInCompletion = "A restore that starts in the completion of another one"
    case fastRestore = "A restore that StoreKit answers immediately"
    case silentRestore = "A restore without a response"
    case lateRows = "Transactions that are restored after StoreKit has reported the end of the restore"
    case restoreOverPayment = "A purchase while a restore is running"
    // Purchases
    case fastPayment = "A payment that StoreKit answers immediately"
    case oldTransaction = "An older, unfinished transaction of the same product"
    case exchangedAnswers = "Two payments of one product that differ in quantity, user or finishing"
    case silentPayment = "A payment that StoreKit never answers"
    case oneAtATime = "Several payments at once"
    case deferredFinished = "A deferred transaction"
    case interrupted = "An interrupted purchase (new terms, a confirmation by the bank)"
    case deliverThenFinish = "Atomic restores and `completeTransactions`"
    case heldForConsumer = "Transactions that StoreKit reports before the app calls `completeTransactions`"
    case reportedAgain = "An unfinished transaction that StoreKit reports again while the app is active"
    case olderAnswer = """
        A payment that StoreKit answers with an older, unfinished transaction of the product ("You've already \
        purchased this")
        """
    case quantity = "A quantity outside 1 to 10"
    case emptyUsername = "An empty user name"
    case removedElsewhere = "A transaction that another library finishes"
    case distantPast = "`originalPurchaseDate` of a failed or deferred purchase"
    case finishGuard = "`finishTransaction` for a transaction in the state `.purchasing`"
    case cancelPurchase = "`cancel()` of a purchase"
    case contentFirst = "Atomic purchases with hosted content"
    // Products
    case cancelRequest = "`cancel()` of a request"
    case doubleCompletion = "A second request at an unfortunate moment"
    case replyThenFailure = "A response that is followed by a failure"
    case manyThreads = "Requests from several threads"
    case silentRequest = "A request without a response"
    case containedRequests = "Requests for products that a running request contains"
    case startTwice = "`start()` of a running request"
    // Receipts
    case sharedRefresh = "Two forced refreshes at once"
    case cancelVerification = "`cancel()` during a refresh or a validation"
    case validatorTwice = "A validator that calls its completion twice"
    case silentRefresh = "A refresh without a response"
    case emptyFile = "A receipt file of zero bytes"
    case stickySandbox = "`AppleReceiptValidator` and a sandbox receipt"
    case endlessSandbox = "A sandbox that answers with status 21007"
    case retries = "A temporary error at Apple (21009, some of 21100 to 21199, HTTP 429, and 5xx without JSON)"
    case contentType = "The content type of the request to Apple"
    case foreignRedirect = "A redirect to a host that isn't Apple's"
    case emptyAnswer = "An empty response"
    case oddAnswer = "A JSON response that isn't an object"
    case expiredReceipt = "Status 21006 (an expired subscription) with a receipt"
    // Questions
    case refundedCopies = "A refund"
    case upgradedText = "`is_upgraded` as the string `\"true\"`, which Apple sends"
    case cancellationFields = "`cancellation_date` with `null`"
    case validUntil = "`validUntil`"
    case gracePeriod = "A billing grace period"
    case upgradedRows = "Upgraded transactions"
    case latestRow = "`verifyPurchase`"
    case lenientRows = """
        Transactions with a number instead of a string, with a date in words, or without an optional field \
        (quantity, original transaction)
        """
    case oldStyle = "Receipts in the style of iOS 6"
    // Errors
    case networkErrors = "Network errors of purchases and restores"
    case disguisedNetwork = "A network error's number in StoreKit's error domain"
    case customerTexts = "The description of an error that the module creates"
}
