extension SimulatedAppStore {
    /// Delivers exactly one pending event on the calling thread, with manual pacing.
    ///
    /// While a callback is running, inside it or on another thread, this only allows one more event, which the thread that runs the
    /// callback delivers after it. With automatic pacing it does nothing.
    ///
    /// - Returns: Whether there was an event. What goes to nobody, because there is no observer, is none.
    @discardableResult
    public func step() -> Bool {
        run(allowing: 1)
    }

    /// Delivers pending events on the calling thread, also those that they cause, until there are none, with manual pacing.
    ///
    /// While a callback is running, this returns at once, and the thread that runs the callback does it.
    public func runUntilIdle() {
        _ = run(allowing: .max)
    }

    /// How much is known to be pending: events, and payments, restores and requests on which the App Store still has to work. Zero
    /// when there is nothing to deliver; a callback that is running does not count.
    public var pendingEventCount: Int {
        withState { $0.pendingCount }
    }

    /// Returns when nothing is pending and no callback is running, or when the task is cancelled.
    ///
    /// It does not deliver anything itself: with manual pacing somebody has to.
    public func waitUntilIdle() async {
        let id = withState { state in
            state.pump.lastWaiter += 1
            return state.pump.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = withState { state in
                    guard !state.isIdle, !Task.isCancelled else { return false }
                    state.pump.waiters[id] = continuation
                    return true
                }
                if !mustWait {
                    continuation.resume()
                }
            }
        } onCancel: {
            let waiter = withState { $0.pump.waiters.removeValue(forKey: id) }
            waiter?.resume()
        }
    }

    /// Delivers what is pending, on this thread, for as long as it is the right one.
    ///
    /// - Returns: Whether anything was delivered.
    @discardableResult
    func deliverPending(on thread: SimulatorBehavior.DeliveryThread) -> Bool {
        var hasDelivered = false
        while true {
            switch withState({ $0.takeNext(on: thread, isFirst: !hasDelivered) }) {
            case .deliver(let outbound):
                hasDelivered = true
                deliver(outbound)
            case .hop(let next, let count):
                deliver(on: next, hop: count)
                return hasDelivered
            case .stop(let waiters):
                for waiter in waiters {
                    waiter.resume()
                }
                return hasDelivered
            }
        }
    }

    private func run(allowing count: Int) -> Bool {
        let (isMine, hasPending) = withState { state in
            guard state.pacing == .manual else { return (false, false) }
            state.allow(count)
            defer { state.pump.isDelivering = true }
            return (!state.pump.isDelivering, state.pendingCount > 0)
        }
        return isMine ? deliverPending(on: .caller) : hasPending
    }

    private func deliver(_ outbound: Outbound) {
        let launch = launch(for: outbound)
        switch outbound.delivery {
        case .event(let event, _):
            for observer in outbound.observers where launch.isCurrent {
                observer.paymentQueue(launch, didReceive: event)
            }
        case .storePayment(let payment, let product):
            var goesOn = false
            for observer in outbound.observers where launch.isCurrent {
                goesOn = observer.paymentQueue(launch, shouldAddStorePayment: payment, for: product) || goesOn
            }
            if goesOn {
                launch.add(payment)
            }
        case .shouldContinue(let transaction, let storefront):
            var goesOn = true
            for observer in outbound.observers where launch.isCurrent {
                goesOn = observer.paymentQueue(launch, shouldContinue: transaction, in: storefront) && goesOn
            }
            if !goesOn {
                mutate { $0.stop(transaction.id) }
            }
        case .request(_, let event, let handler):
            if launch.isCurrent {
                handler(event)
            }
        }
    }
}
