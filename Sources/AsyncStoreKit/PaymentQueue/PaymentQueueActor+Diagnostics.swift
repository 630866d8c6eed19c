extension PaymentQueueActor {
    func diagnostics() async -> StoreDiagnostics {
        StoreDiagnostics(
            held: ledger.unfinished.compactMap { entry in
                StoreDiagnostics.Held.Reason(entry.holder).map {
                    StoreDiagnostics.Held(transaction: entry.transaction, reason: $0, since: entry.since)
                }
            },
            inFlight: payments.inFlight?.request,
            waitingPayments: payments.waitingCount,
            pendingApprovals: payments.pendingApprovals.sorted { $0.key < $1.key }.map(\.value),
            owed: deliveries.owedCount,
            isRestoring: await restores.isRunning)
    }
}

extension StoreDiagnostics.Held.Reason {
    fileprivate init?(_ holder: TransactionLedger.Holder) {
        switch holder {
        case .offered: self = .offered
        case .handedOver: self = .handedOver
        case .delivering: self = .delivering
        case .owed: self = .owed
        case .delivered: self = .downloading
        case .inProgress, .finished: return nil
        }
    }
}
