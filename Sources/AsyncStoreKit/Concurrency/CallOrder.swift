import Foundation

/// Passes on the outcomes of calls in the order in which the calls were made.
///
/// An outcome that arrives early waits for the outcomes of earlier calls, for ``timeout`` seconds in which the app
/// runs. After that the earlier calls without an outcome lose their positions, and their outcomes are passed on when
/// they arrive.
package final class CallOrder: Sendable {
    private struct State: Sendable {
        /// The calls that have positions, in order. An abandoned position stays until it's first.
        var line = FirstInFirstOut<CallID>()
        var places: Set<CallID> = []
        var early = [CallID: @Sendable () -> Void]()
        /// The outcomes to pass on now.
        var due: [@Sendable () -> Void] = []
        var timer: Task<Void, Never>?

        /// Moves the outcomes at the head of the queue to the outbox.
        mutating func advance() {
            while let first = line.first {
                if let outcome = early.removeValue(forKey: first) {
                    places.remove(first)
                    due.append(outcome)
                } else if places.contains(first) {
                    return
                }
                line.removeFirst()
            }
        }

        mutating func giveUp(_ id: CallID) {
            places.remove(id)
            if let outcome = early.removeValue(forKey: id) { due.append(outcome) }
        }
    }

    /// How long an outcome waits for those of earlier calls, in seconds.
    static let timeout = 3.0

    private let clock: any StoreClock
    private let state = MachineHost<State, @Sendable () -> Void>(State())

    /// - Parameter clock: The clock by which an outcome waits.
    package init(clock: any StoreClock) {
        self.clock = clock
    }

    /// Gives a call a position after all others.
    package func enter(_ id: CallID) {
        state.withLock { state in
            state.line.append(id)
            state.places.insert(id)
        }
    }

    /// Passes on an outcome, after the outcomes of earlier calls. An outcome without a position is passed on
    /// immediately.
    package func pass(_ id: CallID, _ outcome: @escaping @Sendable () -> Void) {
        advance { state in
            if state.line.first == id {
                state.line.removeFirst()
                state.places.remove(id)
                state.due.append(outcome)
            } else if state.places.contains(id) {
                state.early[id] = outcome
            } else {
                state.due.append(outcome)
            }
        }
    }

    /// Removes a call's place. A waiting outcome is passed on immediately.
    package func leave(_ id: CallID) {
        advance { $0.giveUp(id) }
    }

    private func advance(_ change: (inout State) -> Void) {
        state.update { state in
            change(&state)
            state.advance()
            keepTime(&state)
            defer { state.due = [] }
            return state.due
        } perform: { outcome in
            outcome()
        }
    }

    /// Runs the timer while an outcome waits.
    private func keepTime(_ state: inout State) {
        if state.early.isEmpty {
            state.timer?.cancel()
            state.timer = nil
        } else if state.timer == nil {
            state.timer = clock.storeWork.task { [weak self, clock] in
                guard (try? await clock.sleep(whileRunningFor: Self.timeout)) != nil else { return }
                self?.advance { state in
                    guard !Task.isCancelled else { return }
                    for id in state.places where state.early[id] == nil { state.places.remove(id) }
                    state.timer = nil
                }
            }
        }
    }
}
