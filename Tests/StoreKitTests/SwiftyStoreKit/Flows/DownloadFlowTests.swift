import AppStoreSimulator
import AsyncStoreKit
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct DownloadFlowTests {
    private let world = LegacyWorld(.storeKit1(because: .hostedContent))

    private func maps(of legacy: LegacyStore, in world: LegacyWorld, atomically: Bool) async throws -> PurchaseDetails {
        try #require(await legacy.buying(LegacyWorld.maps, atomically: atomically).next().success)
    }

    @Test func `the handler receives StoreKit's downloads on the main queue, in the queue's batches`() async throws {
        let legacy = world.launch()
        let answers = Answers<[SKDownload]>()
        legacy.updatedDownloadsHandler = answers.completion()
        let purchase = try await maps(of: legacy, in: world, atomically: false)
        let downloads = purchase.transaction.downloads
        #expect(downloads.count == 2 && purchase.needsFinishTransaction)
        legacy.start(downloads)
        try await world.settle(legacy)
        world.appStore.advance(by: 3600)
        try await world.settle(legacy)
        expectEqual(downloads.map(\.state), [.finished, .finished])
        #expect(answers.cameOnMain)
        #expect(
            answers.all.allSatisfy { batch in batch.allSatisfy { changed in downloads.contains { $0 === changed } } })
        expectEqual(Set(answers.all.flatMap { $0 }.map(\.contentIdentifier)), ["roads", "trails"])
        legacy.finishTransaction(purchase.transaction)
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `downloads are paused, resumed and canceled`() async throws {
        let legacy = world.launch()
        let downloads = try await maps(of: legacy, in: world, atomically: false).transaction.downloads
        legacy.start(downloads)
        try await world.settle(legacy)
        legacy.pause(downloads)
        try await world.settle(legacy)
        expectEqual(downloads.map(\.state), [.paused, .paused])
        legacy.resume([downloads[0]])
        try await world.settle(legacy)
        expectEqual(downloads.map(\.state), [.active, .paused])
        legacy.cancel([downloads[1]])
        try await world.settle(legacy)
        expectEqual(downloads.map(\.state), [.active, .cancelled])
    }

    @Test func `an atomic purchase is finished after its content is downloaded`() async throws {
        let legacy = world.launch()
        let purchase = try await maps(of: legacy, in: world, atomically: true)
        expectEqual(try await world.queue(of: legacy).count, 1)
        legacy.start(purchase.transaction.downloads)
        try await world.settle(legacy)
        expectEqual(try await world.queue(of: legacy).count, 1)
        world.appStore.advance(by: 3600)
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `the handler finds the content of an atomic purchase, even if the main queue is late`() async throws {
        let legacy = world.launch()
        let files = Answers<[Bool]>()
        let found = files.completion()
        legacy.updatedDownloadsHandler = { changed in
            let content = changed.filter { $0.state == .finished }.compactMap(\.contentURL)
            if !content.isEmpty { found(content.map { FileManager.default.fileExists(atPath: $0.path) }) }
        }
        let purchase = try await maps(of: legacy, in: world, atomically: true)
        legacy.start(purchase.transaction.downloads)
        try await world.settle(legacy)
        let hold = MainQueue.hold()
        try await hold.begun()
        world.appStore.advance(by: 3600)
        try await world.appStore.idle()
        _ = try await legacy.store.diagnostics()
        // The report reaches the handler that is set when the main queue is free again.
        let handler = legacy.updatedDownloadsHandler
        legacy.updatedDownloadsHandler = { handler?($0) }
        hold.release()
        try await world.settle(legacy)
        expectEqual(files.all.flatMap { $0 }, [true, true])
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `atomic transactions of completeTransactions are finished after their content is downloaded`()
        async throws
    {
        let legacy = world.launch()
        let answers = Answers<[Purchase]>()
        legacy.completeTransactions(
            completion: answers.completion { batch in legacy.start(batch.flatMap(\.transaction.downloads)) })
        try world.appStore.buyProduct(productID: LegacyWorld.maps)
        try await answers.first(1)
        expectEqual(try await world.queue(of: legacy).count, 1)
        world.appStore.advance(by: 3600)
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `a new handler replaces the former one, and without a handler downloads aren't reported`() async throws {
        let legacy = world.launch()
        let first = Answers<[SKDownload]>()
        let second = Answers<[SKDownload]>()
        legacy.updatedDownloadsHandler = first.completion()
        #expect(legacy.updatedDownloadsHandler != nil)
        legacy.updatedDownloadsHandler = second.completion()
        let downloads = try await maps(of: legacy, in: world, atomically: false).transaction.downloads
        legacy.start(downloads)
        try await world.settle(legacy)
        let count = second.count
        #expect(count > 0)
        // The download is enqueued for the handler when the handler is removed.
        let hold = MainQueue.hold()
        try await hold.begun()
        world.appStore.advance(by: 3600)
        try await world.appStore.idle()
        _ = try await legacy.store.diagnostics()
        legacy.updatedDownloadsHandler = nil
        #expect(legacy.updatedDownloadsHandler == nil)
        hold.release()
        try await world.settle(legacy)
        expectEqual(first.count, 0)
        expectEqual(second.count, count)
        expectEqual(downloads.map(\.state), [.finished, .finished])
    }

    @Test func `downloads of a finished transaction are ignored and don't affect the others`() async throws {
        let legacy = world.launch()
        let old = try await maps(of: legacy, in: world, atomically: false)
        let gone = old.transaction.downloads
        legacy.finishTransaction(old.transaction)
        try await world.settle(legacy)
        let downloads = try await maps(of: legacy, in: world, atomically: false).transaction.downloads
        legacy.start(gone + downloads)
        try await world.settle(legacy)
        expectEqual(downloads.map(\.state), [.active, .active])
        #expect(world.appStore.misuses.isEmpty)
    }
}
