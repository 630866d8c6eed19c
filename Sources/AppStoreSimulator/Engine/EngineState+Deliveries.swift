import Foundation

/// The loop that delivers, on one thread at a time, and who waits until nothing is left to deliver.
struct DeliveryLoop {
    /// Whether some thread is delivering, or is about to.
    var isRunning = false
    /// Manual pacing: how many events may still be delivered.
    var allowance = 0
    /// How many times the loop moved to another thread.
    var moves = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter: UInt64 = 0
}

extension EngineState {
    /// What a thread that delivers is to do next.
    enum NextDelivery {
        /// Call these observers, or this handler.
        case deliver(Outbound)
        /// Continue on another thread.
        case move(SimulatorBehavior.DeliveryThread, count: Int)
        /// Nothing: resume those who waited for this.
        case stop([CheckedContinuation<Void, Never>])
    }

    /// Whether nothing is pending.
    var isIdle: Bool {
        !loop.isRunning && pendingCount == 0
    }

    /// How much is known to be still to come.
    var pendingCount: Int {
        deliveries.count + work.count + device.waitingPayments.count
            + otherDevices.values.reduce(0) { $0 + $1.waitingPayments.count }
    }

    /// With automatic pacing, does all the work and says on which thread to start the loop, if it is not running.
    mutating func startLoop() -> SimulatorBehavior.DeliveryThread? {
        announceOnOtherDevices()
        guard !isManual else { return nil }
        while let next = work.popFirst() {
            perform(next.work, on: next.device)
        }
        guard !loop.isRunning, !deliveries.isEmpty else { return nil }
        loop.isRunning = true
        return behavior.deliveryThread
    }

    /// Those who wait until nothing is pending, if that is so now.
    mutating func takeWaitersIfIdle() -> [CheckedContinuation<Void, Never>] {
        guard !loop.waiters.isEmpty, isIdle else { return [] }
        defer { loop.waiters = [:] }
        return loop.waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Takes the next delivery for the thread that delivers.
    mutating func takeNext(on thread: SimulatorBehavior.DeliveryThread, isFirst: Bool) -> NextDelivery {
        if isManual {
            guard loop.allowance > 0 else { return stop() }
        } else {
            guard !deliveries.isEmpty else { return stop() }
            let wanted = behavior.deliveryThread
            // On main every callback is a turn of its own: what the app puts on the main queue gets its turn in between.
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

    /// Lets one more event, or all of them, be delivered.
    mutating func allow(_ count: Int) {
        loop.allowance = count == .max || loop.allowance > .max - count ? .max : loop.allowance + count
    }

    private mutating func stop() -> NextDelivery {
        loop.isRunning = false
        return .stop(takeWaitersIfIdle())
    }

    /// The next delivery that goes to anybody; does the work that leads to it.
    private mutating func takeDeliverable() -> Outbound? {
        while true {
            while let next = deliveries.popFirst() {
                activate(next.device)
                if let outbound = outbound(for: next.delivery) { return outbound }
            }
            guard let next = work.popFirst() else { return nil }
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
        return Outbound(delivery: delivery, device: device.number, launchNumber: device.launch.number, observers: observers)
    }

    /// The observers to call. Apple promises no order among several.
    private mutating func recipients(_ observer: ObserverID?) -> [ObserverID] {
        if let observer {
            return device.launch.observers.contains(observer) ? [observer] : []
        }
        return device.launch.observers.count > 1 ? device.launch.observers.shuffled(using: &deliveryGenerator) : device.launch.observers
    }

    private mutating func perform(_ work: Work, on number: Int) {
        activate(number)
        defer { announceOnOtherDevices() }
        switch work {
        case .begin(let index): begin(index)
        case .conclude(let index, let outcome): conclude(index, outcome)
        case .restore: continueRestore()
        case .lateRows(let rows, let applicationUsername): restoreLate(rows, applicationUsername: applicationUsername)
        case .request(let id): respond(to: id)
        case .sync(let call): synchronise(call)
        case .refresh(let call): refreshAppTransaction(call)
        }
    }
}
