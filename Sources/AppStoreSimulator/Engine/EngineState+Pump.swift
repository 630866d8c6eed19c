import Foundation

extension EngineState {
    /// What a thread that delivers is to do next.
    enum NextDelivery {
        /// Call these people.
        case deliver(Outbound)
        /// Go on, on another thread.
        case hop(SimulatorBehavior.DeliveryThread, count: Int)
        /// Nothing: resume those who waited for this.
        case stop([CheckedContinuation<Void, Never>])
    }

    /// Whether nothing is pending.
    var isIdle: Bool {
        !pump.isDelivering && pendingCount == 0
    }

    /// How much is known to be still to come.
    var pendingCount: Int {
        deliveries.count + work.count + queue.lane.count
    }

    /// With automatic pacing, does all the work and says on which thread to deliver, if anybody has to begin with it.
    mutating func claim() -> SimulatorBehavior.DeliveryThread? {
        guard pacing == .automatic else { return nil }
        while let next = work.popFirst() {
            perform(next)
        }
        guard !pump.isDelivering, !deliveries.isEmpty else { return nil }
        pump.isDelivering = true
        return behavior.deliveryThread
    }

    /// Those who wait until nothing is pending, if that is so now.
    mutating func takeWaitersIfIdle() -> [CheckedContinuation<Void, Never>] {
        guard !pump.waiters.isEmpty, isIdle else { return [] }
        defer { pump.waiters = [:] }
        return pump.waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Takes the next delivery for the thread that delivers.
    mutating func takeNext(on thread: SimulatorBehavior.DeliveryThread, isFirst: Bool) -> NextDelivery {
        switch pacing {
        case .automatic:
            guard !deliveries.isEmpty else { return stop() }
            let wanted = behavior.deliveryThread
            let mayStay = wanted == .caller || (wanted == thread && (isFirst || wanted != .any))
            guard mayStay else {
                pump.hops += 1
                return .hop(wanted, count: pump.hops)
            }
        case .manual:
            guard pump.allowance > 0 else { return stop() }
        }
        guard let outbound = takeDeliverable() else {
            pump.allowance = 0
            return stop()
        }
        if pump.allowance > 0, pump.allowance < .max {
            pump.allowance -= 1
        }
        return .deliver(outbound)
    }

    /// Lets one more event, or all of them, be delivered.
    mutating func allow(_ count: Int) {
        pump.allowance = count == .max || pump.allowance > .max - count ? .max : pump.allowance + count
    }

    private mutating func stop() -> NextDelivery {
        pump.isDelivering = false
        return .stop(takeWaitersIfIdle())
    }

    /// The next delivery that goes to anybody; does the work that leads to it.
    private mutating func takeDeliverable() -> Outbound? {
        while true {
            while let delivery = deliveries.popFirst() {
                if let outbound = outbound(for: delivery) { return outbound }
            }
            guard let next = work.popFirst() else { return nil }
            perform(next)
        }
    }

    private mutating func outbound(for delivery: Delivery) -> Outbound? {
        var observers: [any SimulatedQueueObserver] = []
        switch delivery {
        case .request(let id, let event, _):
            switch event {
            case .products: break
            case .finished, .failed: requests[id] = nil
            }
        case .event(let event, let observer):
            observers = recipients(observer)
            guard !observers.isEmpty else { return nil }
            publish(event)
        case .storePayment(let payment, _):
            observers = recipients(nil)
            guard !observers.isEmpty else {
                untoldPromotions.append(payment)
                return nil
            }
        case .shouldContinue:
            observers = recipients(nil)
            guard !observers.isEmpty else { return nil }
        }
        return Outbound(delivery: delivery, launchNumber: launch.number, launch: launch.object.value, observers: observers)
    }

    /// Who is told. Apple promises no order among several observers.
    private mutating func recipients(_ observer: ObjectIdentifier?) -> [any SimulatedQueueObserver] {
        if let observer {
            return launch.observer(observer).map { [$0] } ?? []
        }
        return launch.present.count > 1 ? launch.present.shuffled(using: &deliveryGenerator) : launch.present
    }

    private mutating func perform(_ work: Work) {
        switch work {
        case .begin(let index): begin(index)
        case .conclude(let index, let outcome): conclude(index, outcome)
        case .restore: continueRestore()
        case .lateRows(let rows, let applicationUsername): restoreLate(rows, applicationUsername: applicationUsername)
        case .request(let id): answer(id)
        }
    }
}
