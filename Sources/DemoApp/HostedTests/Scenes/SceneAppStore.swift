import AsyncStoreKit

/// An App Store in which scenes run: the simulated one, or Apple's over a session of StoreKit Test.
protocol SceneAppStore: Sendable {
    /// Launches the app with a new store. The caller has released the store of the former launch.
    func launch() async throws -> PurchaseStore
    /// Makes something happen in the App Store.
    func perform(_ control: SceneControl) async throws
    /// Waits until the store has reported everything that a step causes.
    func settle(_ store: PurchaseStore, _ recorder: SceneRecorder, expecting events: [SceneEvent]) async throws
}

/// A control that an App Store doesn't have on this platform.
struct SceneControlUnavailable: Error, CustomStringConvertible {
    let description: String
}

/// The events that a store reported in each step of a scene.
struct SceneTranscript: Sendable, Hashable {
    /// The steps' events. The order of events within a step isn't defined, because streams are independent, so the
    /// events of a step are sorted.
    var steps: [[SceneEvent]] = []
    /// The description of the error that ended the scene, if any.
    var failure: String?
}

extension Scene {
    /// Plays the scene.
    /// - Parameters:
    ///   - appStore: A new App Store.
    ///   - engine: The engine of its stores, which selects the expected events.
    func play(in appStore: some SceneAppStore, over engine: StoreEngine) async throws -> SceneTranscript {
        var transcript = SceneTranscript()
        var launch = SceneLaunch(try await appStore.launch())
        await launch.recorder.start()
        for step in steps {
            do {
                switch step.action {
                case .control(let control): try await appStore.perform(control)
                case .call(let call): await launch.perform(call)
                case .relaunch:
                    await launch.recorder.stop()
                    launch.store = nil
                    launch = SceneLaunch(try await appStore.launch())
                    await launch.recorder.start()
                }
                if let store = launch.store {
                    try await appStore.settle(store, launch.recorder, expecting: step.expected(over: engine))
                }
            } catch {
                transcript.failure = "\(error)"
            }
            let events = await launch.recorder.takeEvents()
            transcript.steps.append(events.sorted { $0.description < $1.description })
            if transcript.failure != nil { break }
        }
        await launch.recorder.stop()
        return transcript
    }
}

/// One launch of the app in a scene.
private struct SceneLaunch {
    var store: PurchaseStore?
    let recorder: SceneRecorder

    init(_ store: PurchaseStore) {
        self.store = store
        recorder = SceneRecorder(store)
    }

    func perform(_ call: SceneCall) async {
        do {
            if let event = try await event(of: call) { await recorder.record(event) }
        } catch {
            await recorder.record(.threw(error.code))
        }
    }

    private func event(of call: SceneCall) async throws(StoreError) -> SceneEvent? {
        guard let store else { return nil }
        switch call {
        case .loadProducts(let ids): return .products(try await store.products(for: ids).products.map(\.id))
        case .purchase(let id, let offer):
            let options = PurchaseOptions(offer: offer.map { .winBack(id: $0) })
            switch try await store.purchase(id, options: options, deliver: { _ in }) {
            case .success(let purchase):
                return purchase.isPreexisting
                    ? .returnedEarlierPurchase(purchase.productID) : .purchased(purchase.productID)
            case .pending(let pending): return .pending(pending.productID)
            case .userCancelled: return .canceled(id)
            }
        case .purchaseWithoutDelivery(let id):
            _ = try await store.purchase(id)
            return nil
        case .restore:
            let outcome = try await store.restore(deliver: { _ in })
            return .restored(outcome.purchases.map(\.productID).sorted())
        case .checkIntroductoryOffer(let group):
            return .introductoryOffer(await store.isEligibleForIntroductoryOffer(inGroup: group))
        case .countUnfinished: return .unfinished(await store.unfinishedTransactions.count)
        }
    }
}
