import Foundation

extension EngineState {
    /// The valid quantities of a payment, by Apple's documentation of `SKPayment.quantity`.
    static let quantities = 1...10

    /// The user name of a payment by another library.
    static let competingUsername = "another-library"

    /// Adds a payment to the waiting payments. Records a misuse for an invalid payment.
    mutating func add(_ payment: SimulatedPayment) {
        guard !payment.productID.isEmpty else {
            misuses.append(.emptyProductID)
            return
        }
        guard Self.quantities.contains(payment.quantity) else {
            misuses.append(.quantityOutOfRange(productID: payment.productID, quantity: payment.quantity))
            return
        }
        if behavior.insertsCompetingPayment, sells(payment.productID) {
            let competing = SimulatedPayment(productID: payment.productID, applicationUsername: Self.competingUsername)
            let index = makeEntry(for: competing)
            queue[index].isCompeting = true
            device.waitingPayments.append(index)
        }
        device.waitingPayments.append(makeEntry(for: payment))
        processNextPayment()
    }

    /// Starts the next payment, unless a payment is being processed.
    mutating func processNextPayment() {
        guard !device.isProcessingPayment, let next = device.waitingPayments.takeFirst() else { return }
        device.isProcessingPayment = true
        enqueue(.begin(next))
    }

    mutating func beginPayment(_ index: Int) {
        guard queue[index].phase == .waiting else { return endProcessing() }
        let outcome = queue[index].isCompeting ? .purchased : outcome(for: index)
        switch outcome {
        case .neverAnswered(afterPurchasing: false):
            queue[index].isAbandoned = true
            return endProcessing()
        case .returnsUnfinishedTransaction:
            let row = olderUnfinished(than: index).flatMap { queue[$0].row ?? queue[$0].original }
            // Only a paid transaction can answer a call of StoreKit 2.
            if let older = olderUnfinished(than: index), row != nil || !queue[index].isFromStoreKit2 {
                queue[index].phase = .gone
                report([older])
                if let row { answerCall(of: index, row: row) }
                return endProcessing()
            }
        default:
            break
        }
        queue[index].phase = .queued
        let isReported: Bool
        switch outcome {
        case .neverAnswered, .removed: isReported = true
        default: isReported = behavior.reportsPurchasing || queue[index].isFromStoreKit2
        }
        guard isReported else { return completePayment(index, outcome) }
        report([index])
        if case .neverAnswered = outcome {
            queue[index].isAbandoned = true
            endProcessing()
        } else {
            enqueue(.conclude(index, outcome))
        }
    }

    mutating func completePayment(_ index: Int, _ outcome: SimulatedOutcome) {
        defer { endProcessing() }
        // Another library may have finished the transaction.
        guard queue[index].phase == .queued else { return answerCall(of: index, with: .failed(.unknown)) }
        guard !queue[index].isStopped else {
            return failInStorefront(index)
        }
        switch outcome {
        case .purchased, .returnsUnfinishedTransaction, .neverAnswered, .unverified:
            queue[index].isUnverified = outcome == .unverified
            purchase(index)
            answerCall(of: index)
        case .failed(let error):
            fail(index, error)
        case .deferred:
            identify(index)
            queue[index].state = .deferred
            report([index])
            answerCall(of: index, with: .pending)
        case .interrupted:
            interrupt(index)
        case .restored:
            let product = queue[index].payment.productID
            let row = account.ownedNonConsumables[product] ?? account.rowsByProduct[product]?.last
            guard queue[index].isFromStoreKit2 else { return restore(index, from: row) }
            if let row { return answerPurchase(index, withExisting: row) }
            purchase(index)
            answerCall(of: index)
        case .removed:
            remove([index])
            answerCall(of: index, with: .failed(.unknown))
        }
    }

    /// Gives a payment that waits for the customer the number and the date of its transaction. The number stays when
    /// the transaction is paid.
    mutating func identify(_ index: Int) {
        queue[index].number = makeNumber()
        queue[index].date = now
    }

    private mutating func interrupt(_ index: Int) {
        identify(index)
        account.interrupted.insert(queue[index].id)
        if queue[index].isFromStoreKit2, behavior.interruptedPurchase == .isPending {
            answerCall(of: index, with: .pending)
        }
        fail(index, .unknown)
    }

    /// Fails a payment that an observer refused to continue in another storefront.
    mutating func failInStorefront(_ index: Int) {
        fail(index, queue[index].isFromStoreKit2 ? .notAvailableInStorefront : .storeProductNotAvailable)
    }

    mutating func fail(_ index: Int, _ error: SimulatedError) {
        if queue[index].isFromStoreKit2 {
            queue[index].phase = .gone
            return answerCall(of: index, with: error == .paymentCancelled ? .userCancelled : .failed(error))
        }
        queue[index].state = .failed
        queue[index].error = error
        report([index])
    }

    /// Marks an entry as paid and reports the entry.
    mutating func purchase(_ index: Int) {
        let terms = queue[index].payment.testTerms
        guard let date = terms.purchaseDate else { return purchaseNow(index) }
        purchase(index, at: min(date, now), cancelsImmediately: terms.cancelsImmediately)
    }

    mutating func purchaseNow(_ index: Int) {
        let product = queue[index].payment.productID
        switch kind(of: product) {
        case .consumable, .nonRenewingSubscription:
            pay(index)
        case .nonConsumable:
            if let owned = account.ownedNonConsumables[product] {
                if queue[index].isFromStoreKit2 { return answerPurchase(index, withExisting: owned) }
                switch behavior.repeatedPurchaseResult {
                case .purchased: pay(index, original: owned)
                case .restored: return restore(index, from: owned)
                }
            } else {
                account.ownedNonConsumables[product] = pay(index)
            }
        case .autoRenewableSubscription:
            return subscribe(index)
        }
        report([index])
    }

    /// Adds a paid entry to the history, without a report.
    @discardableResult
    mutating func pay(_ index: Int, original: Int? = nil, _ complete: (inout HistoryRow) -> Void = { _ in }) -> Int {
        let payment = queue[index].payment
        let number = queue[index].number ?? makeNumber()
        let first = original.map { account.rows[account.rows[$0].original] }
        var history = HistoryRow(
            number: number, original: first?.original ?? account.rows.count,
            record: SimulatedHistoryRecord(
                state: .purchased, id: queue[index].id, transactionID: String(number),
                originalTransactionID: String(first?.number ?? number), productID: payment.productID,
                kind: kind(of: payment.productID), quantity: payment.seats ?? payment.quantity,
                applicationUsername: payment.applicationUsername, purchaseDate: now,
                originalPurchaseDate: first?.purchaseDate ?? now))
        history.isMultiSeat = payment.seats != nil
        history.price = price(of: payment.productID) * Decimal(history.isMultiSeat ? 1 : history.quantity)
        if let id = queue[index].offerCode ?? payment.testTerms.offerCode,
            let price = product(payment.productID)?.codeOffers[id]
        {
            history.offer = SimulatedTransactionOffer(codeOffer: id, price: price)
            history.price = price * Decimal(history.quantity)
        }
        history.currencyCode = currencyCode
        history.storefront = catalog.storefront
        history.isVerified = !queue[index].isUnverified
        history.listedFrom = now.addingTimeInterval(max(0, behavior.listingLag))
        complete(&history)
        let row = account.append(history, at: now)
        if !otherDevices.isEmpty { unannounced.append((row, device.number)) }
        queue[index].state = .purchased
        queue[index].number = number
        queue[index].date = now
        queue[index].row = row
        makeDownloads(for: index)
        addToReceipt(row)
        return row
    }

    /// Marks an entry as restored and reports the entry.
    mutating func restore(_ index: Int, from row: Int?) {
        restoreWithoutReport(index, from: row)
        report([index])
    }

    /// Marks an entry as restored, without a report.
    mutating func restoreWithoutReport(_ index: Int, from row: Int?) {
        queue[index].state = .restored
        queue[index].number = makeNumber()
        queue[index].date = now
        queue[index].original = behavior.restoredWithoutOriginal ? nil : row
        makeDownloads(for: index)
    }

    private mutating func endProcessing() {
        device.isProcessingPayment = false
        processNextPayment()
    }

    mutating func outcome(for index: Int) -> SimulatedOutcome {
        var payment = queue[index].payment
        let product = payment.productID
        if behavior.environment == .xcode {
            // StoreKit Test ignores the sandbox's option, and offers for products that don't renew.
            payment.simulatesAskToBuyInSandbox = false
            if kind(of: product) != .autoRenewableSubscription { payment.discount = nil }
        }
        if let outcome = scripted[product]?.takeFirst() ?? scriptedForAny.takeFirst() { return outcome }
        if let catalogProblem { return .failed(SimulatedError(catalogProblem)) }
        if behavior.paymentsAreNeverAnswered { return .neverAnswered(afterPurchasing: false) }
        if behavior.isOffline { return .failed(.notConnectedToInternet) }
        if !behavior.canMakePayments { return .failed(.purchaseNotAllowed) }
        if !sells(product) { return .failed(.storeProductNotAvailable) }
        if payment.billingPlan == .monthly, terms(of: product).monthlyPlan(in: catalog.storefront) == nil {
            return .failed(.storeProductNotAvailable)
        }
        if let discount = payment.discount, let error = refusal(of: discount, for: product, payment.billingPlan) {
            return .failed(error)
        }
        if queue[index].isFromStoreKit2, let error = refusal(ofOffersIn: payment) { return .failed(error) }
        if let seats = payment.seats, let error = refusal(ofSeats: seats, for: product) { return .failed(error) }
        if behavior.failTransactionsEnabled { return .failed(behavior.failureError) }
        if behavior.interruptedPurchasesEnabled { return .interrupted }
        if behavior.askToBuyEnabled || payment.simulatesAskToBuyInSandbox { return .deferred }
        return .purchased
    }

    /// Returns the error of an invalid promotional offer; `nil` for a valid offer.
    private func refusal(
        of discount: SimulatedPayment.Discount, for product: String, _ plan: SimulatedBillingPlan?
    ) -> SimulatedError? {
        let offers = self.product(product)?.subscription?.billed(plan).promotionalOffers ?? []
        if !offers.contains(where: { $0.id == discount.offerID }) {
            return SimulatedError(code: 11, message: "The offer \"\(discount.offerID)\" is not one of the product's")
        }
        if discount.signature.isEmpty || discount.keyID.isEmpty {
            return SimulatedError(code: 12, message: "The signature of the offer is not valid")
        }
        return nil
    }

    private func olderUnfinished(than index: Int) -> Int? {
        let product = queue[index].payment.productID
        return presentEntries.first { older in
            let entry = queue[older]
            return older < index && entry.payment.productID == product
                && (entry.state == .purchased || entry.state == .restored)
        }
    }
}
