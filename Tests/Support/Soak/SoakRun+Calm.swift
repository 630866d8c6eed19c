import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

// The calm phase.
extension SoakRun {
    /// The number of times that the app becomes active without any progress before the run stops.
    private static let attempts = 4

    /// How long the run waits after an attempt without progress, in seconds. `SOAK_PATIENCE` sets it. While there is
    /// progress, the run waits an eighth of it: the remaining work waits for the clock.
    private static let patience = ProcessInfo.processInfo.environment["SOAK_PATIENCE"].flatMap(Double.init) ?? 2

    /// Ends the faults, and delivers and finishes the remaining purchases.
    func conclude() async {
        journal.beginCalm()
        appStore.resetToDefaultState()
        appStore.behavior = SoakPlan.calm
        appStore.pacing = .automatic
        let (gates, silentCalls) = change { state in
            defer { state.gates = [] }
            return (state.gates, state.silentCalls)
        }
        gates.forEach { $0.open() }
        // Nothing else ends these calls.
        silentCalls.forEach { $0.cancel() }
        startLoop(.accepting)
        if !saysWhatIsAnswered {
            // A call whose answer another call has taken doesn't end by itself.
            await settle(attempts: 2)
            change { $0.calls }.forEach { $0.cancel() }
        }
        await settle()
        await surface()
        let unfinished = undelivered
        journal.conclude(unfinished, in: await situation)
        let isRelaunched = plan.behavior.finishingFails || plan.behavior.redeliversFinishedTransactions
        for id in unfinished.sorted() where journal.isDelivered(id) && !isRelaunched {
            journal.violate(.finished, "at the App Store", "\(id) is not finished: \(journal.story(of: id))")
        }
        checkHistory()
        await close()
        if isRelaunched { await relaunch() }
        if !appStore.misuses.isEmpty { journal.violate(.noMisuse, "misuse", "\(appStore.misuses)") }
    }

    /// Waits until everything paid is finished and every call has ended, for as long as there is progress.
    private func settle(attempts limit: Int = attempts) async {
        var attempts = 0
        while attempts < limit {
            let progress = journal.progress
            let patience = attempts == 0 ? Self.patience / 8 : Self.patience
            store?.refreshPendingState()
            await advance()
            do {
                try await journal.waitUntilQuiet(undelivered, within: patience)
                await advance()
                // A payment that waited for earlier ones may have been paid in the meantime.
                try await journal.waitUntilQuiet(undelivered, within: patience)
                return
            } catch {
                if journal.progress == progress { attempts += 1 }
            }
        }
    }

    /// Delivers the App Store's events, and advances past timeouts and retries.
    private func advance() async {
        appStore.releaseListings()
        await appStore.waitUntilIdle()
        answerPending(approving: true)
        await appStore.waitUntilIdle()
        _ = try? await store?.diagnostics()
        clock.advance(by: 400)
        await appStore.waitUntilIdle()
        _ = try? await store?.diagnostics()
    }

    /// Lets a possible second delivery of a purchase happen.
    private func surface() async {
        store?.refreshPendingState()
        for _ in 0..<20 { await Task.yield() }
        await appStore.waitUntilIdle()
        _ = try? await store?.diagnostics()
    }

    /// The work that the store waits for, for the message about calls that haven't ended.
    private var situation: String {
        get async {
            guard let diagnostics = try? await store?.diagnostics() else { return "The store is closed." }
            let payments = [diagnostics.inFlight].compactMap(\.self) + diagnostics.unresponsivePayments
            let products = payments.map(\.productID).joined(separator: ", ")
            return "With StoreKit: [\(products)], waiting: \(diagnostics.waitingPayments), "
                + "restoring: \(diagnostics.isRestoring)."
        }
    }

    /// The paid transactions that the store has to finish.
    private var undelivered: Set<String> {
        let elsewhere = journal.finishedElsewhere
        let records = appStore.allTransactions().filter { record in
            record.state == .purchased && !record.isFinished && record.revocationDate == nil
        }
        return Set(records.compactMap(\.transactionID)).subtracting(elsewhere)
    }

    /// Checks that every transaction that is finished at the App Store was delivered.
    private func checkHistory() {
        let elsewhere = journal.finishedElsewhere
        for record in appStore.allTransactions() where record.isFinished && record.revocationDate == nil {
            guard let id = record.transactionID, !journal.isDelivered(id), !elsewhere.contains(id) else { continue }
            let message = "\(id) is finished and wasn't delivered: \(journal.story(of: id))"
            journal.violate(.deliveredBeforeFinish, "at the App Store", message)
        }
    }

    private func close() async {
        let loops = change { state in
            defer {
                state.loops = []
                state.store = nil
            }
            return state.loops
        }
        for loop in loops { loop.cancel() }
        for loop in loops { await loop.value }
    }

    /// Launches the app again. Finishing works then, and the purchases that the App Store reports again are delivered
    /// and finished.
    private func relaunch() async {
        journal.beginProcess()
        launch()
        startLoop(.accepting)
        await settle()
        let unfinished = undelivered
        if !unfinished.isEmpty {
            journal.violate(.finished, "after a relaunch", "\(unfinished.sorted()) are not finished")
        }
        await close()
    }
}
