import AppStoreSimulator
import AsyncStoreKit
import Foundation

extension BackendBehavior {
    static let downloads: [BackendBehavior] = [
        BackendBehavior(
            "the closure downloads hosted content, whose files exist until it returns", requires: [.hostedContent]
        ) { world in
            let store = world.launch()
            var sizes: [Int] = []
            var fractions: [Double] = []
            var urls: [URL] = []
            try await store.purchase(BehaviorWorld.maps) { purchase in
                try world.expect(
                    purchase.transaction.downloads.map(\.state), is: [.waiting, .waiting], "the downloads at first")
                for try await progress in store.hostedContent.content(of: purchase) {
                    fractions.append(progress.fraction)
                    try world.expect(progress.contentLength, is: 3000, "the bytes expected")
                    urls = progress.localURLs
                    world.appStore.advance(by: 0.000_5)
                }
                sizes = try urls.map { try Data(contentsOf: $0).count }
            }
            try world.expect(sizes, is: [1000, 2000], "the sizes of the files")
            try world.expect(fractions, is: fractions.sorted(), "the progress")
            try world.expect(fractions.last, is: 1, "the progress at last")
            try await world.expectFinished(store)
            try world.expect(
                urls.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) },
                "the files outlive the transaction")
        },
        BackendBehavior(
            "a delivered transaction is finished when its last download has ended", requires: [.hostedContent]
        ) { world in
            let store = world.launch()
            try await store.purchase(BehaviorWorld.maps) {
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
            try await world.expectFinished(store)
        },
        BackendBehavior(
            "downloads are paused and resumed, and every change is sent", requires: [.hostedContent]
        ) { world in
            let store = world.launch()
            let changes = StreamListener(store.hostedContent.changes)
            let purchase = try world.success(try await store.purchase(BehaviorWorld.maps))
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
                await store.unfinishedTransactions.map(\.productID), is: [BehaviorWorld.maps], "unfinished")
            await purchase.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior("a failed download is a typed error and can be repeated", requires: [.hostedContent]) { world in
            let store = world.launch()
            let purchase = try world.success(try await store.purchase(BehaviorWorld.maps))
            try await world.expectError(.downloadFailed) {
                for try await progress in store.hostedContent.content(of: purchase) where progress.state == .active {
                    world.appStore.failDownload(SimulatedDownload.ID(rawValue: 1))
                    world.appStore.advance(by: 1)
                }
            }
            let last = try await world.download(purchase, store)
            try world.expect(last?.localURLs.count, is: 2, "the files")
            await purchase.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior(
            "canceling the task cancels the downloads, leaving the loop doesn't", requires: [.hostedContent]
        ) { world in
            let store = world.launch()
            let purchase = try world.success(try await store.purchase(BehaviorWorld.maps))
            for try await progress in store.hostedContent.content(of: purchase) where progress.state == .active {
                break
            }
            try await world.settle(store)
            try world.expect(await store.downloadStates, is: [.active, .active], "after leaving the loop")
            let changes = StreamListener(store.hostedContent.changes)
            let loop = Task {
                for try await _ in store.hostedContent.content(of: purchase) {}
            }
            loop.cancel()
            try await world.expectError(.taskCancelled) { try await loop.value }
            for _ in 0..<2 {
                try world.expect(try await world.next(of: changes).state, is: .cancelled, "after canceling the task")
            }
            try await world.expectError(.downloadCancelled) { _ = try await world.download(purchase, store) }
            await purchase.finish()
            try await world.expectFinished(store)
        },
        BackendBehavior(
            "a transaction with a running download is finished when the download has ended", requires: [.hostedContent]
        ) { world in
            let store = world.launch()
            let purchase = try world.success(try await store.purchase(BehaviorWorld.maps))
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
            let purchase = try world.success(try await store.purchase(BehaviorWorld.maps))
            await purchase.finish()
            let downloads = purchase.transaction.downloads
            for step in DownloadStep.allCases {
                try await world.expectError(.transactionFinished) { try await step.perform(on: downloads, in: store) }
            }
            try await world.expectError(.transactionFinished) { _ = try await world.download(purchase, store) }
            try await world.expectFinished(store)
            let other = PurchaseStore(over: UnreachableBackend())
            try await world.expectError(.unknownTransaction) { try await other.hostedContent.start(downloads) }
        },
        BackendBehavior(
            "the download of a purchase without hosted content is complete", requires: [.hostedContent]
        ) { world in
            let store = world.launch()
            let purchase = try world.success(try await store.purchase(BehaviorWorld.pro))
            var count = 0
            for try await progress in store.hostedContent.content(of: purchase) {
                count += 1
                try world.expect(progress.state, is: .finished, "the state")
                try world.expect(progress.fraction, is: 1, "the fraction")
            }
            try world.expect(count, is: 1, "the number of progress values")
            await purchase.finish()
        },
    ]
}

extension BehaviorWorld {
    /// Downloads the content of a purchase and advances the simulated App Store's clock.
    fileprivate func download(_ purchase: StorePurchase, _ store: PurchaseStore) async throws -> HostedContentProgress?
    {
        var last: HostedContentProgress?
        for try await progress in store.hostedContent.content(of: purchase) {
            last = progress
            appStore.advance(by: 1)
        }
        return last
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
