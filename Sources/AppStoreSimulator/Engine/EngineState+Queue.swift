import Foundation

extension EngineState {
    /// Begins a new run of the app. What belonged to the former one ends; what belongs to the account goes on.
    mutating func beginLaunch() {
        for index in queue.known {
            let entry = queue.entries[index]
            let isForgotten = entry.isAbandoned || entry.isRepetition
            queue.update(index) { entry in
                entry.shown = nil
                if isForgotten {
                    entry.phase = .gone
                }
            }
        }
        keepUntoldDeliveries()
        queue.restore = nil
        work.removeAll { work in
            switch work {
            case .restore, .lateRows, .request: true
            case .begin, .conclude: false
            }
        }
        replaceLaunch()
        let repetitions = queue.repetitions
        queue.repetitions = []
        for index in repetitions where queue.entries[index].phase == .gone {
            queue.update(index) { entry in
                entry.phase = .queued
                entry.isRepetition = true
            }
        }
    }

    mutating func add(_ observer: any SimulatedQueueObserver) {
        let identity = ObjectIdentifier(observer)
        guard launch.observer(identity) == nil else { return }
        let isFirst = !launch.hasObservers
        launch.add(observer)
        if isFirst {
            for index in queue.known where queue.entries[index].phase == .gone {
                queue.update(index) { $0.shown = nil }
            }
            report(presentEntries)
            tellWhatWasUntold()
        } else if behavior.reportsToSecondObserver {
            report(presentEntries, to: identity)
        }
    }

    mutating func enterForeground() {
        report(presentEntries)
    }

    mutating func finish(_ id: SimulatedTransaction.ID) {
        // Finishing twice, or what this launch was never told of, is harmless.
        guard let index = queue.index(of: id), isPresent(index), let shown = queue.entries[index].shown else { return }
        switch shown.state {
        case .purchasing:
            misuses.append(.finishedWhilePurchasing(id))
        case .deferred:
            misuses.append(.finishedWhileDeferred(id))
        case .failed, .purchased, .restored:
            let entry = queue.entries[index]
            if behavior.finishingFails {
                if launch.hasObservers {
                    tell(.removedTransactions([snapshot(index, state: entry.state, object: entry.object)]))
                }
                let number = launch.number
                queue.update(index) { $0.hiddenInLaunch = number }
            } else {
                remove([index])
                if behavior.repeatsFinishedTransactions, !entry.isRepetition, shown.state != .failed {
                    queue.repetitions.append(index)
                }
            }
        }
    }

    mutating func finishElsewhere(_ id: SimulatedTransaction.ID) {
        guard let index = queue.index(of: id) else { return }
        remove([index])
    }

    mutating func reportAgain(_ id: SimulatedTransaction.ID) {
        guard let index = queue.index(of: id), launch.hasObservers else { return }
        let entry = queue.entries[index]
        switch entry.phase {
        case .waiting:
            return
        case .queued:
            guard isPresent(index) else { return }
        case .gone:
            // What never was more than a wish is not in any queue.
            guard entry.state != .purchasing, entry.state != .deferred else { return }
            queue.update(index) { entry in
                entry.phase = .queued
                entry.isRepetition = true
            }
        }
        report([index])
    }

    /// Tells that the account has moved, and asks what is to become of payments that are being processed.
    mutating func storefrontChanged() {
        tell(.changedStorefront)
        guard launch.hasObservers else { return }
        for index in presentEntries where queue.entries[index].state == .purchasing {
            let entry = queue.entries[index]
            guard entry.reportedLaunch == launch.number else { continue }
            deliveries.append(.shouldContinue(snapshot(index, state: entry.state, object: entry.object), catalog.storefront))
        }
    }

    /// Takes an observer's no: the transaction does not go on in the new storefront.
    mutating func stop(_ id: SimulatedTransaction.ID) {
        guard let index = queue.index(of: id), queue.entries[index].phase == .queued, queue.entries[index].state == .purchasing
        else { return }
        if queue.entries[index].isAbandoned {
            queue.update(index) { $0.isAbandoned = false }
            fail(index, .storeProductNotAvailable)
        } else {
            queue.update(index) { $0.isStopped = true }
        }
    }

    /// Asks the observers about a purchase begun in the App Store; the first one that comes, if there is none.
    mutating func promote(_ payment: SimulatedPayment) {
        if launch.hasObservers, let product = product(payment.productIdentifier) {
            deliveries.append(.storePayment(payment, product))
        } else {
            untoldPromotions.append(payment)
        }
    }

    /// Tells the observers which products were taken away; the first one that comes, if there is none.
    mutating func revoke(_ productIdentifiers: [String]) {
        if launch.hasObservers {
            tell(.revokedEntitlements(productIdentifiers: productIdentifiers))
        } else {
            untoldRevocations += productIdentifiers
        }
    }

    private mutating func tellWhatWasUntold() {
        if !untoldRevocations.isEmpty {
            tell(.revokedEntitlements(productIdentifiers: untoldRevocations))
            untoldRevocations = []
        }
        let promotions = untoldPromotions
        untoldPromotions = []
        for payment in promotions where sells(payment.productIdentifier) {
            promote(payment)
        }
    }

    /// Empties the line of deliveries, but for what the account still has to tell.
    private mutating func keepUntoldDeliveries() {
        for delivery in deliveries.takeAll() {
            switch delivery {
            case .event(.revokedEntitlements(let productIdentifiers), _): untoldRevocations += productIdentifiers
            case .storePayment(let payment, _): untoldPromotions.append(payment)
            case .request(_, _, let handler): discard(handler)
            case .event, .shouldContinue: break
            }
        }
    }
}
