/// The differences between SwiftyStoreKit 0.16.4 and its API over this library. Each text is in the article
/// DifferencesFromSwiftyStoreKit, word for word.
enum Difference: String, CaseIterable, Sendable {
    // Restores
    case secondRestore = """
        A second `restorePurchases` while one is running: SwiftyStoreKit ignored the call and never called its \
        completion. Now the completion is called immediately with one failed purchase, `SKError.unknown`.
        """
    case restoreInCompletion = """
        A restore that starts in the completion of another one: SwiftyStoreKit ignored the call. Now the restore \
        starts.
        """
    case fastRestore = "A restore that StoreKit answers immediately: the completion could be lost. Now it is called."
    case silentRestore = """
        A restore without a response: blocked every later restore. Now it ends with an error after 300 seconds.
        """
    case lateRows = """
        Transactions that are restored after StoreKit has reported the end of the restore: were lost if the app \
        hadn't called `completeTransactions`. Now they are kept until the app calls it.
        """
    case restoreOverPayment = """
        A purchase while a restore is running: a restored transaction could complete the purchase, and was missing \
        from the restore. Now it belongs to the restore.
        """
    // Purchases
    case fastPayment = "A payment that StoreKit answers immediately: the completion could be lost. Now it is called."
    case oldTransaction = """
        An older, unfinished transaction of the same product: could complete a new purchase. Now it goes to \
        `completeTransactions`, and the new purchase gets its own transaction.
        """
    case exchangedAnswers = """
        Two payments of one product that differ in quantity, user or finishing: their transactions could be \
        swapped. Now each payment gets its own.
        """
    case silentPayment = """
        A payment that StoreKit never answers: took the transaction of the next payment for the same product. Now it \
        never takes another payment's transaction. A purchase of the same product fails after 30 seconds with \
        `NSURLErrorTimedOut` as the underlying error, because two open sheets could charge the customer twice. A \
        purchase of another product starts after 30 seconds (300 over StoreKit 2). The timer measures only the time in \
        which the app runs.
        """
    case oneAtATime = """
        Several payments at once: were all submitted to StoreKit, which shows one sheet. Now they are submitted one \
        after another, in the order of your calls. A purchase by identifier joins the queue when its product is loaded, \
        so two such purchases may change places.
        """
    case deferredFinished = """
        A deferred transaction: `completeTransactions(atomically: true)` finished it. Now a deferred transaction is \
        never finished, because the approval updates the same transaction.
        """
    case interrupted = """
        An interrupted purchase (new terms, a confirmation by the bank): the error is the same. The purchase that \
        follows now waits for `completeTransactions`. SwiftyStoreKit lost it if the app hadn't called that function.
        """
    case deliverThenFinish = """
        Atomic restores and `completeTransactions`: transactions were finished before the callback, so a crash in \
        the callback lost the purchase. Now they are finished after it.
        """
    case heldForConsumer = """
        Transactions that StoreKit reports before the app calls `completeTransactions`: were dropped until the next \
        launch, and stopped a debug build. Now they are kept until the app calls it.
        """
    case reportedAgain = """
        An unfinished transaction that StoreKit reports again while the app is active: went to \
        `completeTransactions` again. Now it goes there again when the app returns to the foreground, or at the next \
        launch.
        """
    case olderAnswer = """
        A payment that StoreKit answers with an older, unfinished transaction of the product ("You've already \
        purchased this"): completed at once. Now the completion is called after 3 seconds, in which a new transaction \
        would arrive, or at once if the app has had the older one for 3 seconds.
        """
    case quantity = """
        A quantity outside 1 to 10: was passed to StoreKit. Now the call fails with `.paymentInvalid`, because \
        StoreKit's response depends on the system.
        """
    case emptyUsername = """
        An empty user name: was passed to StoreKit as an empty string. Now it is treated as no user name.
        """
    case removedElsewhere = """
        A transaction that another library finishes: its purchase never ended, and took the next transaction of the \
        product. Now the purchase ends with an error.
        """
    case distantPast = """
        `originalPurchaseDate` of a failed or deferred purchase: crashed the app. Now it is `Date.distantPast`.
        """
    case finishGuard = """
        `finishTransaction` for a transaction in the state `.purchasing`: crashed the app. For a deferred \
        transaction: discarded the approval. Now both calls have no effect.
        """
    case cancelPurchase = """
        `cancel()` of a purchase: had no effect, or the completion was never called. Now it ends the wait. The \
        completion is called once, with `.paymentCancelled`, after `cancel()` has returned. A closure with `[unowned \
        self]` requires `self` until then; use `[weak self]`.
        """
    case contentFirst = """
        Atomic purchases with hosted content: were finished immediately, and the content was lost. Now they are \
        finished when the downloads have ended.
        """
    // Products
    case cancelRequest = """
        `cancel()` of a request: its completion was never called, and later requests for the same products never \
        ended. Now the completion is called once, with the error `SKError.paymentCancelled`, after `cancel()` has \
        returned. Other requests continue. Use `[weak self]` here, too.
        """
    case doubleCompletion = """
        A second request at an unfortunate moment: both completions were called twice, so one tap could buy twice. \
        Now each is called once.
        """
    case replyThenFailure = """
        A response that is followed by a failure: called the completion twice. Now the completion is called once.
        """
    case manyThreads = """
        Requests from several threads: could crash the app. Now you can call every function from any thread.
        """
    case silentRequest = """
        A request without a response: never ended. Now it ends with `NSURLErrorTimedOut` after 30 seconds in which \
        the app runs.
        """
    case containedRequests = """
        Requests for products that a running request contains: each one was sent, unless its products were exactly the \
        same. Now they share the running request.
        """
    case startTwice = """
        `start()` of a running request: sent the request again, and could call the completion twice. Now it has no \
        effect.
        """
    // Receipts
    case sharedRefresh = """
        Two forced refreshes at once: the completion of the first was never called. Now they share one refresh.
        """
    case cancelVerification = """
        `cancel()` during a refresh or a validation: the completion was never called. Now it is called once, with \
        `.networkError` and `SKError.paymentCancelled`. For this reason `verifyReceipt` always returns a request. It \
        returned `nil` when there was nothing to refresh.
        """
    case validatorTwice = """
        A validator that calls its completion twice: your completion was called twice. Now only the first call has an \
        effect.
        """
    case silentRefresh = """
        A refresh without a response: never ended. Now it ends with `NSURLErrorTimedOut` after 60 seconds.
        """
    case emptyFile = """
        A receipt file of zero bytes: was treated as a receipt, which Apple rejects. Now it is treated as missing and \
        is refreshed.
        """
    case stickySandbox = """
        `AppleReceiptValidator` and a sandbox receipt: the validator used the sandbox for every later receipt. Now \
        the validation of every receipt starts at `service`.
        """
    case endlessSandbox = """
        A sandbox that answers with status 21007: caused an endless loop. Now there is one more attempt, and then \
        the error.
        """
    case retries = """
        A temporary error at Apple (21009, some of 21100 to 21199, HTTP 429, and 5xx without JSON): was reported \
        immediately. Now there are up to three more attempts, so the error is reported after seven seconds. Status \
        21005 is retried once, after one second. All other errors are reported immediately.
        """
    case contentType = """
        The content type of the request to Apple: was that of a web form. Now it is `application/json`.
        """
    case foreignRedirect = """
        A redirect to a host that isn't Apple's: was followed, with the receipt and the shared secret. Now it is a \
        `.networkError`.
        """
    case emptyAnswer = """
        An empty response: was `.jsonDecodeError(string: "")` on some systems. Now it is always `.noRemoteData`.
        """
    case oddAnswer = """
        A JSON response that isn't an object: was `.receiptInvalid` with an empty receipt. Now it is \
        `.jsonDecodeError` with the text.
        """
    case expiredReceipt = """
        Status 21006 (an expired subscription) with a receipt: was an error. Now the result is the receipt.
        """
    // Questions
    case refundedCopies = """
        A refund: ended only the transaction that names it, so a restored copy of the purchase was still valid. Now it \
        ends every copy: every transaction of the product with the same original transaction, and for a subscription \
        every one with the same line item.
        """
    case upgradedText = """
        `is_upgraded` as the string `"true"`, which Apple sends: was treated as false. Now it is treated as true.
        """
    case cancellationFields = """
        `cancellation_date` with `null`: was treated as a refund. `cancellation_date_ms` without `cancellation_date`: \
        was ignored. Now both are read correctly.
        """
    case validUntil = """
        `validUntil`: the request date of the receipt took precedence, so an old receipt never expired. Now your date \
        does. If you ask about the present, a response that a validator returned in the last ten minutes is evaluated \
        at its own date. Any other response is evaluated at Apple's time if `AppleReceiptValidator` has had a response \
        since launch, and so is a response that is more than a day ahead of the device clock. Setting the clock back \
        doesn't revive a subscription. If the clock was ahead when the response arrived, the store only measures the \
        time since then, for thirty days and across relaunches, so your stored responses are still valid. If the clock \
        is set ahead later, a stored response expires by that clock until the next validation.
        """
    case gracePeriod = """
        A billing grace period: was treated as expired. Now it is treated as purchased, because Apple asks you to give \
        access.
        """
    case upgradedRows = """
        Upgraded transactions: were treated as purchased. Now they're ignored, because the higher product has a \
        transaction of its own.
        """
    case latestRow = "`verifyPurchase`: returned the oldest transaction. Now it returns the latest valid one."
    case lenientRows = """
        Transactions with a number instead of a string, with a date in words, or without an optional field \
        (quantity, original transaction): were left out. Now they are read.
        """
    case oldStyle = "Receipts in the style of iOS 6: had no transactions. Now their transactions are read."
    // Errors
    case networkErrors = """
        Network errors of purchases and restores: were an `SKError` with a number that isn't an `SKError.Code`, so a \
        `switch` could crash. Now they are `SKError.unknown`, with the cause under `NSUnderlyingErrorKey`. Errors \
        of other domains keep their domain and number.
        """
    case disguisedNetwork = """
        A network error's number in StoreKit's error domain: was passed on unchanged. Now it is treated as that \
        network error.
        """
    case customerTexts = """
        The description of an error that the module creates: was a text for developers, such as "Invalid product id: \
        pro". Now it is a text for customers in their language, and the message for your log is under \
        `NSDebugDescriptionErrorKey`.
        """

    var chapter: Chapter {
        switch self {
        case .secondRestore, .restoreInCompletion, .fastRestore, .silentRestore, .lateRows, .restoreOverPayment:
            .restores
        case .fastPayment, .oldTransaction, .exchangedAnswers, .silentPayment, .oneAtATime, .deferredFinished,
            .interrupted,
            .deliverThenFinish, .heldForConsumer, .reportedAgain, .olderAnswer, .quantity, .emptyUsername,
            .removedElsewhere, .distantPast,
            .finishGuard,
            .cancelPurchase, .contentFirst:
            .purchases
        case .cancelRequest, .doubleCompletion, .replyThenFailure, .manyThreads, .silentRequest, .containedRequests,
            .startTwice:
            .products
        case .sharedRefresh, .cancelVerification, .validatorTwice, .silentRefresh, .emptyFile, .stickySandbox,
            .endlessSandbox, .retries,
            .contentType, .foreignRedirect, .emptyAnswer, .oddAnswer, .expiredReceipt:
            .receipts
        case .refundedCopies, .upgradedText, .cancellationFields, .validUntil, .gracePeriod, .upgradedRows, .latestRow,
            .lenientRows, .oldStyle:
            .questions
        case .networkErrors, .disguisedNetwork, .customerTexts: .errors
        }
    }
}
