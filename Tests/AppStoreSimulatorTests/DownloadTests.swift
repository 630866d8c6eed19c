import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct DownloadTests {
    /// A purchase with hosted content of ten megabytes, which take ten seconds.
    private func bought() throws -> (SimulatedAppStore, SimulatedLaunch, RecordingObserver, SimulatedTransaction) {
        let (store, launch, observer) = SimulatedAppStore.observed(buying: ["level"])
        let transaction = try #require(observer.updates.last)
        observer.forget()
        return (store, launch, observer, transaction)
    }

    @Test func `a purchase has its downloads in the state waiting`() throws {
        let (store, _, observer, transaction) = try bought()
        let download = try #require(transaction.downloads.first)
        expectEqual(transaction.downloads.count, 1)
        expectEqual(download.state, .waiting)
        expectEqual(download.content.contentID, "level.pack")
        expectEqual(download.transactionID, transaction.id)
        expectEqual(download.contentURL, nil)
        store.pass(100)
        #expect(observer.events.isEmpty)
    }

    @Test func `a download follows the clock, and its file exists until the transaction is finished`() throws {
        let (store, launch, observer, transaction) = try bought()
        launch.start(transaction.downloads.map(\.id))
        store.runUntilIdle()
        expectEqual(observer.downloads.map(\.state), [.active])
        expectEqual(observer.downloads.first?.timeRemaining, 10)
        store.pass(5)
        let half = try #require(observer.downloads.last)
        expectEqual(half.progress, 0.5)
        expectEqual(half.timeRemaining, 5)
        expectEqual(half.contentURL, nil)
        store.pass(5)
        let done = try #require(observer.downloads.last)
        expectEqual(done.state, .finished)
        expectEqual(done.progress, 1)
        expectEqual(done.timeRemaining, 0)
        expectEqual(observer.downloads.map(\.progress), observer.downloads.map(\.progress).sorted())
        let url = try #require(done.contentURL)
        #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int == 10_000_000)
        launch.finishTransaction(transaction.id)
        store.runUntilIdle()
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func `the files are deleted with the store`() throws {
        var url: URL?
        do {
            let (store, launch, observer, transaction) = try bought()
            launch.start(transaction.downloads.map(\.id))
            store.pass(10)
            url = observer.downloads.last?.contentURL
            #expect(FileManager.default.fileExists(atPath: try #require(url).path))
        }
        #expect(!FileManager.default.fileExists(atPath: try #require(url).deletingLastPathComponent().path))
    }

    @Test func `a download can be paused, resumed and canceled`() throws {
        let (store, launch, observer, transaction) = try bought()
        let ids = transaction.downloads.map(\.id)
        launch.start(ids)
        store.advance(by: 3)
        launch.pause(ids)
        store.pass(100)
        expectEqual(observer.downloads.last?.state, .paused)
        expectEqual(observer.downloads.last?.progress, 0.3)
        launch.resume(ids)
        store.pass(2)
        expectEqual(observer.downloads.last?.progress, 0.5)
        launch.cancel(ids)
        launch.start(ids)
        store.pass(100)
        expectEqual(observer.downloads.last?.state, .cancelled)
    }

    @Test func `a failed download can be started again`() throws {
        let (store, launch, observer, transaction) = try bought()
        let ids = transaction.downloads.map(\.id)
        launch.start(ids)
        store.advance(by: 3)
        store.failDownload(try #require(ids.first))
        store.runUntilIdle()
        expectEqual(observer.downloads.last?.state, .failed)
        expectEqual(observer.downloads.last?.error, .notConnectedToInternet)
        launch.start(ids)
        store.pass(10)
        expectEqual(observer.downloads.last?.state, .finished)
        expectEqual(observer.downloads.last?.error, nil)
    }

    @Test func `downloads can be started only before the transaction is finished`() throws {
        let (store, launch, observer, transaction) = try bought()
        let id = try #require(transaction.downloads.first?.id)
        launch.finishTransaction(transaction.id)
        store.runUntilIdle()
        observer.forget()
        launch.start([id])
        store.pass(100)
        #expect(observer.events.isEmpty)
        expectEqual(store.misuses, [.downloadNotInQueue(id)])
    }

    @Test func `a download continues in the next launch`() throws {
        let (store, launch, _, transaction) = try bought()
        launch.start(transaction.downloads.map(\.id))
        store.advance(by: 4)
        let next = store.relaunched()
        expectEqual(next.updates.first?.downloads.map(\.state), [.active])
        expectEqual(next.updates.first?.downloads.map(\.progress), [0.4])
        store.pass(6)
        expectEqual(next.downloads.last?.state, .finished)
    }

    @Test func `empty content is downloaded immediately`() throws {
        let store = SimulatedAppStore.stepped()
        store.catalog = SimulatedCatalog(products: [
            SimulatedProduct(
                productID: "empty", kind: .nonConsumable, price: 1,
                hostedContent: [SimulatedHostedContent(contentID: "nil", contentLength: 0)])
        ])
        let observer = RecordingObserver()
        let launch = store.launch(observer)
        launch.buy("empty")
        launch.start(observer.updates.last?.downloads.map(\.id) ?? [])
        store.runUntilIdle()
        expectEqual(observer.downloads.last?.state, .finished)
    }

    @Test func `a restored transaction has downloads again`() {
        let (store, launch, observer) = SimulatedAppStore.observed(owning: ["level"])
        launch.restore()
        expectEqual(observer.updates.map(\.downloads.count), [1])
        launch.start(observer.updates.first?.downloads.map(\.id) ?? [])
        store.pass(10)
        expectEqual(observer.downloads.last?.state, .finished)
    }
}
