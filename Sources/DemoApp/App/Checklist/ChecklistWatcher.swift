import AsyncStoreKit
import Foundation

/// Follows a store's streams, and reports the kinds of events. The watcher also delivers, like an app.
@MainActor final class ChecklistWatcher {
    private let store: PurchaseStore
    /// The duration of a slow delivery, in nanoseconds.
    private let slowDelivery: UInt64
    private let report: @MainActor (ChecklistSignal) -> Void
    private var loops: [Task<Void, Never>] = []
    private var delivered: Set<String> = []
    private var hasAccess = false

    init(
        _ store: PurchaseStore, slowDelivery: UInt64 = 20_000_000_000,
        _ report: @escaping @MainActor (ChecklistSignal) -> Void
    ) {
        self.store = store
        self.slowDelivery = slowDelivery
        self.report = report
    }

    func start() {
        follow(store.transactions) { watcher, purchase in
            watcher.report(.arrivedLater)
            watcher.credit(purchase)
            await purchase.finish()
            await watcher.readDiagnostics()
        }
        follow(store.purchaseFailures) { watcher, _ in watcher.report(.failed) }
        follow(store.pendingPurchases) { watcher, pending in if !pending.isEmpty { watcher.report(.pending) } }
        follow(store.revocations) { watcher, _ in watcher.report(.revoked) }
        follow(store.purchaseIntents) { watcher, _ in watcher.report(.intent) }
        follow(store.entitlements) { watcher, entitlements in watcher.accessChanged(entitlements) }
    }

    func stop() {
        loops.forEach { $0.cancel() }
        loops = []
    }

    /// Performs the part of a check that the app starts by itself.
    func perform(_ action: ChecklistAction) async {
        switch action {
        case .purchase(let id): await purchase(id)
        case .purchaseSlowly(let id): await purchase(id, deliveringFor: slowDelivery)
        case .purchaseBoth(let first, let second):
            async let one: Void = purchase(first)
            async let other: Void = purchase(second)
            _ = await (one, other)
        case .restore:
            do { try await store.restore { credit($0) } } catch { report(.failed) }
        }
        await readDiagnostics()
    }

    private func purchase(_ productID: String, deliveringFor nanoseconds: UInt64 = 0) async {
        do {
            try await store.purchase(productID) { purchase in
                try await Task.sleep(nanoseconds: nanoseconds)
                credit(purchase)
            }
        } catch {
            report(.failed)
        }
    }

    /// Reports a delivery, and a second delivery of a purchase as such.
    private func credit(_ purchase: StorePurchase) {
        report(delivered.insert(purchase.deliveryKey).inserted ? .delivered : .redelivered)
    }

    private func accessChanged(_ entitlements: StoreEntitlements) {
        switch entitlements.basis {
        case .unknown: return
        case .cached: report(.cachedAnswer)
        case .confirmed: break
        }
        let hasAccess = !entitlements.active.isEmpty
        guard hasAccess != self.hasAccess else { return }
        self.hasAccess = hasAccess
        report(hasAccess ? .accessBegan : .accessEnded)
    }

    private func readDiagnostics() async {
        guard let diagnostics = try? await store.diagnostics() else { return }
        report(diagnostics.deliveryLedgerError == nil ? .ledgerWorks : .ledgerFailed)
        if diagnostics.held.isEmpty { report(.nothingUnfinished) }
    }

    private func follow<Stream: AsyncSequence & Sendable>(
        _ stream: Stream, _ body: @escaping @MainActor (ChecklistWatcher, Stream.Element) async -> Void
    ) where Stream.Element: Sendable {
        loops.append(
            Task { [weak self] in
                do {
                    for try await element in stream {
                        guard let self else { return }
                        await body(self, element)
                    }
                } catch {}
            })
    }
}
