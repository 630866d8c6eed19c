extension PaymentQueueActor {
    /// Tells those who wait for a state of the store which it is in now.
    func answerDiagnosticsWaiters() {
        let diagnostics = diagnostics()
        diagnosticsWaiters.removeAll { waiter in
            guard waiter.isWanted(diagnostics) else { return false }
            waiter.reply.succeed(diagnostics)
            return true
        }
    }

    func diagnostics() -> StoreDiagnostics {
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
            isRestoring: restores.ask { $0.isRunning })
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
