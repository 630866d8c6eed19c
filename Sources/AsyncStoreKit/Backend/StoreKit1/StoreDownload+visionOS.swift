#if os(visionOS)
    import StoreKit

    // visionOS came after hosted content had gone.

    extension SKPaymentTransaction {
        func storeDownloads(of token: TransactionToken) -> [StoreDownload] { [] }
    }

    extension SKProduct {
        var hostedContentLengths: [Int64] { [] }
    }

    extension StoreKit1Backend {
        /// Does nothing.
        public func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID]) {}
    }
#endif
