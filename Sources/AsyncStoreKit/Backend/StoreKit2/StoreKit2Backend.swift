package import Foundation
package import StoreKit

/// StoreKit 2, in values and as a queue: Apple's on its platforms, this package's over a simulated App Store everywhere else.
///
/// Attribution is StoreKit's own: a payment is answered by what `purchase` returns. What the entries are, and what is told of them, is
/// decided by ``StoreKit2Queue``; this class asks StoreKit and passes on, in order.
package final class StoreKit2Backend: StoreBackend {
    fileprivate struct State: Sendable {
        var queue = StoreKit2Queue()
        var products: [String: Product] = [:]
        var finishing: [TransactionToken: Task<Void, Never>] = [:]
        var storefront: AppStorefront?
        /// The storefront that was last told.
        var toldStorefront: AppStorefront?
        var policies = StorePolicies()
        /// Decides about purchases begun in the App Store in the place of the policy.
        var intentHandler: IntentHandler?
        /// What goes on for as long as this is active.
        var listening: [StoreKit2Environment.Listening] = []
        var takesMessages = false
        var receive: (@Sendable (QueueEvent) -> Void)?
        /// What is to be told, in this order; one thread at a time does.
        var outbox = FirstInFirstOut<QueueEvent>()
        var isTelling = false
    }

    /// Is told of a product that a customer has begun to buy in the App Store, and says once, at any time, whether that goes on now.
    package typealias IntentHandler = @Sendable (_ productID: String, _ decide: @escaping @Sendable (Bool) -> Void) -> Void

    let environment: StoreKit2Environment
    let statements = StatementMemo()
    private let state = Locked(State())

    /// The device's App Store.
    package convenience init() {
        self.init(environment: .process)
    }

    package init(environment: StoreKit2Environment) {
        self.environment = environment
    }

    /// Changes the state, and tells what that makes known, outside the lock and in the order of the changes.
    private func update(_ body: (inout State) -> [QueueEvent]) {
        state.withLock { state in
            for event in body(&state) { state.outbox.append(event) }
        }
        tell()
    }

    private func tell() {
        while let (receive, event) = state.withLock({ $0.beginTelling() }) {
            receive(event)
            state.withLock { $0.isTelling = false }
        }
    }

    /// Listens from here on, and reads what is unfinished: an update tells of it once, if at all.
    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        state.withLock { $0.receive = receive }
        // Weakly: whoever drops the store ends the listening.
        let listening = environment.listen { [weak self] event in self?.take(event) }
        state.withLock { $0.listening.append(listening) }
        Task { [weak self] in await self?.readUnfinished() }
        Task { [weak self, environment] in
            guard let storefront = await environment.storefront() else { return }
            self?.state.withLock { $0.storefront = $0.storefront ?? AppStorefront(storefront) }
        }
    }

    /// Stops listening. Nothing is finished by it.
    package func deactivate() {
        let listening = state.withLock { state in
            state.receive = nil
            defer { state.listening = [] }
            return state.listening
        }
        listening.forEach { $0.end() }
    }

    package var clock: any StoreClock { environment.clock }

    /// What `AppStore.canMakePayments` says.
    package var canMakePayments: Bool { environment.canMakePayments() }

    /// The storefront that was last heard of.
    package var storefront: AppStorefront? { state.withLock { $0.storefront } }

    package func newestToken() -> TransactionToken { state.withLock { $0.queue.newest } }

    package func apply(_ policies: StorePolicies) { state.withLock { $0.policies = policies } }

    private func take(_ event: StoreKit2Environment.Event) {
        switch event {
        case .transaction(let result): update { $0.queue.take(result) }
        case .storefront(let storefront): move(to: AppStorefront(storefront))
        case .intent(let product, let offerID): begin(product, offerID.map { .winBack(id: $0) })
        case .status: update { _ in [.entitlementsMayHaveChanged] }
        }
    }

    /// An update tells of a transaction once, if at all, and nothing tells of one that somebody else has finished.
    package func lookAgain() {
        Task { [weak self] in await self?.readUnfinished() }
    }

    /// Takes a transaction that one of Apple's views has handed to the app. The view may have finished it, so that nothing else tells of it;
    /// one that has been told of before is a duplicate like any other.
    package func adopt(_ result: VerificationResult<StoreKit.Transaction>) {
        update { $0.queue.adopt(result) }
    }

    private func readUnfinished() async {
        let known = newestToken()
        let unfinished = await environment.unfinished()
        update { $0.queue.takeAll(unfinished, knownBefore: known) }
    }

    private func move(to storefront: AppStorefront) {
        update { state in
            // StoreKit has been seen to tell of one twice.
            state.storefront = storefront
            guard storefront != state.toldStorefront else { return [] }
            state.toldStorefront = storefront
            return [.storefrontChanged]
        }
    }
}

extension StoreKit2Backend.State {
    fileprivate mutating func beginTelling() -> (@Sendable (QueueEvent) -> Void, QueueEvent)? {
        guard !isTelling, let receive, let event = outbox.removeFirst() else { return nil }
        isTelling = true
        return (receive, event)
    }
}

// Payments.
extension StoreKit2Backend {
    /// Has the App Store sell, when what is being finished has been finished: StoreKit has been seen to answer a purchase with the
    /// transaction before.
    package func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        guard let product = state.withLock({ $0.products[payment.productID] }) else {
            throw StoreError(.productUnavailable, "\"\(payment.productID)\" has not been loaded from the App Store.")
        }
        var options = try payment.options(for: product)
        if let policy = state.withLock({ $0.policies.shouldContinueTransaction }) {
            let transaction = StoreTransaction(payment)
            options.insert(.onStorefrontChange { policy(transaction, AppStorefront($0)) })
        }
        let finishing = state.withLock { state in
            state.queue.begin(id, payment.productID)
            return Array(state.finishing.values)
        }
        Task { [environment, options] in
            for task in finishing { await task.value }
            let ownedBefore = await owned(product)
            let end: StoreKit2Queue.PurchaseEnd
            do {
                end = StoreKit2Queue.PurchaseEnd(try await environment.purchase(product, options, payment.anchor), ownedBefore: ownedBefore)
            } catch {
                end = .failed(StoreError(storeKit2Error: error, during: "The purchase of \"\(product.id)\""))
            }
            update { $0.queue.end(id, payment, end) }
        }
    }

    package func release(_ id: CallID) {
        update { $0.queue.release(id) }
    }

    /// What the customer has of a product and its group: StoreKit answers a purchase of what is owned with the old transaction, and one
    /// of a lower level with that of the present one.
    private func owned(_ product: Product) async -> Set<UInt64> {
        var ids: Set<UInt64> = []
        if let latest = await environment.latest(product.id) { ids.insert(latest.unsafePayloadValue.id) }
        if let group = product.subscription?.subscriptionGroupID, let statuses = try? await environment.statuses(group) {
            ids.formUnion(statuses.map(\.transaction.unsafePayloadValue.id))
        }
        return ids
    }

    /// A customer has begun a purchase in the App Store.
    private func begin(_ product: Product, _ offer: PurchaseOffer?) {
        let value = StoreProduct(product)
        let payment = PaymentRequest(productID: product.id, offer: offer)
        let (handler, policy) = state.withLock { state in
            state.products[product.id] = product
            return (state.intentHandler, state.policies.promotedPurchase)
        }
        guard let handler else { return begin(payment, value, policy.decision(on: value)) }
        handler(product.id) { [weak self] goesOn in self?.begin(payment, value, goesOn ? .continue : .hold) }
    }

    private func begin(_ payment: PaymentRequest, _ product: StoreProduct, _ decision: PromotedPurchasePolicy.Decision) {
        update { _ in
            [.promotedPayment(PromotedPayment(id: PromotedPayment.ID(), payment: payment, product: product, decision: decision))]
        }
        // It is loaded: nothing can be wrong with it. Its answer is nobody's.
        if decision == .continue { try? submit(payment, as: CallID()) }
    }

    /// Has a handler decide about purchases begun in the App Store, in the place of the policy; `nil` leaves it to the policy again.
    package func decideIntents(by handler: IntentHandler?) {
        state.withLock { $0.intentHandler = handler }
    }
}

extension StoreKit2Queue.PurchaseEnd {
    fileprivate init(_ result: Product.PurchaseResult, ownedBefore: Set<UInt64>) {
        switch result {
        case .success(let result): self = .purchased(result, ownedBefore: ownedBefore)
        case .pending: self = .pending
        case .userCancelled: self = .failed(StoreError(.userCancelled, "The customer closed the sheet."))
        // Never a cancellation: the customer may have paid.
        @unknown default: self = .failed(StoreError(.unknown, "StoreKit has answered in a way that is not known."))
        }
    }
}

// Finishing, restoring, asking.
extension StoreKit2Backend {
    package func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        var transaction: StoreKit.Transaction?
        update { state in
            let (told, events) = state.queue.finish(token)
            transaction = told
            return events
        }
        guard let transaction else { return completion() }
        state.withLock { state in
            state.finishing[token] = Task {
                await transaction.finish()
                update { state in
                    state.finishing[token] = nil
                    return state.queue.finished(transaction)
                }
                completion()
            }
        }
    }

    /// Synchronises with the App Store, which asks the customer to sign in, and tells of everything that is owned then.
    package func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        let account = applicationUsername.map(PurchaseAccount.init(applicationUsername:))
        Task { [environment] in
            do {
                try await environment.sync()
                let owned = await environment.currentEntitlements()
                update { $0.queue.restore(owned, for: account) }
            } catch {
                let failure = StoreError(storeKit2Error: error, during: "The restore")
                update { _ in [.restoreFailed(failure)] }
            }
        }
    }

    /// Asks for products, and remembers them.
    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        do {
            let products = try await environment.products(productIDs)
            state.withLock { state in
                for product in products { state.products[product.id] = product }
            }
            return ProductsResponse(
                products: products.map { StoreProduct($0) }, invalidProductIDs: productIDs.subtracting(products.map(\.id)))
        } catch {
            throw StoreError(storeKit2Error: error, during: "The request for products")
        }
    }

    /// Listens to the App Store's messages from here on.
    package func takeMessages() {
        let isFirst = state.withLock { state in
            defer { state.takesMessages = true }
            return !state.takesMessages
        }
        guard isFirst else { return }
        let listening = environment.messages { [weak self] message in self?.update { _ in [.message(message)] } }
        state.withLock { $0.listening.append(listening) }
    }

    package func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError) {
        do {
            try await environment.present(sheet, anchor)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(storeKit2Error: error, during: "The sheet")
        }
    }

    /// Reads the receipt in the app's bundle: the App Store goes on keeping it. What StoreKit 2 says is signed transaction by transaction.
    package func receiptData() throws(StoreError) -> Data { try environment.receipt.data() }

    /// Runs an `SKReceiptRefreshRequest`.
    package func refreshReceipt() async throws(StoreError) { try await environment.receipt.refresh() }
}
