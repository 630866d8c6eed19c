import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

extension BackendBehavior {
    static let downloads: [BackendBehavior] = [
        .launching(
            "the closure downloads hosted content, whose files exist until it returns", requires: [.hostedContent]
        ) { world, store in
            var sizes: [Int] = []
            var urls: [URL] = []
            try await store.purchase(StoreWorld.maps) { purchase in
                try world.expect(
                    purchase.transaction.downloads.map(\.state), is: [.waiting, .waiting], "the downloads at first")
                urls = try await world.download(purchase, store).compactMap(\.contentURL)
                sizes = try urls.map { try Data(contentsOf: $0).count }
            }
            try world.expect(sizes, is: [1000, 2000], "the sizes of the files")
            try await world.expectFinished(store)
            try world.expect(
                urls.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) },
                "the files outlive the transaction")
        },
        .finishing("a delivered transaction is finished when its last download has ended", requires: [.hostedContent]) {
            world, store in
            try await store.purchase(StoreWorld.maps) {
                try await store.hostedContent.start($0.transaction.downloads)
            }
            try await world.settle(store)
            try world.expect(
                try await store.diagnostics().held.map(\.reason), is: [.downloading], "the reason for holding")
            world.appStore.advance(by: 0.001_5)
            try await world.settle(store)
            try world.expect(
                try await store.diagnostics().held.map(\.reason), is: [.downloading], "with one of two downloaded")
            world.appStore.advance(by: 1)
        },
        .finishing("downloads are paused and resumed, and every change is sent", requires: [.hostedContent]) {
            world, store in
            let changes = StreamListener(store.hostedContent.changes)
            let purchase = try world.success(try await store.purchase(StoreWorld.maps))
            guard let download = purchase.transaction.downloads.first else {
                throw BehaviorViolation(description: "the purchase has no download", line: #line)
            }
            let steps: [(StoreDownload.State, DownloadStep)] = [
                (.active, .start), (.paused, .pause), (.active, .resume), (.cancelled, .cancel),
            ]
            for (state, step) in steps {
                try await step.perform(on: [download], in: store)
                let change = try await world.next(of: changes)
                try world.expect(change.id, is: download.id, "the changed download")
                try world.expect(change.state, is: state, "the state of the download")
            }
            try await world.settle(store)
            try world.expect(
                await store.unfinishedTransactions.map(\.productID), is: [StoreWorld.maps], "unfinished")
            await purchase.finish()
        },
        .finishing("a failed download has an error, and can be started again", requires: [.hostedContent]) {
            world, store in
            let changes = StreamListener(store.hostedContent.changes)
            let purchase = try world.success(try await store.purchase(StoreWorld.maps))
            try await store.hostedContent.start(purchase.transaction.downloads)
            world.appStore.failDownload(SimulatedDownload.ID(rawValue: 1))
            var failed = try await world.next(of: changes)
            while failed.state != .failed { failed = try await world.next(of: changes) }
            try world.expect(failed.error != nil, is: true, "the failed download has an error")
            try await world.settle(store)
            try world.expect(await store.downloadStates, is: [.failed, .active], "after the failure")
            let files = try await world.download(purchase, store).compactMap(\.contentURL)
            try world.expect(files.count, is: 2, "the files")
            await purchase.finish()
        },
        .launching(
            "a transaction with a running download is finished when the download has ended", requires: [.hostedContent]
        ) { world, store in
            let purchase = try world.success(try await store.purchase(StoreWorld.maps))
            try await store.hostedContent.start(purchase.transaction.downloads)
            try await world.settle(store)
            await purchase.finish()
            try await world.settle(store)
            try world.expect(
                world.appStore.allTransactions().allSatisfy { !$0.isFinished }, "finished during the download")
            world.appStore.advance(by: 3_600)
            try await world.expectFinished(store)
            try world.expect(
                world.appStore.allTransactions().allSatisfy { $0.isFinished }, "not finished after the download")
        },
        BackendBehavior("a finished transaction has no downloads", requires: [.hostedContent]) { world in
            let store = world.launch()
            let purchase = try world.success(try await store.purchase(StoreWorld.maps))
            await purchase.finish()
            let downloads = purchase.transaction.downloads
            for step in DownloadStep.allCases {
                try await world.expectError(.transactionFinished) { try await step.perform(on: downloads, in: store) }
            }
            try await world.expectFinished(store)
            let other = world.launch()
            try await world.expectError(.unknownTransaction) { try await other.hostedContent.start(downloads) }
            let unsupported = PurchaseStore(over: UnreachableBackend())
            try await world.expectError(.unsupported) { try await unsupported.hostedContent.start(downloads) }
        },
    ]
}

extension StoreWorld {
    /// Downloads the content of a purchase while the simulated App Store's clock advances. Returns the finished
    /// downloads, in StoreKit's order.
    fileprivate func download(_ purchase: StorePurchase, _ store: PurchaseStore) async throws -> [StoreDownload] {
        let downloads = purchase.transaction.downloads
        let changes = StreamListener(store.hostedContent.changes)
        try await store.hostedContent.start(downloads)
        var finished: [StoreDownload.ID: StoreDownload] = [:]
        while finished.count < downloads.count {
            appStore.advance(by: 1)
            let download = try await next(of: changes)
            if download.state == .finished { finished[download.id] = download }
        }
        return downloads.compactMap { finished[$0.id] }
    }
}

extension PurchaseStore {
    fileprivate var downloadStates: [StoreDownload.State] {
        get async { await unfinishedTransactions.flatMap(\.downloads).map(\.state) }
    }
}

private enum DownloadStep: CaseIterable {
    case start, pause, resume, cancel

    func perform(on downloads: [StoreDownload], in store: PurchaseStore) async throws(StoreError) {
        switch self {
        case .start: try await store.hostedContent.start(downloads)
        case .pause: try await store.hostedContent.pause(downloads)
        case .resume: try await store.hostedContent.resume(downloads)
        case .cancel: try await store.hostedContent.cancel(downloads)
        }
    }
}
