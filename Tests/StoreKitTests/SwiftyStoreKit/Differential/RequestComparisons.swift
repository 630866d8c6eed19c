import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Dispatch
import Foundation
import StoreKit
import Support
import SwiftyStoreKit

/// Requests for products, and fetching and validating the receipt.
enum RequestComparisons {
    typealias Row = Comparison

    static let all = products + receipts + verification

    private static let products: [Row] = [
        .same("products", "found coins, pro") { try await QueueStage().retrieved(["coins", "pro"]) },
        .same("products, one of them not for sale", "found coins, invalid nothing") {
            try await QueueStage().retrieved(["coins", "nothing"])
        },
        .same("no products", "found ") { try await QueueStage().retrieved([]) },
        .same("the completion's queue of a request", "main") {
            let stage = try await QueueStage()
            let answers = stage.legacy.retrieving(["pro"])
            _ = try await answers.next()
            return answers.cameOnMain ? "main" : "another"
        },
        .same("a new price", "1, 2") {
            let stage = try await QueueStage()
            var prices: [String] = []
            for price in [1, 2] {
                stage.appStore.catalog = SimulatedCatalog(products: [
                    SimulatedProduct(productID: "coins", kind: .consumable, price: Decimal(price))
                ])
                try await prices.append("\(stage.world.product("coins", of: stage.legacy).price)")
            }
            return prices.joined(separator: ", ")
        },
        .same("a product that was taken off sale", "found coins; found , invalid coins") {
            let stage = try await QueueStage()
            let before = try await stage.retrieved(["coins"])
            stage.appStore.catalog = SimulatedCatalog(products: [])
            return try await "\(before); \(stage.retrieved(["coins"]))"
        },
        .same("offline, after the products were there", "found coins; error NSURLErrorDomain -1009") {
            let stage = try await QueueStage()
            let before = try await stage.retrieved(["coins"])
            stage.appStore.behavior.productRequestError = .notConnectedToInternet
            return try await "\(before); \(stage.retrieved(["coins"]))"
        },
        failing("SKErrorDomain", 0), failing("SKErrorDomain", 5), failing("NSURLErrorDomain", -1001),
        failing("ASDErrorDomain", 500),
        .differs(
            "a request that fails with a network error's number", was: "error SKErrorDomain -1009",
            is: "error NSURLErrorDomain -1009",
            .disguisedNetwork
        ) {
            let stage = try await QueueStage()
            stage.appStore.behavior.productRequestError = SimulatedError(code: -1009)
            return try await stage.retrieved(["coins"])
        },
        .differs("cancel() of a request", was: "…", is: "error SKErrorDomain 2", .cancelRequest) {
            let stage = try await QueueStage()
            stage.appStore.behavior.productRequestsAreNeverAnswered = true
            let answers = Answers<RetrieveResults>()
            let request = stage.legacy.retrieveProductsInfo(["pro"], completion: answers.completion())
            for _ in 0..<2 { request.cancel() }
            return try await stage.heard(answers, QueueStage.word)
        },
        .differs(
            "cancel() of one of two requests for a product", was: "…", is: "error SKErrorDomain 2; found pro",
            .cancelRequest
        ) {
            let stage = try await QueueStage(thread: .main)
            let hold = MainQueue.hold()
            let (one, other) = (Answers<RetrieveResults>(), Answers<RetrieveResults>())
            let request = stage.legacy.retrieveProductsInfo(["pro"], completion: one.completion())
            _ = stage.legacy.retrieveProductsInfo(["pro"], completion: other.completion())
            request.cancel()
            hold.release()
            return try await "\(QueueStage.word(one.next())); \(QueueStage.word(other.next()))"
        },
        .differs("the same products after a cancel()", was: "…", is: "found pro", .cancelRequest) {
            let stage = try await QueueStage()
            stage.appStore.behavior.productRequestsAreNeverAnswered = true
            stage.legacy.retrieveProductsInfo(["pro"]) { _ in }.cancel()
            stage.appStore.behavior.productRequestsAreNeverAnswered = false
            return try await stage.retrieved(["pro"])
        },
        .differs(
            "an answer that a failure follows", was: "found pro; error SKErrorDomain 0", is: "found pro",
            .replyThenFailure
        ) {
            let stage = try await QueueStage()
            stage.appStore.behavior.productRequestsFailAfterReply = true
            let answers = stage.legacy.retrieving(["pro"])
            _ = try await answers.next()
            return try await stage.heard(answers, QueueStage.word)
        },
        .differs("a request that is never answered", was: "…", is: "error NSURLErrorDomain -1001", .silentRequest) {
            let stage = try await QueueStage()
            stage.appStore.behavior.productRequestsAreNeverAnswered = true
            let answers = stage.legacy.retrieving(["pro"])
            try await stage.world.clock.waitForSleepers(1, duration: 30)
            stage.world.clock.advance(by: 30)
            return try await QueueStage.word(answers.next())
        },
        .differs("start() of a request that runs", was: "a second request", is: "one answer", .startTwice) {
            let stage = try await QueueStage()
            let answers = Answers<RetrieveResults>()
            let request = stage.legacy.retrieveProductsInfo(["pro"], completion: answers.completion())
            request.start()
            request.start()
            _ = try await answers.next()
            try await stage.world.settle(stage.legacy)
            return answers.count == 1 ? "one answer" : "a second request"
        },
        .differs(
            "a hundred requests from many threads", was: "a crash, now and then", is: "a hundred answers", .manyThreads
        ) {
            let stage = try await QueueStage()
            let answers = Answers<RetrieveResults>()
            DispatchQueue.concurrentPerform(iterations: 100) { number in
                _ = stage.legacy.retrieveProductsInfo(["pro", "no\(number % 7)"], completion: answers.completion())
            }
            try await answers.first(100)
            try await stage.world.settle(stage.legacy)
            return answers.count == 100 ? "a hundred answers" : "\(answers.count) answers"
        },
        .differs(
            "a request for a product that is being requested", was: "pro is asked for twice",
            is: "pro is asked for once", .containedRequests
        ) {
            let spy = SpyBackend(ReceiptBackend(), holdsProducts: true)
            let legacy = LegacyStore(store: PurchaseStore(over: spy), backend: nil)
            _ = legacy.retrieveProductsInfo(["pro", "coins"]) { _ in }
            _ = legacy.retrieveProductsInfo(["pro"]) { _ in }
            try await spy.untilAsked(1)
            spy.releaseProducts()
            return "pro is asked for \(spy.asked.count { $0.contains("pro") } == 1 ? "once" : "twice")"
        },
    ]

    private static func failing(_ domain: String, _ code: Int) -> Row {
        .same("a request that fails with \(domain) \(code)", "error \(domain) \(code)") {
            let stage = try await QueueStage()
            stage.appStore.behavior.productRequestError = SimulatedError(domain: domain, code: code)
            return try await stage.retrieved(["coins"])
        }
    }

    // Fetching the receipt.

    private static func store(_ backend: ReceiptBackend) -> LegacyReceipts {
        LegacyReceipts(
            store: PurchaseStore(over: backend),
            advice: LegacyWorld.engine == .storeKit2 ? LegacyReceipts.noReceiptNeeded : nil)
    }

    private static func word(_ call: ReceiptCall) async throws -> String {
        let completions = try await call.settled()
        return completions.isEmpty
            ? "…" : completions.map { $0.word + ($0.isOnMainQueue ? "" : ", elsewhere") }.joined(separator: "; ")
    }

    private static func fetched(_ backend: ReceiptBackend, forceRefresh: Bool) async throws -> String {
        let call = ReceiptCall()
        _ = store(backend).fetchReceipt(forceRefresh: forceRefresh) { call.record($0) }
        _ = try await call.result()
        return try await word(call)
    }

    private static func refused(_ domain: String, _ code: Int) async throws -> String {
        let error = StoreError(storeKitError: NSError(domain: domain, code: code), during: "The refresh")
        return try await fetched(ReceiptBackend(answer: .failure(error)), forceRefresh: true)
    }

    private static let receipts: [Row] = [
        .same("fetching an existing receipt", "receipt 2, elsewhere") {
            try await fetched(ReceiptBackend(receipt: Data([1, 2])), forceRefresh: false)
        },
        .same("when it is returned", "inside the call") {
            let call = ReceiptCall()
            let request = store(ReceiptBackend(receipt: Data([1]))).fetchReceipt(forceRefresh: false) {
                call.record($0)
            }
            return call.completions.elements.count == 1 && request == nil ? "inside the call" : "later"
        },
        .same("fetching a missing receipt", "receipt 3") {
            try await fetched(ReceiptBackend(answer: .success(Data([1, 2, 3]))), forceRefresh: false)
        },
        .same("forcing a refresh", "receipt 3") {
            try await fetched(
                ReceiptBackend(receipt: Data([1]), answer: .success(Data([1, 2, 3]))), forceRefresh: true)
        },
        .same("a refresh that brings none", "no receipt") { try await fetched(ReceiptBackend(), forceRefresh: true) },
        .same("a refresh that fails in StoreKit", "SKError 2") { try await refused("SKErrorDomain", 2) },
        .same("a refresh that fails in the network", "NSURLErrorDomain -1009") {
            try await refused("NSURLErrorDomain", -1009)
        },
        .same("a refresh that fails in another domain", "SSErrorDomain 16") { try await refused("SSErrorDomain", 16) },
        .differs(
            "a refresh that fails with a network error's number", was: "SKError -1009", is: "NSURLErrorDomain -1009",
            .disguisedNetwork
        ) { try await refused("SKErrorDomain", -1009) },
        .differs("two forced refreshes at once", was: "…, receipt 1", is: "receipt 1, receipt 1", .sharedRefresh) {
            let backend = ReceiptBackend(answer: .success(Data([1])), holdsRefreshes: true)
            let receipts = store(backend)
            let calls = [ReceiptCall(), ReceiptCall()]
            for call in calls { _ = receipts.fetchReceipt(forceRefresh: true) { call.record($0) } }
            try await backend.untilRefreshed(1)
            backend.answerRefreshes()
            var words: [String] = []
            for call in calls { words += try await call.result().map(\.word) }
            return words.joined(separator: ", ")
        },
        .differs("cancel() of a refresh", was: "…", is: "SKError 2", .cancelVerification) {
            let call = ReceiptCall()
            store(ReceiptBackend(holdsRefreshes: true)).fetchReceipt(forceRefresh: true) { call.record($0) }?.cancel()
            return try await word(call)
        },
        .differs("a refresh that is never answered", was: "…", is: "NSURLErrorDomain -1001", .silentRefresh) {
            let stage = try await QueueStage()
            stage.appStore.behavior.receiptRefreshesAreNeverAnswered = true
            let call = ReceiptCall()
            _ = stage.legacy.receipts.fetchReceipt(forceRefresh: true) { call.record($0) }
            try await stage.world.clock.waitForSleepers(1, duration: 60)
            stage.world.clock.advance(by: 60)
            _ = try await call.result()
            return try await word(call)
        },
        .differs("a receipt file of no bytes", was: "receipt 0", is: "none", .emptyFile) {
            store(ReceiptBackend(receipt: Data())).localReceiptData.map { "receipt \($0.count)" } ?? "none"
        },
    ]

    private static let verification: [Row] = [
        .same("the thread of a verification", "main") { try await verifying { $1(.success(receipt: [:])) }.isOnMain },
        .same("a validator of the app's own", "valid ?") { try await verifying { $1(.success(receipt: [:])) }.word },
        .differs("a validator that completes twice", was: "valid ?; valid ?", is: "valid ?", .validatorTwice) {
            try await verifying { _, finish in
                finish(.success(receipt: [:]))
                finish(.success(receipt: [:]))
            }.word
        },
        .differs("cancel() while a validator is at work", was: "…", is: "SKError 2", .cancelVerification) {
            let call = ReceiptCall()
            store(ReceiptBackend(receipt: Data([1]))).verifyReceipt(
                using: ClosureValidator { _, _ in }, forceRefresh: false
            ) {
                call.record($0)
            }.cancel()
            return try await word(call)
        },
        .differs("the result of verifyReceipt without a refresh", was: "nil", is: "a request", .cancelVerification) {
            let request: (any InAppRequest)? = store(ReceiptBackend(receipt: Data([1])))
                .verifyReceipt(using: ClosureValidator { _, _ in }, forceRefresh: false) { _ in }
            return request == nil ? "nil" : "a request"
        },
    ]

    private static func verifying(
        _ body: @escaping (Data, @escaping (VerifyReceiptResult) -> Void) -> Void
    ) async throws -> (word: String, isOnMain: String) {
        let call = ReceiptCall()
        _ = store(ReceiptBackend(receipt: Data([1]))).verifyReceipt(using: ClosureValidator(body), forceRefresh: false)
        { call.record($0) }
        let completions = try await call.result()
        return (
            completions.map(\.word).joined(separator: "; "),
            completions.allSatisfy(\.isOnMainQueue) ? "main" : "another"
        )
    }
}
