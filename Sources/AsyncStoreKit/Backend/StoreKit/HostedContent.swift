#if !os(visionOS)
    import Foundation
    import StoreKit

    extension SKPaymentTransaction {
        /// Whether some hosted content has not come to its end.
        var hasUnfinishedDownloads: Bool {
            downloads.contains { download in
                switch download.state {
                case .finished, .failed, .cancelled: false
                case .waiting, .active, .paused: true
                @unknown default: true
                }
            }
        }
    }

    extension SKProduct {
        /// The sizes in bytes of what the App Store hosts.
        var hostedContentLengths: [Int64] { isDownloadable ? downloadContentLengths.map(\.int64Value) : [] }
    }
#endif
