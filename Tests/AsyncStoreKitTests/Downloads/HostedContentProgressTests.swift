import AsyncStoreKit
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct HostedContentProgressTests {
    private func progress(_ downloads: (StoreDownload.State, fraction: Double, length: Int64)...)
        -> HostedContentProgress
    {
        let token = TransactionToken(source: 1, serial: 1)
        return HostedContentProgress(
            downloads: downloads.enumerated().map { index, download in
                StoreDownload(
                    id: StoreDownload.ID(transaction: token, index: index), contentID: "\(index)",
                    contentLength: download.length,
                    state: download.0, fraction: download.fraction, timeRemaining: index == 0 ? 7 : -1)
            })
    }

    @Test func `progress uses the sizes of the downloads`() {
        let progress = progress((.finished, 1, 1000), (.active, 0.5, 3000))
        expectEqual(progress.fraction, 0.625)
        expectEqual(progress.bytesReceived, 2500)
        expectEqual(progress.contentLength, 4000)
        expectEqual(progress.state, .active)
    }

    @Test func `invalid sizes and fractions don't trap`() {
        let progress = progress((.active, .nan, .max), (.active, 17, .max), (.paused, -1, -5))
        expectEqual(progress.contentLength, .max)
        expectEqual(progress.bytesReceived, .max)
        #expect((0...1).contains(progress.fraction))
        expectEqual(progress.timeRemaining, nil)
    }

    @Test(arguments: [(0, 0), (7.5, 7.5), (-1, nil), (.nan, nil), (.infinity, nil)] as [(TimeInterval, TimeInterval?)])
    func `the remaining time of a download is known if it's a number of seconds`(
        reported: TimeInterval, expected: TimeInterval?
    ) {
        let download = StoreDownload(
            id: StoreDownload.ID(transaction: TransactionToken(source: 1, serial: 1), index: 0), contentID: "levels",
            contentLength: 1, timeRemaining: reported)
        expectEqual(download.timeRemaining, expected)
    }

    @Test func `progress without downloads is complete`() {
        expectEqual(progress().fraction, 1)
        expectEqual(progress().state, .finished)
        expectEqual(progress().timeRemaining, 0)
    }

    @Test func `progress counts downloads if no size is known`() {
        expectEqual(progress((.active, 0.5, 0), (.waiting, 0, 0)).fraction, 0.25)
    }
}
