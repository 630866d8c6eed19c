// The customer's devices share the account, the catalog, the behavior and the clock of the App Store. Each device has a
// separate launch, payment queue and receipt file. One device is active at a time.
extension EngineState {
    /// Makes a device the active device.
    /// - Returns: The previously active device.
    @discardableResult
    mutating func activate(_ number: Int) -> Int {
        let former = device.number
        guard number != former, let next = otherDevices.removeValue(forKey: number) else { return former }
        otherDevices[former] = device
        device = next
        return former
    }

    /// Makes the device of a queue entry the active device.
    /// - Returns: The previously active device.
    mutating func activateDevice(ofEntry index: Int) -> Int {
        activate(queue[index].device)
    }

    /// Runs a closure on every device, first on the active device.
    mutating func onEveryDevice(_ body: (inout EngineState) -> Void) {
        body(&self)
        onOtherDevices(body)
    }

    /// Runs a closure on every device except the active device.
    mutating func onOtherDevices(_ body: (inout EngineState) -> Void) {
        guard !otherDevices.isEmpty else { return }
        let acting = device.number
        for number in otherDevices.keys.sorted() {
            activate(number)
            body(&self)
        }
        activate(acting)
    }

    /// Groups queue entries by device, and calls the closure on each other device with its entries.
    /// - Returns: The entries of the active device.
    mutating func entriesHere(_ indices: [Int], elsewhere body: (inout EngineState, [Int]) -> Void) -> [Int] {
        guard !otherDevices.isEmpty else { return indices }
        onOtherDevices { engine in
            let entries = indices.filter { engine.queue[$0].device == engine.device.number }
            if !entries.isEmpty { body(&engine, entries) }
        }
        return indices.filter { queue[$0].device == device.number }
    }

    /// Announces new transactions on the devices that didn't pay them. An unfinished consumable arrives on another
    /// device at its next launch, so that two devices don't deliver it at the same time.
    mutating func announceOnOtherDevices() {
        guard !unannounced.isEmpty else { return }
        let rows = unannounced
        unannounced = []
        for (row, payer) in rows where account.rows[row].kind != .consumable {
            onEveryDevice { engine in
                if engine.device.number != payer { engine.announce(row: row) }
            }
        }
    }

    mutating func setObservers(_ observers: [ObserverID], onDevice number: Int) {
        if number == device.number {
            device.launch.observers = observers
        } else {
            otherDevices[number]?.launch.observers = observers
        }
    }

    /// Adds work of the App Store for the active device.
    mutating func enqueue(_ item: Work) {
        work.append((device.number, item))
    }

    /// Adds an event or a question for the app on the active device.
    mutating func deliver(_ delivery: Delivery) {
        deliveries.append((device.number, delivery))
    }

    /// Adds an entry to the queue of the active device.
    mutating func makeEntry(for payment: SimulatedPayment, phase: QueueEntry.Phase = .waiting) -> Int {
        let index = queue.makeEntry(for: payment, on: device.number)
        queue[index].phase = phase
        return index
    }
}
