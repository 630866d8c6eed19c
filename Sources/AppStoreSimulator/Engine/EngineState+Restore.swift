import Foundation

extension EngineState {
    /// Begins a restore. Does nothing while a restore is running.
    mutating func beginRestore(applicationUsername: String?) {
        guard device.restore == nil else { return }
        device.restore = RestoreProgress(applicationUsername: applicationUsername)
        enqueue(.restore)
    }

    /// Reports the next batch or the end of the restore.
    mutating func continueRestore() {
        guard var progress = device.restore else { return }
        if progress.rows == nil {
            plan(&progress)
            if !behavior.isOffline {
                device.receipt.restore(at: now)
            }
        }
        let batch = (progress.rows ?? []).prefix(batchSize)
        if batch.isEmpty {
            device.restore = nil
            if let ending = progress.ending {
                notify(ending)
            }
            if !progress.lateRows.isEmpty {
                enqueue(.lateRows(progress.lateRows, applicationUsername: progress.applicationUsername))
            }
        } else {
            progress.rows?.removeFirst(batch.count)
            device.restore = progress
            enqueue(.restore)
            restoreRows(batch, applicationUsername: progress.applicationUsername)
        }
    }

    /// Reports rows that arrive after the end of their restore.
    mutating func restoreLate(_ rows: ArraySlice<Int>, applicationUsername: String?) {
        let batch = rows.prefix(batchSize)
        guard !batch.isEmpty else { return }
        let rest = rows.dropFirst(batch.count)
        if !rest.isEmpty {
            enqueue(.lateRows(rest, applicationUsername: applicationUsername))
        }
        restoreRows(batch, applicationUsername: applicationUsername)
    }

    private var batchSize: Int {
        max(1, behavior.restoreBatchSize)
    }

    private mutating func plan(_ progress: inout RestoreProgress) {
        if let offlineError {
            progress.rows = []
            progress.ending = .restoreFailed(offlineError)
            return
        }
        let all = account.restorableRows
        switch behavior.restoreEnding {
        case .finishes:
            let late = min(max(0, behavior.restoredRowsAfterFinished), all.count)
            progress.rows = all.dropLast(late)
            progress.lateRows = all.suffix(late)
            progress.ending = .restoreFinished
        case .fails(let error, let afterRows):
            progress.rows = all.prefix(max(0, afterRows))
            progress.ending = .restoreFailed(error)
        case .neverAnswers(let afterRows):
            progress.rows = all.prefix(max(0, afterRows))
        }
    }

    private mutating func restoreRows(_ rows: ArraySlice<Int>, applicationUsername: String?) {
        var batch: [Int] = []
        for row in rows {
            var payment = SimulatedPayment(productID: account.rows[row].productID)
            payment.applicationUsername = applicationUsername
            let index = makeEntry(for: payment, phase: .queued)
            restoreWithoutReport(index, from: row)
            batch.append(index)
        }
        report(batch)
    }
}
