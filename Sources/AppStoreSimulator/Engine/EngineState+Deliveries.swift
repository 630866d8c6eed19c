import Foundation

/// The loop that delivers events on one thread at a time, and the tasks that wait until the loop is idle.
struct DeliveryLoop {
    /// Whether a thread is delivering or is scheduled to deliver.
    var isRunning = false
    /// With manual pacing, the number of events that may still be delivered.
    var allowance = 0
    /// The number of moves of the loop to another thread.
    var moves = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter: UInt64 = 0
}

extension EngineState {
    /// The next action of a delivering thread.
    enum NextDelivery {
        /// Call these observers, or this handler.
        case deliver(Outbound)
        /// Continue on another thread.
        case move(SimulatorBehavior.DeliveryThread, count: Int)
        /// Stop, and resume the waiting tasks.
        case stop([CheckedContinuation<Void, Never>])
    }

    /// Whether no delivery or work is pending.
    var isIdle: Bool {
        !loop.isRunning && pendingCount == 0
    }

    /// The number of pending deliveries, payments and work items.
    var pendingCount: Int {
        deliveries.count + work.count + device.waitingPayments.count
            + otherDevices.values.reduce(0) { $0 + $1.waitingPayments.count }
    }

    /// With automatic pacing, performs all work and returns the thread on which to start the loop; `nil` if the loop is
    /// running or no delivery is pending.
    mutating func startLoop() -> SimulatorBehavior.DeliveryThread? {
        announceOnOtherDevices()
        guard !isManual else { return nil }
        while let next = work.takeFirst() {
            perform(next.work, on: next.device)
        }
        guard !loop.isRunning, !deliveries.isEmpty else { return nil }
        loop.isRunning = true
        return behavior.deliveryThread
    }

    /// Removes and returns the waiting tasks if no delivery or work is pending.
    mutating func takeWaitersIfIdle() -> [CheckedContinuation<Void, Never>] {
        guard !loop.waiters.isEmpty, isIdle else { return [] }
        defer { loop.waiters = [:] }
        return loop.waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func takeNext(on thread: SimulatorBehavior.DeliveryThread, isFirst: Bool) -> NextDelivery {
        if isManual {
            guard loop.allowance > 0 else { return stop() }
        } else {
            guard !deliveries.isEmpty else { return stop() }
            let wanted = behavior.deliveryThread
            // On the main thread, every callback has a separate pass of the run loop, so that the app's work on the
            // main queue runs in between.
            let mayStay = wanted == .caller || (wanted == thread && (isFirst || wanted == .background))
            guard mayStay else {
                loop.moves += 1
                return .move(wanted, count: loop.moves)
            }
        }
        guard let outbound = takeDeliverable() else {
            loop.allowance = 0
            return stop()
        }
        if loop.allowance > 0, loop.allowance < .max {
            loop.allowance -= 1
        }
        return .deliver(outbound)
    }

    /// Allows the delivery of further events.
    mutating func allow(_ count: Int) {
        loop.allowance = count == .max || loop.allowance > .max - count ? .max : loop.allowance + count
    }

    private mutating func stop() -> NextDelivery {
        loop.isRunning = false
        return .stop(takeWaitersIfIdle())
    }

    /// Removes and returns the next delivery with a recipient. Performs pending work if there is no delivery.
    private mutating func takeDeliverable() -> Outbound? {
        while true {
            while let next = deliveries.takeFirst() {
                activate(next.device)
                if let outbound = outbound(for: next.delivery) { return outbound }
            }
            guard let next = work.takeFirst() else { return nil }
            perform(next.work, on: next.device)
        }
    }

    private mutating func outbound(for delivery: Delivery) -> Outbound? {
        var observers: [ObserverID] = []
        switch delivery {
        case .request(let id, let event, _):
            switch event {
            case .products: break
            case .finished, .failed: device.requests[id] = nil
            }
        case .event(let event, let observer):
            observers = recipients(observer)
            guard !observers.isEmpty else { return nil }
            recordShown(event)
        case .storePayment(let payment, _):
            observers = recipients(nil)
            guard !observers.isEmpty else {
                device.pendingPromotions.append(payment)
                return nil
            }
        case .shouldContinue:
            observers = recipients(nil)
            guard !observers.isEmpty else { return nil }
        case .update(_, let listener, let handler):
            guard device.launch.listeners[listener] != nil else {
                discard(handler)
                return nil
            }
        case .answer, .mayContinue:
            break
        }
        return Outbound(
            delivery: delivery, device: device.number, launchNumber: device.launch.number, observers: observers)
    }

    /// Returns the observers to call, in random order, because Apple doesn't define the order of several observers.
    private mutating func recipients(_ observer: ObserverID?) -> [ObserverID] {
        if let observer {
            return device.launch.observers.contains(observer) ? [observer] : []
        }
        return device.launch.observers.count > 1
            ? device.launch.observers.shuffled(using: &deliveryGenerator) : device.launch.observers
    }

    private mutating func perform(_ work: Work, on number: Int) {
        activate(number)
        defer { announceOnOtherDevices() }
        switch work {
        case .begin(let index): beginPayment(index)
        case .conclude(let index, let outcome): completePayment(index, outcome)
        case .restore: continueRestore()
        case .lateRows(let rows, let applicationUsername): restoreLate(rows, applicationUsername: applicationUsername)
        case .request(let id): respond(to: id)
        case .sync(let call): synchronize(call)
        case .refresh(let call): refreshAppTransaction(call)
        }
    }
}
