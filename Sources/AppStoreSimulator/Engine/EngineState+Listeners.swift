import Foundation

/// A listener of StoreKit 2.
struct Listener {
    let kind: SimulatedUpdate.Kind
    let handler: @Sendable (SimulatedUpdate) -> Void
}

extension EngineState {
    /// Adds a listener and delivers its pending updates.
    mutating func addListener(_ listener: Listener) -> UInt64 {
        lastListener += 1
        let id = lastListener
        device.launch.listeners[id] = listener
        switch listener.kind {
        case .transactions:
            deliverUnfinished(to: id)
            deliverUnobserved(to: id)
        case .intents: deliverPendingPromotions()
        case .messages:
            let messages = device.pendingMessages
            device.pendingMessages = []
            for message in messages {
                showOnActiveDevice(message)
            }
        case .statuses, .storefronts:
            break
        }
        return id
    }

    func isListening(to kind: SimulatedUpdate.Kind) -> Bool {
        device.launch.listeners.contains { $0.value.kind == kind }
    }

    /// Sends an update to all listeners of a kind. Returns `false` without listeners.
    @discardableResult
    mutating func sendUpdate(_ update: SimulatedUpdate, to kind: SimulatedUpdate.Kind) -> Bool {
        let listeners = device.launch.listeners.filter { $0.value.kind == kind }.keys.sorted()
        for id in listeners {
            sendUpdate(update, listener: id)
        }
        return !listeners.isEmpty
    }

    private mutating func sendUpdate(_ update: SimulatedUpdate, listener id: UInt64) {
        guard let listener = device.launch.listeners[id] else { return }
        deliver(.update(update, listener: id, handler: listener.handler))
    }

    /// Sends a transaction as an update on this device.
    mutating func announce(row: Int) {
        guard isListening(to: .transactions) else {
            // Other unobserved transactions are unfinished, and the next listener receives those.
            if account.rows[row].isRenewal || behavior.deliversUpdatesToLaterListeners {
                device.unobserved.insert(row)
            }
            return
        }
        sendUpdate(.transaction(signed(row)), to: .transactions)
    }

    /// Sends the paid transaction of an entry as an update.
    mutating func announce(entry index: Int) {
        if let row = queue[index].row { announce(row: row) }
    }

    /// Sends the status of a subscription to the listeners on every device.
    mutating func sendStatus(of key: SubscriptionKey) {
        onEveryDevice { engine in
            guard engine.isListening(to: .statuses), let status = engine.signedStatus(of: key) else { return }
            engine.sendUpdate(.status(status), to: .statuses)
        }
    }

    /// Sends a message to the listeners on every device, or keeps the message for the first listener.
    mutating func show(_ message: SimulatedMessage) {
        onEveryDevice { $0.showOnActiveDevice(message) }
    }

    private mutating func showOnActiveDevice(_ message: SimulatedMessage) {
        if !sendUpdate(.message(message), to: .messages), !device.pendingMessages.contains(message) {
            device.pendingMessages.append(message)
        }
    }

    /// Sends what no listener has received, oldest first, if ``SimulatorBehavior/deliversUpdatesToLaterListeners`` is
    /// set.
    private mutating func deliverUnobserved(to listener: UInt64) {
        guard behavior.deliversUpdatesToLaterListeners else { return }
        let rows = device.unobserved.filter { !account.rows[$0].isFinished || account.unacknowledged.contains($0) }
        for row in rows.sorted() {
            sendUpdate(.transaction(signed(row)), listener: listener)
        }
        device.unobserved = []
    }

    /// Sends the unfinished transactions, newest first, to the first listener of a launch, if the listener was added at
    /// the beginning of the launch.
    private mutating func deliverUnfinished(to listener: UInt64) {
        guard !device.launch.hasDeliveredUnfinished else { return }
        device.launch.hasDeliveredUnfinished = true
        guard behavior.deliversUnfinishedAtLaunch, now == device.launch.beginDate else { return }
        let unobserved = device.unobserved
        device.unobserved = []
        var rows = unfinishedRows
        let known = Set(rows)
        rows += unobserved.union(account.unacknowledged).filter { !known.contains($0) }
        rows.sort(by: >)
        let renewals = rows.filter { unobserved.contains($0) && account.rows[$0].isRenewal }
        if behavior.redeliversRenewalsAtLaunch, let newest = renewals.first {
            let originals = Set(renewals.map { account.rows[$0].original }).subtracting(rows)
            rows += originals.sorted(by: >) + [newest]
        }
        for row in rows {
            sendUpdate(.transaction(signed(row)), listener: listener)
        }
    }
}
