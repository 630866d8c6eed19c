/// Passes delivered purchases from the state machine to the delivery ledger's file, and back in the next launch.
///
/// Belongs to the payment queue's actor. The file is written on the actor, because nothing may be finished before.
final class DeliveryRecorder {
    private let file: LedgerFile
    private var loggedFailure: StoreError?

    init(_ ledger: DeliveryLedger) {
        file = LedgerFile(ledger)
    }

    /// Why the file can't be read or written, or the damage that was found.
    var failure: StoreError? { file.failure }

    /// Reads the file, once. A file that can't be read is tried again at the next call.
    func load(into machine: inout StoreStateMachine, log: (StoreLogEvent) -> Void) {
        guard !file.isLoaded else { return }
        file.load()
        machine.ledger.contexts.load(file.contents.contexts, now: machine.now)
        passDeliveries(to: &machine, log)
    }

    /// Writes the requests and deliveries since the last call. Returns when the disk has them, or when that failed.
    func record(from machine: inout StoreStateMachine, log: (StoreLogEvent) -> Void) {
        guard !machine.ledger.contexts.changes.isEmpty else { return }
        file.append(machine.ledger.contexts.takeChanges(now: machine.now), now: machine.now)
        passDeliveries(to: &machine, log)
    }

    /// Erases what the file keeps about an account, or everything.
    func erase(_ account: String?, from machine: inout StoreStateMachine, log: (StoreLogEvent) -> Void)
        throws(StoreError)
    {
        defer { passDeliveries(to: &machine, log) }
        try file.erase(account: account, now: machine.now)
    }

    /// Passes on the deliveries of the file, and logs a new failure.
    private func passDeliveries(to machine: inout StoreStateMachine, _ log: (StoreLogEvent) -> Void) {
        machine.ledger.earlierDeliveries.add(file.contents.deliveries)
        if let failure, failure != loggedFailure {
            let consequence = "Purchases are still delivered, and may be delivered again in a later launch."
            log(StoreLogEvent(.error, "\(failure.message) \(consequence)"))
        }
        loggedFailure = failure
    }
}
