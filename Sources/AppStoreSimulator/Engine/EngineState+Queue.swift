import Foundation

extension EngineState {
    /// Begins a new launch of the app. The state of the former launch ends, and the state of the account continues.
    mutating func beginLaunch() {
        for index in queue.known where queue[index].device == device.number {
            queue[index].shown = nil
            if queue[index].isAbandoned || queue[index].isRedelivery { queue[index].phase = .gone }
        }
        keepAnnouncements()
        device.restore = nil
        let number = device.number
        work.removeAll { item in
            guard item.device == number else { return false }
            return switch item.work {
            case .restore, .lateRows, .request, .sync, .refresh: true
            case .begin, .conclude: false
            }
        }
        replaceLaunch()
        let redeliveries = device.redeliveries
        device.redeliveries = []
        for index in redeliveries where queue[index].phase == .gone {
            queue[index].phase = .queued
            queue[index].isRedelivery = true
        }
    }

    mutating func addObserver(_ observer: ObserverID) {
        let isFirst = device.launch.observers.isEmpty
        device.launch.observers.append(observer)
        if isFirst {
            for index in queue.known
            where queue[index].device == device.number && queue[index].phase == .gone {
                queue[index].shown = nil
            }
            report(presentEntries)
            deliverPendingAnnouncements()
        } else if behavior.reportsToSecondObserver {
            report(presentEntries, to: observer)
        }
    }

    mutating func finish(_ id: SimulatedTransaction.ID) {
        // Finishing a transaction twice, or one that this launch hasn't reported, has no effect.
        guard let index = queue.index(of: id), isPresent(index), let shown = queue[index].shown else { return }
        switch shown.state {
        case .purchasing:
            misuses.append(.finishedWhilePurchasing(id))
        case .deferred:
            misuses.append(.finishedWhileDeferred(id))
        case .failed, .purchased, .restored:
            if behavior.finishingFails {
                hide(index)
            } else {
                remove(entriesOfTransaction(index))
                if shown.state != .failed { redeliverAtNextLaunch(index) }
            }
        }
    }

    /// Returns the entries with the transaction of an entry, which are finished together: the App Store finishes a
    /// transaction by its identifier, and a change of a subscription that begins later repeats the transaction of the
    /// paid period.
    private func entriesOfTransaction(_ index: Int) -> [Int] {
        let entry = queue[index]
        guard entry.state == .purchased, let row = entry.row ?? entry.original else { return [index] }
        let others = [queue.index(of: account.rows[row].id)].compactMap(\.self) + (account.repetitions[row] ?? [])
        return [index] + others.filter { $0 != index && isPresent($0) }
    }

    /// Keeps a finished entry for the next launch, if ``SimulatorBehavior/redeliversFinishedTransactions`` is set.
    mutating func redeliverAtNextLaunch(_ index: Int) {
        guard behavior.redeliversFinishedTransactions, !queue[index].isRedelivery else { return }
        device.redeliveries.append(index)
        if let row = queue[index].row { device.unobserved.insert(row) }
    }

    /// Hides an entry until the end of the launch, as if it were finished.
    mutating func hide(_ index: Int) {
        let entry = queue[index]
        if !device.launch.observers.isEmpty, entry.reportedLaunch == device.launch.number {
            notify(.removedTransactions([snapshot(index, state: entry.state, object: entry.object)]))
        }
        queue[index].hiddenInLaunch = device.launch.number
    }

    mutating func finishFromAnotherObserver(_ id: SimulatedTransaction.ID) {
        guard let index = queue.index(of: id) else { return }
        let acting = activateDevice(ofEntry: index)
        defer { activate(acting) }
        remove([index])
        answerCall(of: index, with: .failed(.unknown))
    }

    mutating func redeliver(_ id: SimulatedTransaction.ID) {
        guard let index = queue.index(of: id) else { return }
        let acting = activateDevice(ofEntry: index)
        defer { activate(acting) }
        announce(entry: index)
        guard !device.launch.observers.isEmpty else { return }
        let entry = queue[index]
        switch entry.phase {
        case .waiting:
            return
        case .queued:
            guard isPresent(index) else { return }
        case .gone:
            // An unanswered payment has no transaction to report.
            guard entry.state != .purchasing, entry.state != .deferred else { return }
            queue[index].phase = .queued
            queue[index].isRedelivery = true
        }
        report([index])
    }

    /// Reports the new storefront, and asks whether payments that are being processed continue.
    mutating func reportStorefrontChange() {
        onEveryDevice { $0.announceStorefront() }
    }

    private mutating func announceStorefront() {
        notify(.changedStorefront)
        for _ in 0..<(behavior.sendsStorefrontTwice ? 2 : 1) {
            sendUpdate(.storefront(catalog.storefront), to: .storefronts)
        }
        for (_, call) in device.calls.sorted(by: { $0.key < $1.key }) {
            guard let policy = call.policy, let entry = call.entry else { continue }
            deliver(.mayContinue(queue[entry].id, catalog.storefront, policy: policy))
        }
        guard !device.launch.observers.isEmpty else { return }
        for index in presentEntries where queue[index].state == .purchasing {
            let entry = queue[index]
            guard entry.reportedLaunch == device.launch.number else { continue }
            deliver(.shouldContinue(snapshot(index, state: entry.state, object: entry.object), catalog.storefront))
        }
    }

    /// Stops a transaction that an observer refused to continue in the new storefront.
    mutating func stop(_ id: SimulatedTransaction.ID) {
        guard let index = queue.index(of: id), queue[index].phase != .gone,
            queue[index].state == .purchasing
        else { return }
        let acting = activateDevice(ofEntry: index)
        defer { activate(acting) }
        if queue[index].isAbandoned {
            queue[index].isAbandoned = false
            failInStorefront(index)
        } else {
            queue[index].isStopped = true
        }
    }

    /// Asks the observers about a purchase from the App Store, and sends a purchase intent to the listeners of StoreKit
    /// 2. Without recipients, keeps the purchase for the first one.
    mutating func promote(_ payment: SimulatedPayment) {
        guard let product = product(payment.productID) else { return device.pendingPromotions.append(payment) }
        let wasDelivered = sendUpdate(.intent(product, winBackOfferID: payment.winBackOfferID), to: .intents)
        if !device.launch.observers.isEmpty {
            deliver(.storePayment(payment, product))
        } else if !wasDelivered {
            device.pendingPromotions.append(payment)
        }
    }

    /// Reports revoked products to the observers, or keeps them for the first observer.
    mutating func announceRevocation(_ productIDs: [String]) {
        onEveryDevice { engine in
            if engine.device.launch.observers.isEmpty { engine.device.pendingRevocations += productIDs }
            engine.notify(.revokedEntitlements(productIDs: productIDs))
        }
    }

    private mutating func deliverPendingAnnouncements() {
        if !device.pendingRevocations.isEmpty {
            notify(.revokedEntitlements(productIDs: device.pendingRevocations))
            device.pendingRevocations = []
        }
        deliverPendingPromotions()
    }

    /// Asks again about the purchases from the App Store that had no recipient.
    mutating func deliverPendingPromotions() {
        let promotions = device.pendingPromotions
        device.pendingPromotions = []
        for payment in promotions where sells(payment.productID) { promote(payment) }
    }

    /// Keeps an undelivered update for a listener of the next launch.
    private mutating func keepUpdate(
        _ update: SimulatedUpdate, _ handler: @escaping @Sendable (SimulatedUpdate) -> Void
    ) {
        discard(handler)
        switch update {
        case .transaction(let transaction):
            guard let row = account.row(number: transaction.number) else { return }
            if account.rows[row].isRenewal { device.unobserved.insert(row) }
        case .intent(let product, let winBackOfferID):
            var payment = SimulatedPayment(productID: product.productID)
            payment.winBackOfferID = winBackOfferID
            device.pendingPromotions.append(payment)
        case .message(let message):
            device.pendingMessages.append(message)
        case .status, .storefront, .launchEnded:
            break
        }
    }

    /// Removes the deliveries of this device, but keeps promotions, revocations, renewals and messages for the next
    /// launch.
    private mutating func keepAnnouncements() {
        let pending = deliveries
        deliveries = []
        for item in pending {
            guard item.device == device.number else {
                deliveries.append(item)
                continue
            }
            switch item.delivery {
            case .event(.revokedEntitlements(let productIDs), _): device.pendingRevocations += productIDs
            case .storePayment(let payment, _): device.pendingPromotions.append(payment)
            case .request(_, _, let handler): discard(handler)
            case .answer(_, let handler): endHandlers.append { handler(.abandoned) }
            case .update(let update, _, let handler): keepUpdate(update, handler)
            case .mayContinue(_, _, let policy): discard(policy)
            case .event, .shouldContinue: break
            }
        }
    }
}
