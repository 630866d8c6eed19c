import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A process that contains the module twice, and a process in which the store has no customer.
@Suite(.bounded) struct ProcessMarkTests {
    private let appStore = SimulatedAppStore(catalog: .shop)
    private let variable = "AsyncStoreKitTests.\(UUID().uuidString)"
    private let log = Recorder<StoreLogEvent>()
    private let delivered = Recorder<String>()

    private func mark(_ image: String) -> ProcessMark { ProcessMark(name: variable, image: image) }

    /// Creates the store of one copy, over the queue of the process.
    private func store(of image: String, in launch: SimulatedLaunch) -> PurchaseStore {
        let sharing = SharedStoreCore(mark: mark(image)) { _ in SimulatedBackend(launch: launch) }
        let configuration = StoreConfiguration { [log] in log.record($0) }
        let store = PurchaseStore(sharing: sharing, configuration: configuration)
        store.setDelivery { [delivered] request in
            for purchase in request.purchases { delivered.record("\(image) \(purchase.productID)") }
            return .accepted
        }
        return store
    }

    @Test func `the first copy that asks has the queue, and keeps it`() {
        let (app, shop) = (mark("App.app/App"), mark("Shop.framework/Shop"))
        expectEqual(app.claim(), nil)
        let error = shop.claim()
        expectEqual(error?.code, .storeClosed)
        for image in ["App.app/App", "Shop.framework/Shop"] { #expect(error?.message.contains(image) == true) }
        expectEqual(app.claim(), nil)
        expectEqual(shop.claim(), error)
        #expect(!ProcessMark.ownImage.hasPrefix("/"))
        #expect(ProcessMark.ownImage.split(separator: "/").count <= 2)
    }

    @Test func `a purchase is delivered once in a process with two copies, and each call of the second one ends`()
        async throws
    {
        // Approved or renewed outside the app, or in an earlier launch.
        _ = try await PurchaseStore(simulating: appStore).purchase(StoreWorld.coins)
        let launch = appStore.launch()
        let app = store(of: "App.app/App", in: launch)
        let shop = store(of: "Shop.framework/Shop", in: launch)
        let errors = log.elements.filter { $0.level == .error }
        expectEqual(errors.count, 1)
        #expect(errors.first?.message.contains("App.app/App and in Shop.framework/Shop") == true, "\(errors)")
        try await app.settled()
        try await shop.settled()
        expectEqual(delivered.elements, ["App.app/App \(StoreWorld.coins)"])
        await #expect(throws: StoreError.self) { try await shop.purchase(StoreWorld.pro) }
        await #expect(throws: StoreError.self) { try await shop.restore() }
        for await _ in shop.transactions { Issue.record("a transaction of the second copy") }
        expectEqual(try await shop.products(for: [StoreWorld.pro]).products.count, 1)
        expectEqual(delivered.elements.count, 1)
    }

    @Test(arguments: [true, false])
    func `a delivery in the mode observing is a warning, whichever comes first`(isModeFirst: Bool) {
        var store = StoreStateMachine(mode: isModeFirst ? .observing : .finishing)
        store.deliveryInstalled()
        if !isModeFirst { store.setMode(.observing) }
        let warnings = store.perform().logged.filter { $0.level == .warning }
        expectEqual(warnings.count, 1)
        #expect(warnings.first?.message.contains("in the mode observing") == true)
    }
}
