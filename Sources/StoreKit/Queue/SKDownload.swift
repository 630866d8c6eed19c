package import AppStoreSimulator
public import Foundation

private let timeRemainingUnknown = Protected<TimeInterval>(-1)

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The value of ``SKDownload/timeRemaining`` for an unknown remaining time.
@available(iOS, deprecated: 16.0)
public var SKDownloadTimeRemainingUnknown: TimeInterval {
    get { timeRemainingUnknown.current }
    set { timeRemainingUnknown.withLock { $0 = newValue } }
}

/// The download of one file that the App Store hosts for a product.
///
/// A transaction keeps one object for each of its downloads and updates that object as the download progresses.
@available(iOS, deprecated: 16.0)
open class SKDownload: NSObject {
    private struct Contents {
        var download: SimulatedDownload?
        var report: SimulatedTransaction?
        weak var transaction: SKPaymentTransaction?
    }

    private let contents = Protected(Contents())

    convenience init(of transaction: SKPaymentTransaction) {
        self.init()
        contents.withLock { $0.transaction = transaction }
    }

    /// The state of the download.
    open var state: SKDownloadState {
        contents.current.download.map { SKDownloadState($0.state) } ?? .waiting
    }

    /// The state of the download.
    @available(iOS, deprecated: 12.0)
    open var downloadState: SKDownloadState {
        state
    }

    /// The size in bytes.
    @available(iOS, deprecated: 13.0)
    open var contentLength: Int64 {
        expectedContentLength
    }

    /// The size in bytes.
    open var expectedContentLength: Int64 {
        contents.current.download?.content.contentLength ?? 0
    }

    /// The identifier of the content.
    open var contentIdentifier: String {
        contents.current.download?.content.contentID ?? ""
    }

    /// The location of the content. Set when the download has finished, and valid until the transaction is finished.
    open var contentURL: URL? {
        contents.current.download?.contentURL
    }

    /// The version of the content.
    open var contentVersion: String {
        contents.current.download?.content.contentVersion ?? ""
    }

    /// The error of a failed download.
    open var error: (any Error)? {
        contents.current.download?.error?.foundationError
    }

    /// The progress, from 0 to 1.
    open var progress: Float {
        contents.current.download?.progress ?? 0
    }

    /// The remaining time in seconds, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval {
        contents.current.download?.timeRemaining ?? SKDownloadTimeRemainingUnknown
    }

    /// The transaction that the download belongs to.
    ///
    /// A download doesn't keep its transaction alive. If the transaction object is gone, this returns an equivalent
    /// object.
    open var transaction: SKPaymentTransaction {
        let current = contents.current
        return current.transaction ?? current.report.map { SKPaymentTransaction($0) } ?? SKPaymentTransaction()
    }

    /// The identifier of the simulator's download; `nil` for an object that the queue didn't create.
    package var entry: SimulatedDownload.ID? {
        contents.current.download?.id
    }

    func update(to download: SimulatedDownload, of report: SimulatedTransaction? = nil) {
        contents.withLock {
            $0.download = download
            $0.report = report ?? $0.report
        }
    }
}
