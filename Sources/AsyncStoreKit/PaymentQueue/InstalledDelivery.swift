/// The installed delivery, and its running tasks. The end of a task is an input of the store's queue.
struct InstalledDelivery: Sendable {
    let store: PaymentQueueActor.Surroundings
    var installed: (any PurchaseDelivery)?
    private var tasks = [CallID: Task<Void, Never>]()

    init(store: PaymentQueueActor.Surroundings) {
        self.store = store
    }

    mutating func start(_ job: DeliveryStateMachine.Job, _ records: [PurchaseRecord]) {
        guard let installed else { return }
        store.lifecycle.deliveryBegan()
        let (inputs, deviceReceipt) = (store.inputs, store.deviceReceipt)
        tasks[job.id] = store.clock.storeWork.task(.delivery) {
            guard !Task.isCancelled else { return }
            let request = DeliveryRequest(
                purchases: records.map { StorePurchase($0, owner: nil) }, cause: job.cause, attempt: job.attempt,
                lastStatus: job.lastAnswer?.status, deviceReceipt: deviceReceipt)
            let keys = Set(records.map(\.transaction.deliveryKey))
            let decision = await EnclosingDelivery.$keys.withValue(keys) { await installed.deliver(request) }
            // Ignored after the store was closed: the delivery may depend on calls that failed because of it.
            guard !Task.isCancelled else { return }
            inputs.enqueue(.change { $0.deliveryEnded(job.id, decision, because: request.journal.answers) })
        }
    }

    /// Returns the background time of a delivery that has ended.
    mutating func returnTime(of id: CallID) {
        if tasks.removeValue(forKey: id) != nil { store.lifecycle.deliveryEnded() }
    }

    mutating func cancelAll() {
        for task in tasks.values {
            task.cancel()
            store.lifecycle.deliveryEnded()
        }
        tasks = [:]
    }
}
