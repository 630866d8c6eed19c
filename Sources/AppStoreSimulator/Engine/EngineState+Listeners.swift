import Foundation

/// Whoever listens to StoreKit 2.
struct Listener {
    let kind: SimulatedUpdate.Kind
    let handler: @Sendable (SimulatedUpdate) -> Void
}

extension EngineState {
    /// Adds a listener, and gives it what waits for it.
    mutating func addListener(_ listener: Listener) -> UInt64 {
        lastListener += 1
        let id = lastListener
        launch.listeners[id] = listener
        switch listener.kind {
        case .transactions:
            handOver(to: id)
        case .intents:
            let promotions = pendingPromotions
            pendingPromotions = []
            for payment in promotions where sells(payment.productID) {
                promote(payment)
            }
        case .messages:
            let messages = pendingMessages
            pendingMessages = []
            for message in messages {
                show(message)
            }
        case .statuses, .storefronts:
            break
        }
        return id
    }

    /// Whether anybody listens to a kind of updates.
    func isListening(to kind: SimulatedUpdate.Kind) -> Bool {
        launch.listeners.contains { $0.value.kind == kind }
    }

    /// Has all listeners of a kind hear of something; false if there is none.
    @discardableResult
    mutating func tell(_ update: SimulatedUpdate, to kind: SimulatedUpdate.Kind) -> Bool {
        let listeners = launch.listeners.filter { $0.value.kind == kind }.keys.sorted()
        for id in listeners {
            tell(update, listener: id)
        }
        return !listeners.isEmpty
    }

    private mutating func tell(_ update: SimulatedUpdate, listener id: UInt64) {
        guard let listener = launch.listeners[id] else { return }
        deliveries.append(.update(update, listener: id, handler: listener.handler))
    }

    /// Announces a transaction that the app has not made just now.
    mutating func announce(row: Int) {
        guard isListening(to: .transactions) else {
            // Whatever else nobody hears of is unfinished.
            if account.rows[row].isRenewal { account.unheard.insert(row) }
            return
        }
        tell(.transaction(signed(row)), to: .transactions)
    }

    /// Announces what an entry has paid.
    mutating func announce(entry index: Int) {
        if let row = queue.entries[index].row { announce(row: row) }
    }

    /// Announces how a subscription stands.
    mutating func tellStatus(of key: SubscriptionKey) {
        guard isListening(to: .statuses), let status = signedStatus(of: key) else { return }
        tell(.status(status), to: .statuses)
    }

    /// Announces a message; without a listener, to the first one that is added.
    mutating func show(_ message: SimulatedMessage) {
        if !tell(.message(message), to: .messages), !pendingMessages.contains(message) {
            pendingMessages.append(message)
        }
    }

    /// Gives the first listener of a launch what is unfinished, if it has been there from the beginning: newest first.
    private mutating func handOver(to listener: UInt64) {
        guard !launch.hasHandedOver else { return }
        launch.hasHandedOver = true
        guard behavior.deliversUnfinishedAtLaunch, now == launch.beginDate else { return }
        let unheard = account.unheard
        account.unheard = []
        var rows = unfinishedRows
        let known = Set(rows)
        rows += unheard.union(account.unacknowledged).filter { !known.contains($0) }
        rows.sort(by: >)
        let renewals = rows.filter { unheard.contains($0) && account.rows[$0].isRenewal }
        if behavior.redeliversRenewalsAtLaunch, let newest = renewals.first {
            let originals = Set(renewals.map { account.rows[$0].original }).subtracting(rows)
            rows += originals.sorted(by: >) + [newest]
        }
        for row in rows {
            tell(.transaction(signed(row)), listener: listener)
        }
    }
}
