import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import StoreKit
import Support
import SwiftyStoreKit

/// Restores, unsolicited transactions, promotions and revocations.
enum RestoreComparisons {
    typealias Row = Comparison

    static let all = restores + unasked

    private static let restores: [Row] = [
        .same("a restore", "pro×1 restored, queue empty") {
            let stage = try await QueueStage(owning: ["pro"])
            return try await "\(stage.restored()), \(stage.queue)"
        },
        .same("a restore that is not atomic", "pro×1 restored to finish, queue pro") {
            let stage = try await QueueStage(owning: ["pro"])
            return try await "\(stage.restored(atomically: false)), \(stage.queue)"
        },
        .same("a restore of nothing", "") { try await QueueStage().restored() },
        .same("a restore of two", "pro×1 restored, news×1 restored") {
            try await QueueStage(owning: ["pro", "news"]).restored()
        },
        .same("a restore that the customer closes", "error SKErrorDomain 2") {
            let stage = try await QueueStage()
            stage.appStore.behavior.restoreEnding = .fails(.paymentCancelled, afterRows: 0)
            return try await stage.restored()
        },
        .same("a restore that fails after a row", "pro×1 restored; error SKErrorDomain 0") {
            let stage = try await QueueStage(owning: ["pro", "news"])
            stage.appStore.behavior.restoreBatchSize = 1
            stage.appStore.behavior.restoreEnding = .fails(.unknown, afterRows: 1)
            return try await stage.restored()
        },
        .same("a restore that fails in another domain", "error ASDErrorDomain 500") {
            let stage = try await QueueStage()
            stage.appStore.behavior.restoreEnding = .fails(
                SimulatedError(domain: "ASDErrorDomain", code: 500), afterRows: 0)
            return try await stage.restored()
        },
        .differs(
            "a restore that fails with a network error", was: "error NSURLErrorDomain -1009",
            is: "error SKErrorDomain 0", .networkErrors
        ) {
            let stage = try await QueueStage()
            stage.appStore.behavior.restoreEnding = .fails(.notConnectedToInternet, afterRows: 0)
            return try await stage.restored()
        },
        .same("the original of a restored row", "an SKPaymentTransaction") {
            let stage = try await QueueStage(owning: ["pro"])
            let purchase = try await stage.legacy.restoring().next().restoredPurchases.first
            return purchase?.originalTransaction is SKPaymentTransaction ? "an SKPaymentTransaction" : "none"
        },
        .same("a restore that names its user", "ada, none") {
            let stage = try await QueueStage(owning: ["pro"])
            var names: [String] = []
            for name in ["ada", ""] {
                let answers = stage.legacy.restoring(applicationUsername: name)
                let transaction = try await answers.next().restoredPurchases.first?.transaction as? SKPaymentTransaction
                names.append(transaction?.payment.applicationUsername ?? "none")
            }
            return names.joined(separator: ", ")
        },
        .differs("a restore while one runs", was: "…", is: "error SKErrorDomain 0", .secondRestore) {
            let stage = try await QueueStage(owning: ["pro"])
            stage.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
            stage.legacy.restorePurchases { _ in }
            return try await stage.restored()
        },
        .differs("a restore in the completion of another", was: "…", is: "pro×1 restored", .restoreInCompletion) {
            let stage = try await QueueStage(owning: ["pro"])
            let inner = Answers<RestoreResults>()
            stage.legacy.restorePurchases { _ in stage.legacy.restorePurchases(completion: inner.completion()) }
            return try await QueueStage.word(inner.next())
        },
        .differs("a queue that answers a restore from inside the call", was: "…", is: "pro×1 restored", .fastRestore) {
            try await QueueStage(thread: .caller, owning: ["pro"]).restored()
        },
        .differs("a restore without a response", was: "…", is: "error SKErrorDomain 0", .silentRestore) {
            let stage = try await QueueStage()
            stage.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
            let answers = stage.legacy.restoring()
            try await stage.world.clock.waitForSleepers(1, duration: 300)
            stage.world.clock.advance(by: 300)
            return try await QueueStage.word(answers.next())
        },
        .differs(
            "a restored row while a payment for its product is under way", was: "the purchase gets it",
            is: "pro×1 restored",
            .restoreOverPayment
        ) {
            let stage = try await QueueStage(owning: ["pro"])
            let pro = try await stage.world.product("pro", of: stage.legacy)
            stage.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
            let answers = stage.legacy.buying(pro)
            try await stage.world.settle(stage.legacy)
            let restored = try await stage.restored()
            return answers.count == 0 ? restored : "the purchase gets it"
        },
        .differs("restored rows after the end, before a listener exists", was: "…", is: "a row", .lateRows) {
            let stage = try await QueueStage(owning: ["pro"])
            stage.appStore.behavior.restoredRowsAfterFinished = 1
            _ = try await stage.restored()
            return try await stage.told(stage.legacy.listening()) == "pro×1 restored" ? "a row" : "…"
        },
        .same("restored rows after the end, while a listener exists", "pro×1 restored") {
            let stage = try await QueueStage(owning: ["pro"])
            stage.appStore.behavior.restoredRowsAfterFinished = 1
            let unasked = stage.legacy.listening()
            _ = try await stage.restored()
            return try await stage.told(unasked)
        },
        .differs(
            "when the rows of an atomic restore are finished", was: "before the callback", is: "after the callback",
            .deliverThenFinish
        ) {
            let stage = try await QueueStage(owning: ["pro"])
            let unfinished = Answers<Int?>()
            stage.legacy.restorePurchases { _ in stage.world.note(unfinishedOf: stage.legacy, in: unfinished) }
            return try await unfinished.next() == 0 ? "before the callback" : "after the callback"
        },
    ]

    private static let unasked: [Row] = [
        .same("an unfinished purchase at launch", "pro×1 purchased, queue empty") {
            let stage = try await QueueStage()
            let unasked = stage.legacy.listening()
            try stage.appStore.buyProduct(productID: "pro")
            return try await "\(stage.told(unasked)), \(stage.queue)"
        },
        .same("the same, not atomically", "pro×1 purchased to finish, queue pro") {
            let stage = try await QueueStage()
            let unasked = stage.legacy.listening(atomically: false)
            try stage.appStore.buyProduct(productID: "pro")
            return try await "\(stage.told(unasked)), \(stage.queue)"
        },
        .same("a purchase that a call waits for", "") {
            let stage = try await QueueStage()
            let unasked = stage.legacy.listening()
            _ = try await stage.bought("coins")
            return try await stage.told(unasked)
        },
        .same("nothing is unfinished", "") {
            let stage = try await QueueStage()
            return try await stage.told(stage.legacy.listening())
        },
        .same(
            "an unfinished purchase arrives again at the next launch",
            "pro×1 purchased to finish; pro×1 purchased to finish"
        ) {
            let first = try await QueueStage()
            let heard = first.legacy.listening(atomically: false)
            try first.appStore.buyProduct(productID: "pro")
            let told = try await first.told(heard)
            let second = first.relaunched()
            return try await "\(told); \(second.told(second.legacy.listening(atomically: false)))"
        },
        .differs(
            "an unfinished purchase that StoreKit reports again while the app is active",
            was: "pro×1 purchased to finish; pro×1 purchased to finish", is: "pro×1 purchased to finish", .reportedAgain
        ) {
            let stage = try await QueueStage()
            let heard = stage.legacy.listening(atomically: false)
            try stage.appStore.buyProduct(productID: "pro")
            _ = try await stage.told(heard)
            let queue = stage.paymentQueue
            for observer in queue.transactionObservers {
                observer.paymentQueue(queue, updatedTransactions: queue.transactions)
            }
            return try await stage.told(heard)
        },
        .differs("a transaction before any listener", was: "…", is: "pro×1 purchased", .heldForConsumer) {
            let stage = try await QueueStage()
            try stage.appStore.buyProduct(productID: "pro")
            try await stage.world.settle(stage.legacy)
            return try await stage.told(stage.legacy.listening())
        },
        .same("two listeners", "the first is called 1 time, the second 0 times") {
            let stage = try await QueueStage()
            let (one, other) = (stage.legacy.listening(atomically: false), stage.legacy.listening(atomically: false))
            try stage.appStore.buyProduct(productID: "pro")
            try await stage.world.settle(stage.legacy)
            return "the first is called \(one.count) time, the second \(other.count) times"
        },
        .differs(
            "when an unsolicited transaction is finished", was: "before the callback", is: "after the callback",
            .deliverThenFinish
        ) {
            let stage = try await QueueStage()
            let unfinished = Answers<Int?>()
            stage.legacy.completeTransactions { _ in stage.world.note(unfinishedOf: stage.legacy, in: unfinished) }
            try stage.appStore.buyProduct(productID: "pro")
            return try await unfinished.next() == 0 ? "before the callback" : "after the callback"
        },
        .same("a promoted purchase without a handler", "") {
            let stage = try await QueueStage()
            let unasked = stage.legacy.listening()
            try stage.appStore.promotePurchase(of: "pro")
            return try await stage.told(unasked)
        },
        .same("a purchase that is revoked", "pro") {
            let stage = try await QueueStage(owning: ["pro"])
            let answers = Answers<[String]>()
            stage.legacy.onEntitlementRevocation(completion: answers.completion())
            try stage.appStore.refund("pro")
            return try await answers.next().joined(separator: ", ")
        },
        .differs("one that is revoked before a listener exists", was: "…", is: "pro", .heldForConsumer) {
            let stage = try await QueueStage(owning: ["pro"])
            try stage.appStore.refund("pro")
            try await stage.world.settle(stage.legacy)
            let answers = Answers<[String]>()
            stage.legacy.onEntitlementRevocation(completion: answers.completion())
            return try await stage.heard(answers) { $0.joined(separator: ", ") }
        },
        .same("finishing twice", "queue empty") {
            let stage = try await QueueStage()
            guard let purchase = try await stage.buy("coins", atomically: false).success else { return "failed" }
            for _ in 0..<2 { stage.legacy.finishTransaction(purchase.transaction) }
            return try await stage.queue
        },
        .same(
            "a transaction that another observer finished first is still StoreKit's",
            "an SKPaymentTransaction in purchased"
        ) {
            let stage = try await QueueStage(thread: .caller)
            stage.legacy.store.setDelivery { _ in .accepted }
            let unasked = stage.legacy.listening(atomically: false)
            try stage.appStore.buyProduct(productID: "pro")
            let transaction = try await unasked.next().first?.transaction
            guard let cast = transaction as? SKPaymentTransaction else { return "no SKPaymentTransaction" }
            return "an SKPaymentTransaction in \(cast.transactionState.debugDescription)"
        },
    ]
}
