import Foundation

extension EngineState {
    /// How many of a product one payment may buy, by Apple's documentation of `SKPayment.quantity`.
    static let quantities = 1...10

    /// The user name of a payment that another library makes.
    static let competingUsername = "somebody-else"

    /// Adds a payment to those that wait.
    mutating func add(_ payment: SimulatedPayment) {
        guard !payment.productID.isEmpty else {
            misuses.append(.emptyProductID)
            return
        }
        guard Self.quantities.contains(payment.quantity) else {
            misuses.append(.quantityOutOfRange(productID: payment.productID, quantity: payment.quantity))
            return
        }
        if behavior.competingPaymentComesFirst, sells(payment.productID) {
            let competing = SimulatedPayment(productID: payment.productID, applicationUsername: Self.competingUsername)
            let index = queue.makeEntry(for: competing)
            queue.update(index) { $0.isCompeting = true }
            queue.waitingPayments.append(index)
        }
        queue.waitingPayments.append(queue.makeEntry(for: payment))
        processNextPayment()
    }

    /// Starts the next payment, if none is being processed.
    mutating func processNextPayment() {
        guard !queue.isProcessingPayment, let next = queue.waitingPayments.popFirst() else { return }
        queue.isProcessingPayment = true
        work.append(.begin(next))
    }

    mutating func begin(_ index: Int) {
        guard queue.entries[index].phase == .waiting else { return endProcessing() }
        let outcome = queue.entries[index].isCompeting ? .purchased : outcome(for: queue.entries[index].payment)
        switch outcome {
        case .neverAnswered(afterPurchasing: false):
            queue.update(index) { $0.isAbandoned = true }
            return endProcessing()
        case .answeredByOlder:
            if let older = olderUnfinished(than: index) {
                queue.update(index) { $0.phase = .gone }
                report([older])
                return endProcessing()
            }
        default:
            break
        }
        queue.update(index) { $0.phase = .queued }
        let isReported: Bool
        switch outcome {
        case .neverAnswered, .removed: isReported = true
        default: isReported = behavior.reportsPurchasing
        }
        guard isReported else { return conclude(index, outcome) }
        report([index])
        if case .neverAnswered = outcome {
            queue.update(index) { $0.isAbandoned = true }
            endProcessing()
        } else {
            work.append(.conclude(index, outcome))
        }
    }

    mutating func conclude(_ index: Int, _ outcome: SimulatedOutcome) {
        defer { endProcessing() }
        // Another library may have finished it meanwhile.
        guard queue.entries[index].phase == .queued else { return }
        guard !queue.entries[index].isStopped else { return fail(index, .storeProductNotAvailable) }
        switch outcome {
        case .purchased, .answeredByOlder, .neverAnswered:
            purchase(index)
        case .failed(let error):
            fail(index, error)
        case .deferred:
            queue.update(index) { $0.state = .deferred }
            report([index])
        case .interrupted:
            account.interrupted.insert(queue.entries[index].id)
            fail(index, .unknown)
        case .restored:
            let product = queue.entries[index].payment.productID
            restore(index, from: account.ownedNonConsumables[product] ?? account.rows.lastIndex { $0.productID == product })
        case .removed:
            remove([index])
        }
    }

    mutating func fail(_ index: Int, _ error: SimulatedError) {
        queue.update(index) { entry in
            entry.state = .failed
            entry.error = error
        }
        report([index])
    }

    /// Marks an entry as paid, and reports it.
    mutating func purchase(_ index: Int) {
        let product = queue.entries[index].payment.productID
        switch kind(of: product) {
        case .consumable, .nonRenewingSubscription:
            pay(index)
        case .nonConsumable:
            if let owned = account.ownedNonConsumables[product] {
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

    /// Writes a paid entry into the history, without a report.
    @discardableResult
    mutating func pay(_ index: Int, original: Int? = nil, _ complete: (inout HistoryRow) -> Void = { _ in }) -> Int {
        let payment = queue.entries[index].payment
        let number = makeNumber()
        let row = account.rows.count
        var history = HistoryRow(
            number: number, original: original.map { account.rows[$0].original } ?? row, entry: queue.entries[index].id,
            productID: payment.productID, kind: kind(of: payment.productID), quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, purchaseDate: now)
        complete(&history)
        account.rows.append(history)
        let date = now
        queue.update(index) { entry in
            entry.state = .purchased
            entry.number = number
            entry.date = date
            entry.row = row
        }
        makeDownloads(for: index)
        putIntoReceipt(row)
        return row
    }

    /// Marks an entry as restored, and reports it.
    mutating func restore(_ index: Int, from row: Int?) {
        restoreWithoutReport(index, from: row)
        report([index])
    }

    /// Marks an entry as restored.
    mutating func restoreWithoutReport(_ index: Int, from row: Int?) {
        let number = makeNumber()
        let date = now
        let original = behavior.restoredWithoutOriginal ? nil : row
        queue.update(index) { entry in
            entry.state = .restored
            entry.number = number
            entry.date = date
            entry.original = original
        }
        makeDownloads(for: index)
    }

    private mutating func endProcessing() {
        queue.isProcessingPayment = false
        processNextPayment()
    }

    private mutating func outcome(for payment: SimulatedPayment) -> SimulatedOutcome {
        let product = payment.productID
        if let outcome = scripted[product]?.popFirst() ?? scriptedForAny.popFirst() { return outcome }
        if behavior.paymentsAreNeverAnswered { return .neverAnswered(afterPurchasing: false) }
        if behavior.isOffline { return .failed(.notConnectedToInternet) }
        if !behavior.canMakePayments { return .failed(.paymentNotAllowed) }
        if !sells(product) { return .failed(.storeProductNotAvailable) }
        if let discount = payment.discount, let error = refusal(of: discount, for: product) { return .failed(error) }
        if behavior.failTransactionsEnabled { return .failed(behavior.failureError) }
        if behavior.interruptedPurchasesEnabled { return .interrupted }
        if behavior.askToBuyEnabled || payment.simulatesAskToBuyInSandbox { return .deferred }
        return .purchased
    }

    /// Why the App Store does not accept a promotional offer.
    private func refusal(of discount: SimulatedPayment.Discount, for product: String) -> SimulatedError? {
        let offers = self.product(product)?.subscription?.promotionalOffers ?? []
        if !offers.contains(where: { $0.id == discount.offerID }) {
            return SimulatedError(code: 11, message: "The offer “\(discount.offerID)” is not one of the product's")
        }
        if discount.signature.isEmpty || discount.keyID.isEmpty {
            return SimulatedError(code: 12, message: "The signature of the offer is not valid")
        }
        return nil
    }

    private func olderUnfinished(than index: Int) -> Int? {
        let product = queue.entries[index].payment.productID
        return presentEntries.first { older in
            let entry = queue.entries[older]
            return older < index && entry.payment.productID == product && (entry.state == .purchased || entry.state == .restored)
        }
    }
}
