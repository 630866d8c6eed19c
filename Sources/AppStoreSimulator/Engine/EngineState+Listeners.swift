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
        device.launch.listeners[id] = listener
        switch listener.kind {
        case .transactions:
            handOver(to: id)
        case .intents:
            let promotions = device.pendingPromotions
            device.pendingPromotions = []
            for payment in promotions where sells(payment.productID) {
                promote(payment)
            }
        case .messages:
            let messages = device.pendingMessages
            device.pendingMessages = []
            for message in messages {
                showHere(message)
            }
        case .statuses, .storefronts:
            break
        }
        return id
    }

    /// Whether anybody listens to a kind of updates.
    func isListening(to kind: SimulatedUpdate.Kind) -> Bool {
        device.launch.listeners.contains { $0.value.kind == kind }
    }

    /// Has all listeners of a kind hear of something; false if there is none.
    @discardableResult
    mutating func tell(_ update: SimulatedUpdate, to kind: SimulatedUpdate.Kind) -> Bool {
        let listeners = device.launch.listeners.filter { $0.value.kind == kind }.keys.sorted()
        for id in listeners {
            tell(update, listener: id)
        }
        return !listeners.isEmpty
    }

    private mutating func tell(_ update: SimulatedUpdate, listener id: UInt64) {
        guard let listener = device.launch.listeners[id] else { return }
        deliver(.update(update, listener: id, handler: listener.handler))
    }

    /// Announces a transaction on this device, whose app has not made it just now.
    mutating func announce(row: Int) {
        guard isListening(to: .transactions) else {
            // Whatever else nobody hears of is unfinished.
            if account.rows[row].isRenewal { device.unheard.insert(row) }
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
        onEveryDevice { engine in
            guard engine.isListening(to: .statuses), let status = engine.signedStatus(of: key) else { return }
            engine.tell(.status(status), to: .statuses)
        }
    }

    /// Announces a message; without a listener, to the first one that is added.
    mutating func show(_ message: SimulatedMessage) {
        onEveryDevice { $0.showHere(message) }
    }

    private mutating func showHere(_ message: SimulatedMessage) {
        if !tell(.message(message), to: .messages), !device.pendingMessages.contains(message) {
            device.pendingMessages.append(message)
        }
    }

    /// Gives the first listener of a launch what is unfinished, if it has been there from the beginning: newest first.
    private mutating func handOver(to listener: UInt64) {
        guard !device.launch.hasHandedOver else { return }
        device.launch.hasHandedOver = true
        guard behavior.deliversUnfinishedAtLaunch, now == device.launch.beginDate else { return }
        let unheard = device.unheard
        device.unheard = []
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
