import AsyncStoreKit
import AsyncStoreKitTesting

/// Records what a store reports during one launch of the app. The recorder delivers and finishes like an app.
actor SceneRecorder {
    private var events: [SceneEvent] = []
    /// The products of the last confirmed answer about access.
    private var access: [String] = []
    /// The access that ``takeEvents()`` returned last.
    private var reportedAccess: [String] = []
    private let signals: StreamListener<Void>
    private let signal: AsyncStream<Void>.Continuation
    private var loops: [Task<Void, Never>] = []
    private weak var store: PurchaseStore?

    init(_ store: PurchaseStore) {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self)
        signals = StreamListener(stream)
        self.signal = signal
        self.store = store
    }

    /// Starts a loop over each stream of the store.
    func start() {
        guard let store else { return }
        follow(store.transactions) { recorder, purchase in
            await recorder.record(.transaction(purchase.productID))
            await purchase.finish()
        }
        follow(store.purchaseFailures) { await $0.record(.failure($1.productID, $1.error.code)) }
        follow(store.revocations) { await $0.record(.revoked($1.productIDs.sorted())) }
        follow(store.purchaseIntents) { await $0.continuePurchase($1) }
        follow(store.storefrontChanges) { await $0.record(.storefront($1.countryCode)) }
        follow(store.entitlements) { await $0.entitlementsChanged($1) }
    }

    /// Ends the loops, as the end of the app does, and waits for their end.
    func stop() async {
        loops.forEach { $0.cancel() }
        for loop in loops { await loop.value }
        loops = []
        signal.finish()
    }

    func record(_ event: SceneEvent) {
        events.append(event)
        signal.yield()
    }

    /// Returns the events since the last call, and the access if it's other than at the last call.
    ///
    /// Answers between two calls aren't events: how many there are depends on when the device is read.
    func takeEvents() -> [SceneEvent] {
        defer {
            events = []
            reportedAccess = access
        }
        return events + (access == reportedAccess ? [] : [.access(access)])
    }

    /// Waits until the store has reported events, in any order, and then reports nothing for a while: a late event
    /// belongs to the step that caused it.
    /// - Parameters:
    ///   - seconds: The limit for each event.
    ///   - quiet: The seconds without an event.
    func wait(for expected: [SceneEvent], within seconds: Double, quiet: Double) async throws {
        while !hasRecorded(expected), try await hasReport(within: seconds) {}
        while try await hasReport(within: quiet) {}
    }

    /// Waits for the next report of the store. Returns `false` if there is none within a number of seconds.
    func hasReport(within seconds: Double) async throws -> Bool {
        do { return try await signals.next(within: seconds) != nil } catch is WaitExpired { return false }
    }

    func hasRecorded(_ expected: [SceneEvent]) -> Bool {
        var missing = expected
        for event in events + [.access(access)] {
            if let index = missing.firstIndex(of: event) { missing.remove(at: index) }
        }
        return missing.isEmpty
    }

    private func continuePurchase(_ intent: StorePurchaseIntent) async {
        record(.intent(intent.productID))
        guard !intent.isContinuedAutomatically else { return }
        do {
            guard case .success(let purchase) = try await intent.purchase() else { return }
            record(.purchased(purchase.productID))
            await purchase.finish()
        } catch {
            record(.threw(error.code))
        }
    }

    private func entitlementsChanged(_ entitlements: StoreEntitlements) {
        guard case .confirmed = entitlements.basis else { return }
        access = entitlements.productIDs.sorted()
        signal.yield()
    }

    private func follow<Stream: AsyncSequence & Sendable>(
        _ stream: Stream, _ record: @escaping @Sendable (SceneRecorder, Stream.Element) async -> Void
    ) where Stream.Element: Sendable {
        // The main actor begins tasks in order, and settling waits for the main actor.
        loops.append(
            Task { @MainActor [weak self] in
                do {
                    for try await element in stream {
                        guard let self else { return }
                        await record(self, element)
                    }
                } catch {}
            })
    }
}
