extension SimulatedAppStore {
    /// Delivers exactly one pending event on the calling thread, with manual pacing.
    ///
    /// While a callback is running on this or another thread, the function only allows one more event, which the
    /// callback's thread delivers after the callback. With automatic pacing, the function does nothing.
    ///
    /// - Returns: Whether an event was pending. An event without an observer isn't pending.
    @discardableResult
    public func step() -> Bool {
        run(allowing: 1)
    }

    /// Delivers all pending events on the calling thread, including the events that they cause, with manual pacing.
    ///
    /// While a callback is running, the function returns immediately, and the callback's thread delivers the events.
    public func runUntilIdle() {
        _ = run(allowing: .max)
    }

    /// The number of pending events, payments, restores and requests, without a running callback.
    public var pendingEventCount: Int {
        read { $0.pendingCount }
    }

    /// Waits until no event is pending and no callback is running, or until the task is canceled.
    ///
    /// The function doesn't deliver events. With manual pacing, call ``step()`` or ``runUntilIdle()`` from another
    /// task.
    public func waitUntilIdle() async {
        let id = withEngine { engine in
            engine.loop.lastWaiter += 1
            return engine.loop.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = withEngine { engine in
                    guard !engine.isIdle, !Task.isCancelled else { return false }
                    engine.loop.waiters[id] = continuation
                    return true
                }
                if !mustWait {
                    continuation.resume()
                }
            }
        } onCancel: {
            let waiter = withEngine { $0.loop.waiters.removeValue(forKey: id) }
            waiter?.resume()
        }
    }

    /// A delivery with the objects to call.
    private struct Callback {
        let delivery: Delivery
        let launch: SimulatedLaunch
        let observers: [any SimulatedQueueObserver]
        /// The late lists to deliver after the callback.
        let lateListings: [LateListing]
    }

    /// Delivers pending events while this thread is the configured one.
    ///
    /// - Returns: Whether an event was delivered.
    @discardableResult
    func deliverPending(on thread: SimulatorBehavior.DeliveryThread) -> Bool {
        var hasDelivered = false
        while true {
            let (step, due) = withState { state -> (EngineState.NextDelivery, Callback?) in
                let next = state.engine.takeNext(on: thread, isFirst: !hasDelivered)
                guard case .deliver(let outbound) = next else { return (next, nil) }
                return (next, callback(for: outbound, &state))
            }
            switch step {
            case .deliver:
                hasDelivered = true
                guard let due else { continue }
                perform(due)
                due.lateListings.forEach { $0.deliver() }
            case .move(let next, let count):
                deliver(on: next, move: count)
                return hasDelivered
            case .stop(let waiters):
                for waiter in waiters {
                    waiter.resume()
                }
                return hasDelivered
            }
        }
    }

    /// Returns the objects of a delivery. Creates a new launch object if the app has released the former one.
    private func callback(for outbound: Outbound, _ state: inout State) -> Callback {
        let launch: SimulatedLaunch
        if let current = state.devices[outbound.device].launch {
            launch = current
        } else {
            launch = SimulatedLaunch(store: appStore(ofDevice: outbound.device), number: outbound.launchNumber)
            state.devices[outbound.device].adopt(launch)
        }
        return Callback(
            delivery: outbound.delivery, launch: launch,
            observers: outbound.observers.compactMap { state.devices[outbound.device].observer($0) },
            lateListings: state.engine.takeDueListings())
    }

    private func run(allowing count: Int) -> Bool {
        let (isMine, hasPending) = withEngine { engine in
            guard engine.isManual else { return (false, false) }
            engine.allow(count)
            defer { engine.loop.isRunning = true }
            return (!engine.loop.isRunning, engine.pendingCount > 0)
        }
        return isMine ? deliverPending(on: .caller) : hasPending
    }

    private func perform(_ callback: Callback) {
        let launch = callback.launch
        switch callback.delivery {
        case .event(let event, _):
            for observer in callback.observers where launch.isCurrent {
                observer.paymentQueue(launch, didReceive: event)
            }
        case .storePayment(let payment, let product):
            var continues = false
            for observer in callback.observers where launch.isCurrent {
                continues = observer.paymentQueue(launch, shouldAddStorePayment: payment, for: product) || continues
            }
            if continues {
                launch.add(payment)
            }
        case .shouldContinue(let transaction, let storefront):
            var continues = true
            for observer in callback.observers where launch.isCurrent {
                continues = observer.paymentQueue(launch, shouldContinue: transaction, in: storefront) && continues
            }
            if !continues {
                mutate { $0.stop(transaction.id) }
            }
        case .request(_, let event, let handler):
            if launch.isCurrent {
                handler(event)
            }
        case .answer(let answer, let handler):
            handler(launch.isCurrent ? answer : .abandoned)
        case .update(let update, _, let handler):
            if launch.isCurrent {
                handler(update)
            }
        case .mayContinue(let id, let storefront, let policy):
            if launch.isCurrent, !policy(storefront) {
                mutate { $0.stop(id) }
            }
        }
    }
}
