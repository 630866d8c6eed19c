package import AppStoreSimulator
public import Foundation

private let timeRemainingUnknown = Protected<TimeInterval>(-1)

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What ``SKDownload/timeRemaining`` is when nobody knows.
@available(iOS, deprecated: 16.0)
public var SKDownloadTimeRemainingUnknown: TimeInterval {
    get { timeRemainingUnknown.current }
    set { timeRemainingUnknown.withLock { $0 = newValue } }
}

/// The download of one file that the App Store hosts for a product.
///
/// A transaction keeps one object for each of its downloads, which changes as the download moves on.
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

    /// The state.
    open var state: SKDownloadState {
        contents.current.download.map { SKDownloadState($0.state) } ?? .waiting
    }

    /// The state.
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

    /// Where the content lies; only when finished, and only until the transaction is finished.
    open var contentURL: URL? {
        contents.current.download?.contentURL
    }

    /// The version of the content.
    open var contentVersion: String {
        contents.current.download?.content.contentVersion ?? ""
    }

    /// Why the download failed; only when it failed.
    open var error: (any Error)? {
        contents.current.download?.error?.foundationError
    }

    /// How much is there, from 0 to 1.
    open var progress: Float {
        contents.current.download?.progress ?? 0
    }

    /// The time still needed in seconds, ``SKDownloadTimeRemainingUnknown`` when nobody knows.
    open var timeRemaining: TimeInterval {
        contents.current.download?.timeRemaining ?? SKDownloadTimeRemainingUnknown
    }

    /// The transaction whose content it is.
    ///
    /// A download does not keep its transaction alive: when nobody else does, an equivalent one comes in its place.
    open var transaction: SKPaymentTransaction {
        let current = contents.current
        return current.transaction ?? current.report.map { SKPaymentTransaction($0) } ?? SKPaymentTransaction()
    }

    /// The download of the simulated queue; `nil` for an object that did not come from it.
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
