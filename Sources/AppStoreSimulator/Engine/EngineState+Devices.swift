// The customer's devices share the account, the catalog, the behavior and the clock of the App Store. Each has a launch, a payment queue
// and a receipt file of its own. One device acts at a time.
extension EngineState {
    /// Makes a device the one that acts.
    /// - Returns: The device that acted before.
    @discardableResult
    mutating func activate(_ number: Int) -> Int {
        let former = device.number
        guard number != former, let next = otherDevices.removeValue(forKey: number) else { return former }
        otherDevices[former] = device
        device = next
        return former
    }

    /// Makes the device that an entry of the queue belongs to the one that acts.
    /// - Returns: The device that acted before.
    mutating func activateDevice(ofEntry index: Int) -> Int {
        activate(queue.entries[index].device)
    }

    /// Does something on every device, first on the one that acts.
    mutating func onEveryDevice(_ body: (inout EngineState) -> Void) {
        body(&self)
        onOtherDevices(body)
    }

    /// Does something on every device but the one that acts.
    mutating func onOtherDevices(_ body: (inout EngineState) -> Void) {
        guard !otherDevices.isEmpty else { return }
        let acting = device.number
        for number in otherDevices.keys.sorted() {
            activate(number)
            body(&self)
        }
        activate(acting)
    }

    /// Divides entries of the queue by device.
    /// - Returns: The entries of the device that acts. The body has been called on each other device, with its entries.
    mutating func entriesHere(_ indices: [Int], elsewhere body: (inout EngineState, [Int]) -> Void) -> [Int] {
        guard !otherDevices.isEmpty else { return indices }
        onOtherDevices { engine in
            let entries = indices.filter { engine.queue.entries[$0].device == engine.device.number }
            if !entries.isEmpty { body(&engine, entries) }
        }
        return indices.filter { queue.entries[$0].device == device.number }
    }

    /// Announces new transactions on the devices that did not pay them. A consumable arrives there at the next launch, if
    /// it is still unfinished: two devices don't race to deliver it.
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

    /// Sets the observers that are there on a device.
    mutating func setObservers(_ observers: [ObserverID], onDevice number: Int) {
        if number == device.number {
            device.launch.observers = observers
        } else {
            otherDevices[number]?.launch.observers = observers
        }
    }

    /// Adds something that the App Store has to do for the device that acts.
    mutating func enqueue(_ item: Work) {
        work.append((device.number, item))
    }

    /// Adds an event or a question for the app on the device that acts.
    mutating func deliver(_ delivery: Delivery) {
        deliveries.append((device.number, delivery))
    }

    /// Adds an entry to the queue of the device that acts.
    mutating func makeEntry(for payment: SimulatedPayment) -> Int {
        queue.makeEntry(for: payment, on: device.number)
    }
}
