#if canImport(SwiftUI) && !os(watchOS)
    import AsyncStoreKit
    import AsyncStoreKitUI
    import Combine
    import Foundation
    import SwiftUI

    /// The app over Apple's StoreKit: the store, and the checklist that watches it.
    @MainActor final class DeviceShop: ObservableObject {
        static let productIDs = ["coins", "pro", "club.monthly", "club.yearly"]

        let model: StoreModel
        @Published private(set) var run: ChecklistRun
        private let storage: ChecklistStorage
        private var watcher: ChecklistWatcher?

        init() {
            let support = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            let folder = (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("Checklist")
            storage = ChecklistStorage(file: folder.appendingPathComponent("results.json"))
            run = storage.run(
                device: "\(PlatformName.device), \(PlatformName.system)", environment: PlatformName.environment)
            var configuration = StoreConfiguration()
            configuration.deliveryLedger = DeliveryLedger()
            configuration.entitlementCache = EntitlementFile()
            let store = PurchaseStore(configuration: configuration)
            model = StoreModel(store)
            watcher = ChecklistWatcher(store) { [weak self] signal in self?.observe(signal) }
            watcher?.start()
        }

        /// Begins a check, and performs the part that the app starts by itself.
        func begin(_ check: ChecklistCheck) {
            run.begin(check, at: Date())
            save()
            guard let action = check.action, let watcher else { return }
            Task { await watcher.perform(action) }
        }

        func mark(_ check: ChecklistCheck, _ result: ChecklistRun.Result) {
            run.mark(check, result)
            save()
        }

        private func observe(_ signal: ChecklistSignal) {
            run.observe(signal, at: Date())
            save()
        }

        private func save() {
            // A result that can't be kept is still in the report of this launch.
            try? storage.save(run)
        }
    }
#endif
