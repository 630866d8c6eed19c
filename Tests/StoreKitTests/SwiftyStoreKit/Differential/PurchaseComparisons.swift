import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import StoreKit
import Support
import SwiftyStoreKit

/// Purchases, their errors, cancellation, approvals and hosted content.
enum PurchaseComparisons {
    typealias Row = Comparison

    static let all = plain + errors + approvals + cancelled + several

    private static let plain: [Row] = [
        .same("buying, atomically", "bought coins×1 purchased, queue empty") {
            let stage = try await QueueStage()
            return try await "\(stage.bought("coins")), \(stage.queue)"
        },
        .same("buying, not atomically", "bought coins×1 purchased to finish, queue coins") {
            let stage = try await QueueStage()
            return try await "\(stage.bought("coins", atomically: false)), \(stage.queue)"
        },
        .same("finishing a purchase", "queue empty") {
            let stage = try await QueueStage()
            guard let purchase = try await stage.buy("coins", atomically: false).success else { return "failed" }
            stage.legacy.finishTransaction(purchase.transaction)
            return try await stage.queue
        },
        .same("buying for a user", "ada") {
            let purchase = try await QueueStage().buy("coins", username: "ada").success
            return (purchase?.transaction as? SKPaymentTransaction)?.payment.applicationUsername ?? "none"
        },
        .differs("buying for a user without a name", was: "an empty name", is: "no name", .emptyUsername) {
            let purchase = try await QueueStage().buy("coins").success
            let name = (purchase?.transaction as? SKPaymentTransaction)?.payment.applicationUsername
            return name.map { $0.isEmpty ? "an empty name" : $0 } ?? "no name"
        },
        .same("buying an owned product, answered as restored", "bought pro×1 restored") {
            try await QueueStage(owning: ["pro"]).bought("pro", .restored)
        },
        .differs(
            "a payment that is answered with an older transaction", was: "at once", is: "after 3 seconds", .olderAnswer
        ) {
            let stage = try await QueueStage()
            try stage.appStore.buyProduct(productID: "pro")
            try await stage.world.settle(stage.legacy)
            stage.appStore.setNextPurchaseOutcome(.returnsUnfinishedTransaction)
            let answers = stage.legacy.buying("pro")
            let waiting = Task { [clock = stage.world.clock] in
                try await clock.waitForSleepers(1, duration: 3)
                let isWaiting = answers.count == 0
                clock.advance(by: 3)
                return isWaiting
            }
            _ = try await answers.next()
            waiting.cancel()
            return (try? await waiting.value) == true ? "after 3 seconds" : "at once"
        },
        .same("buying by identifier when the price has changed since", "2") {
            let stage = try await QueueStage()
            _ = try await stage.bought("coins")
            stage.appStore.catalog = SimulatedCatalog(products: [
                SimulatedProduct(productID: "coins", kind: .consumable, price: 2)
            ])
            return try await "\(stage.buy("coins").success?.product.price ?? 0)"
        },
        .same("buying by identifier a product that was removed from sale since", "error SKErrorDomain 3") {
            let stage = try await QueueStage()
            _ = try await stage.bought("coins")
            stage.appStore.catalog = SimulatedCatalog(products: [])
            return try await stage.bought("coins")
        },
        .differs(
            "the messages for a product that is not for sale", was: "Invalid product id: nothing, none",
            is: "This item isn’t available right now., Invalid product id: nothing", .customerTexts
        ) {
            let error = try await QueueStage().buy("nothing").error
            return "\(error?.localizedDescription ?? "none"), \(error?.debugText ?? "none")"
        },
        .same("buying without the permission to pay", "error SKErrorDomain 4, 0 payments") {
            let stage = try await QueueStage()
            stage.appStore.behavior.canMakePayments = false
            return try await "\(stage.bought("coins")), \(stage.appStore.allTransactions().count) payments"
        },
        .same("a sheet that the customer closes", "error SKErrorDomain 2") {
            try await QueueStage().bought("coins", .userCancelled)
        },
        .differs(
            "buying none, or too many", was: "whatever StoreKit says", is: "error SKErrorDomain 3, 0 payments",
            .quantity
        ) {
            let stage = try await QueueStage()
            var words: Set<String> = []
            for quantity in [0, -3, 11, 99, .max, .min] {
                let result = try await stage.buy("coins", quantity: quantity)
                words.insert(result.error?.debugText.contains("\(quantity)") == true ? QueueStage.word(result) : "…")
            }
            return "\(words.joined(separator: "; ")), \(stage.appStore.allTransactions().count) payments"
        },
        .differs("a queue that answers from inside the call", was: "…", is: "bought coins×1 purchased", .fastPayment) {
            try await QueueStage(thread: .caller).bought("coins")
        },
        .differs("hosted content of an atomic purchase", was: "queue empty", is: "queue maps", .contentFirst) {
            let stage = try await QueueStage()
            _ = try await stage.bought("maps")
            return try await stage.queue
        },
    ]

    /// StoreKit's errors and the resulting errors of the block API.
    private static let errors: [Row] =
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 18, 19, 20, 21, 9_999].map { ("SKErrorDomain", $0) }
        + [("ASDErrorDomain", 500), ("SSErrorDomain", 16), ("AMSErrorDomain", 100), ("SKServerErrorDomain", 3_504)]).map
    { domain, code in
        .same("a payment that fails with \(domain) \(code)", "error \(domain) \(code), queue empty") {
            let stage = try await QueueStage()
            let error = SimulatedError(domain: domain, code: code, message: "Words")
            return try await "\(stage.bought("coins", .failed(error))), \(stage.queue)"
        }
    } + [
        .differs(
            "a payment that fails with a network error", was: "error NSURLErrorDomain -1009",
            is: "error SKErrorDomain 0",
            .networkErrors
        ) { try await QueueStage().bought("coins", .failed(.notConnectedToInternet)) },
        .differs(
            "a payment that fails with a network error's number", was: "error SKErrorDomain -1009",
            is: "error SKErrorDomain 0",
            .networkErrors
        ) { try await QueueStage().bought("coins", .failed(SimulatedError(code: -1009))) },
        .same("the message of an error", "No luck") {
            let error = SimulatedError(domain: "ASDErrorDomain", code: 500, message: "No luck")
            return try await QueueStage().buy("coins", .failed(error)).error?.localizedDescription ?? "none"
        },
    ]

    private static let approvals: [Row] = [
        .same("a purchase that waits for an approval", "deferred pro×1 deferred") {
            try await QueueStage().bought("pro", .deferred)
        },
        .same("one that is not atomic", "deferred pro×1 deferred to finish") {
            try await QueueStage().bought("pro", .deferred, atomically: false)
        },
        .same("an approval that is given", "pro×1 purchased, queue empty") {
            let stage = try await QueueStage()
            let unasked = stage.legacy.listening()
            _ = try await stage.bought("pro", .deferred)
            try stage.appStore.approveAskToBuyTransaction(id: stage.world.entry(.deferred))
            return try await "\(stage.told(unasked)), \(stage.queue)"
        },
        .same("an approval that is refused", "pro×1 failed, queue empty") {
            let stage = try await QueueStage()
            let unasked = stage.legacy.listening()
            _ = try await stage.bought("pro", .deferred)
            try stage.appStore.declineAskToBuyTransaction(id: stage.world.entry(.deferred))
            return try await "\(stage.told(unasked)), \(stage.queue)"
        },
        .differs(
            "the date of a deferred purchase", was: "the app is stopped", is: "distant past", .distantPast
        ) {
            let date = try await QueueStage().buy("pro", .deferred).deferred?.originalPurchaseDate
            return date == .distantPast ? "distant past" : "another"
        },
        .differs(
            "a deferred transaction at launch, atomically", was: "pro×1 deferred, finished",
            is: "pro×1 deferred, waiting",
            .deferredFinished
        ) {
            let first = try await QueueStage()
            _ = try await first.bought("pro", .deferred)
            let stage = first.relaunched()
            let told = try await stage.told(stage.legacy.listening())
            return "\(told), \(stage.appStore.allTransactions().map(\.state) == [.deferred] ? "waiting" : "finished")"
        },
        .differs(
            "finishing a deferred transaction", was: "the approval is lost", is: "waiting", .finishGuard
        ) {
            let stage = try await QueueStage()
            guard let purchase = try await stage.buy("pro", .deferred, atomically: false).deferred else {
                return "failed"
            }
            stage.legacy.finishTransaction(purchase.transaction)
            try await stage.world.settle(stage.legacy)
            return stage.appStore.allTransactions().map(\.state) == [.deferred] ? "waiting" : "the approval is lost"
        },
        .differs(
            "an interrupted purchase, resolved before a listener exists", was: "error SKErrorDomain 0, then …",
            is: "error SKErrorDomain 0, then pro×1 purchased", .interrupted
        ) {
            let stage = try await QueueStage()
            let result = try await stage.bought("pro", .interrupted)
            try stage.appStore.resolveIssueForTransaction(id: stage.world.entry(.interrupted))
            try await stage.world.settle(stage.legacy)
            return try await "\(result), then \(stage.told(stage.legacy.listening()))"
        },
        .same("an interrupted purchase, resolved while a listener exists", "pro×1 purchased") {
            let stage = try await QueueStage()
            let unasked = stage.legacy.listening()
            _ = try await stage.bought("pro", .interrupted)
            try stage.appStore.resolveIssueForTransaction(id: stage.world.entry(.interrupted))
            return try await stage.told(unasked)
        },
    ]

    private static let cancelled: [Row] = [
        .differs(
            "cancel() while the product is looked up", was: "…",
            is: "error SKErrorDomain 2, then bought coins×1 purchased, 1 payment", .cancelPurchase
        ) {
            let stage = try await QueueStage()
            stage.appStore.behavior.productRequestsAreNeverAnswered = true
            let answers = Answers<PurchaseResult>()
            stage.legacy.purchaseProduct("coins", completion: answers.completion()).cancel()
            let result = try await stage.heard(answers, QueueStage.word)
            stage.appStore.behavior.productRequestsAreNeverAnswered = false
            return try await
                "\(result), then \(stage.bought("coins")), \(stage.appStore.allTransactions().count) payment"
        },
        .differs("a completion after cancel() comes later, not inside", was: "…", is: "later", .cancelPurchase) {
            let stage = try await QueueStage()
            stage.appStore.behavior.productRequestsAreNeverAnswered = true
            let answers = Answers<PurchaseResult>()
            return try await MainQueue.run {
                stage.legacy.purchaseProduct("coins", completion: answers.completion()).cancel()
                return answers.count == 0 ? "later" : "inside"
            }
        },
    ]

    private static let several: [Row] = [
        .same("a purchase whose product is being looked up, and one whose product is known", "coins first") {
            let stage = try await QueueStage()
            let coins = try await stage.world.product("coins", of: stage.legacy)
            stage.appStore.behavior.productRequestsAreNeverAnswered = true
            let slow = Answers<PurchaseResult>()
            let known = Answers<PurchaseResult>()
            _ = stage.legacy.purchaseProduct("pro", completion: slow.completion())
            stage.legacy.purchaseProduct(coins, completion: known.completion())
            _ = try await known.next()
            return slow.count == 0 ? "coins first" : "pro first"
        },
        .differs("two payments at once", was: "both with StoreKit", is: "one with StoreKit", .oneAtATime) {
            let stage = try await QueueStage()
            let (coins, pro) = try await (
                stage.world.product("coins", of: stage.legacy), stage.world.product("pro", of: stage.legacy)
            )
            stage.appStore.behavior.paymentsAreNeverAnswered = true
            stage.legacy.purchaseProduct(coins) { _ in }
            stage.legacy.purchaseProduct(pro) { _ in }
            try await stage.world.settle(stage.legacy)
            let diagnostics = try await stage.legacy.store.diagnostics()
            return diagnostics.inFlight?.productID == "coins" && diagnostics.waitingPayments == 1
                ? "one with StoreKit" : "both with StoreKit"
        },
        .differs(
            "a payment that is never answered, and one for another product", was: "bought pro×1 purchased at once",
            is: "bought pro×1 purchased after a while", .silentPayment
        ) {
            let stage = try await QueueStage()
            let (coins, pro) = try await (
                stage.world.product("coins", of: stage.legacy), stage.world.product("pro", of: stage.legacy)
            )
            stage.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
            stage.legacy.purchaseProduct(coins) { _ in }
            try await stage.world.settle(stage.legacy)
            let answers = stage.legacy.buying(pro)
            try await stage.world.settle(stage.legacy)
            let isEarly = answers.count > 0
            try await stage.world.clock.waitForSleepers(1)
            stage.world.clock.advance(by: stage.world.paymentResponseTimeout)
            return try await "\(QueueStage.word(answers.next())) \(isEarly ? "at once" : "after a while")"
        },
        .differs(
            "two payments of one product, for different users", was: "exchanged", is: "1, 5, queue coins",
            .exchangedAnswers
        ) {
            let stage = try await QueueStage()
            let (one, five) = (Answers<PurchaseResult>(), Answers<PurchaseResult>())
            _ = stage.legacy.purchaseProduct(
                "coins", atomically: false, applicationUsername: "a", completion: one.completion())
            _ = stage.legacy.purchaseProduct(
                "coins", quantity: 5, applicationUsername: "b", completion: five.completion())
            let quantities = try await (one.next().success?.quantity ?? 0, five.next().success?.quantity ?? 0)
            return try await "\(quantities.0), \(quantities.1), \(stage.queue)"
        },
        .differs(
            "an old transaction of the product, reported again", was: "the purchase gets the old one",
            is: "no purchase", .oldTransaction
        ) {
            let first = try await QueueStage()
            _ = try await first.buy("coins", atomically: false)
            let stage = first.relaunched()
            _ = stage.legacy.listening(atomically: false)
            let coins = try await stage.world.product("coins", of: stage.legacy)
            stage.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
            let answers = stage.legacy.buying(coins)
            try await stage.world.settle(stage.legacy)
            stage.appStore.redeliver(try stage.world.entry(.purchased))
            try await stage.world.settle(stage.legacy)
            return answers.count == 0 ? "no purchase" : "the purchase gets the old one"
        },
        .differs(
            "a transaction that leaves the queue without an outcome", was: "…",
            is: "error SKErrorDomain 0, then bought coins×1 purchased", .removedElsewhere
        ) {
            let stage = try await QueueStage()
            return try await "\(stage.bought("coins", .removed)), then \(stage.bought("coins"))"
        },
        .differs(
            "two taps while the answer is on its way", was: "four payments", is: "2 payments, 2 answers",
            .doubleCompletion
        ) {
            let stage = try await QueueStage()
            let answers = Answers<PurchaseResult>()
            for _ in 0..<2 { _ = stage.legacy.purchaseProduct("coins", completion: answers.completion()) }
            try await answers.first(2)
            try await stage.world.settle(stage.legacy)
            return "\(stage.appStore.allTransactions().count) payments, \(answers.count) answers"
        },
    ]
}
