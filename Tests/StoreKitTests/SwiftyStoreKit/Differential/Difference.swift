/// What is different although an app changes nothing, each with its sentence in Migration.md, word for word.
enum Difference: String, CaseIterable, Sendable {
    // Restores
    case secondRestore = """
        A second `restorePurchases` while one runs: was dropped, and its completion never called. Now it is called at once, with one failed purchase of `SKError.unknown`.
        """
    case restoreInCompletion = "A restore that you begin in the completion of another: was dropped. Now it starts."
    case fastRestore = "A restore that StoreKit answered very fast: could lose its completion. Now it is called."
    case silentRestore = "A restore of which nothing is heard for 300 seconds: blocked every later one. Now it ends with an error."
    case lateRows = """
        Restored rows after StoreKit has said that it is finished: were lost without `completeTransactions`. Now they wait for it.
        """
    case restoreOverPayment = """
        A purchase while a restore runs: a restored row could come as the purchase, and was missing from the restore. Now it belongs to the restore.
        """
    // Purchases
    case fastPayment = "A payment that StoreKit answered very fast: could lose its completion. Now it is called."
    case oldTransaction = """
        An old, unfinished transaction of the same product: could come as the answer to a new purchase. Now it comes to `completeTransactions`, and the new purchase gets its own.
        """
    case exchangedAnswers = """
        Two payments of one product with different quantities, users or ways of finishing: their answers could be exchanged. Now each gets its own.
        """
    case silentPayment = """
        A payment that StoreKit never answers: took the answer of the next one for the same product. Now it takes no other answer. A purchase of the same product ends after 30 seconds with `NSURLErrorTimedOut` underneath, because two open sheets could charge twice, and a purchase of another product goes on after 30 seconds (300 over StoreKit 2). Only time in which the app runs counts.
        """
    case oneAtATime = """
        Several payments at once: were all with StoreKit at once, which shows one sheet. Now they reach StoreKit one after the other, in the order of your calls. A purchase by identifier waits at most 3 seconds for the look-ups of earlier ones, and a purchase of a product in hand waits for no look-up.
        """
    case deferredFinished = """
        A deferred transaction was finished by `completeTransactions(atomically: true)`. It is never finished now, because the approval comes with it.
        """
    case interrupted = """
        Interrupted purchases (terms, bank's confirmation): the error comes as before, and the purchase that follows waits for `completeTransactions`, where it was lost when nobody had called that.
        """
    case deliverThenFinish = """
        Atomic: transactions of a restore or of `completeTransactions` were finished before the callback, so a crash in it lost the purchase. Now the callback runs first.
        """
    case heldForConsumer = """
        Calls made before `completeTransactions`: what StoreKit reported early was dropped until the next launch, and a debug build stopped. Now it waits for `completeTransactions`.
        """
    case quantity = """
        Quantities outside 1 to 10: went through to StoreKit. Now the call fails with `.paymentInvalid`, because StoreKit's own answers to them differ from system to system.
        """
    case emptyUsername = "An empty user name: reached StoreKit as an empty text. Now it is none, which is what it means."
    case removedElsewhere = """
        A transaction that another library finished: its purchase waited for ever, and took the answer of the next. Now it ends, with an error.
        """
    case distantPast = "`originalPurchaseDate` of a failed or deferred purchase: stopped the app. Now it is `Date.distantPast`."
    case finishGuard = """
        `finishTransaction` for a transaction that is being purchased: stopped the app; for a deferred one: threw the approval away. Now both are left alone.
        """
    case cancelPurchase = """
        `cancel()` of a purchase: was without effect, or its completion never came. Now it ends the wait, and the completion is called with `.paymentCancelled`, once, after `cancel()` has returned. A closure with `[unowned self]` must live until then; `[weak self]` is safer.
        """
    case contentFirst = """
        Atomic purchases with hosted content: were finished at once, and their content was lost. Now they are finished when the downloads have ended.
        """
    // Products
    case cancelRequest = """
        `cancel()` of a request: its completion never came, and later requests for the same products hung. Now the completion is called once, with `SKError.paymentCancelled` as the error, after `cancel()` has returned, and nobody else is concerned. Here too, `[unowned self]` must live until then.
        """
    case doubleCompletion = """
        A second request at the wrong moment: both completions came twice, and one tap could buy twice. Now each comes once.
        """
    case replyThenFailure = "An answer that was followed by a failure: gave two completions. Now one."
    case manyThreads = """
        Requests from several threads: could crash. Now every function may be called from any thread.
        """
    case silentRequest = """
        A request without an answer: waited for ever. Now it ends with `NSURLErrorTimedOut` after 30 seconds in which the app runs, because StoreKit has been seen not to answer at all.
        """
    case overlappingRequests = """
        Requests that overlap: each asked for itself, unless its products were exactly the same. Now a product is asked for once at a time, unless the earlier request has been silent for two seconds.
        """
    case startTwice = "`start()` of a request that runs: asked StoreKit again, and could complete twice. Now it does nothing."
    // Receipts
    case sharedRefresh = """
        Two forced refreshes at once: the first never completed. Now they share one refresh, unless it has been silent for 30 seconds.
        """
    case cancelVerification = """
        `cancel()` while the receipt is refreshed or validated: the completion never came. Now it comes once, with `.networkError` of `SKError.paymentCancelled`. For that, `verifyReceipt` always returns a request, where it returned `nil` when there was nothing to refresh.
        """
    case validatorTwice = "A validator that completes twice: completed your call twice. Now the first time counts."
    case silentRefresh = "A refresh without an answer: waited for ever. Now it ends after 60 seconds with `NSURLErrorTimedOut`."
    case emptyFile = """
        A receipt file of zero bytes: was a receipt, which Apple refuses. Now there is none, and it is refreshed.
        """
    case stickySandbox = """
        `AppleReceiptValidator`: one sandbox receipt moved it to the sandbox for good. Now every receipt begins at `service`.
        """
    case endlessSandbox = "A sandbox that answers 21007 too: was an endless loop. Now it is one more try, and then the error."
    case retries = """
        Trouble on Apple's side (21009, some of 21100 to 21199, HTTP 429 and 5xx without JSON): was an error at once. Now it is tried again up to three times, so that such an error comes after seven seconds; 21005 is tried again once, after one second. Every other error comes at once.
        """
    case contentType = """
        The request to Apple: named a web form as its content. Now it says `application/json`, which it is.
        """
    case foreignRedirect = """
        A redirection away from Apple's hosts: was followed, secret and receipt included. Now it is `.networkError`.
        """
    case emptyAnswer = """
        An empty answer: was `.jsonDecodeError(string: "")` on some systems, as no JSON. Now it is always `.noRemoteData`.
        """
    case oddAnswer = """
        JSON that is no object: was `.receiptInvalid` with an empty receipt. Now it is `.jsonDecodeError` with its text, because nobody can act on an empty receipt.
        """
    case expiredReceipt = "Status 21006 (an expired subscription) with a receipt: was an error. Now it is the receipt."
    // Questions
    case refundedCopies = """
        A refund: reached only the row that names it, so that a restored copy of the purchase still counted. Now it reaches \
        every copy: every row of the product with the same original transaction, and for a subscription every row with the \
        same line item.
        """
    case upgradedText = "`is_upgraded` as the text `\"true\"`, as Apple writes it: counted as false. Now it is true."
    case cancellationFields = """
        `cancellation_date` with `null`: counted as taken back; and `cancellation_date_ms` alone was overlooked. Both are read now.
        """
    case validUntil = """
        `validUntil`: the receipt's own date won over it, so that an old receipt never expired. Now your date counts. Where you ask about the present, an answer that a validator gave in the last ten minutes is judged by its own date, and every other by Apple's time, if `AppleReceiptValidator` has had an answer since the app was started. So is one that the device's clock is more than a day behind. A clock that was set back revives nothing. A clock that was ahead when the answer came only tells how long ago that was, for thirty days and also after a relaunch, so that your stored answers still count. If the clock is set ahead later, a stored answer expires by that clock, until the next validation.
        """
    case gracePeriod = "A billing grace period: counted as expired. Now it counts as purchased, because Apple asks you to give access."
    case upgradedRows = "Upgraded rows: counted as purchased. They do not now, because the higher product has its own."
    case latestRow = "`verifyPurchase`: gave the oldest row. Now it gives the latest that stands."
    case lenientRows = """
        Rows with a number where Apple writes a text, with a date in words, or without what can be done without (quantity, original transaction): were left out. Now they are read.
        """
    case oldStyle = "Receipts in the style of iOS 6: had no rows. Now they have theirs."
    // Errors
    case networkErrors = """
        Network errors of purchases and restores came as an `SKError` with a number that `SKError` does not have, on which a `switch` could crash. Now they are `SKError.unknown`, with the cause under `NSUnderlyingErrorKey`. Errors of other domains keep domain and number, as ever.
        """
    case disguisedNetwork = """
        A network error's number under StoreKit's domain: came as it was. Now it is the network error that it is.
        """

    var chapter: Chapter {
        switch self {
        case .secondRestore, .restoreInCompletion, .fastRestore, .silentRestore, .lateRows, .restoreOverPayment: .restores
        case .fastPayment, .oldTransaction, .exchangedAnswers, .silentPayment, .oneAtATime, .deferredFinished, .interrupted,
            .deliverThenFinish, .heldForConsumer, .quantity, .emptyUsername, .removedElsewhere, .distantPast, .finishGuard,
            .cancelPurchase, .contentFirst:
            .purchases
        case .cancelRequest, .doubleCompletion, .replyThenFailure, .manyThreads, .silentRequest, .overlappingRequests,
            .startTwice:
            .products
        case .sharedRefresh, .cancelVerification, .validatorTwice, .silentRefresh, .emptyFile, .stickySandbox, .endlessSandbox, .retries,
            .contentType, .foreignRedirect, .emptyAnswer, .oddAnswer, .expiredReceipt:
            .receipts
        case .refundedCopies, .upgradedText, .cancellationFields, .validUntil, .gracePeriod, .upgradedRows, .latestRow,
            .lenientRows, .oldStyle:
            .questions
        case .networkErrors, .disguisedNetwork: .errors
        }
    }
}
