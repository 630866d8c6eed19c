#if !os(visionOS)
    public import StoreKit

    /// Is told how downloads move on.
    public typealias UpdatedDownloadsHandler = (_ downloads: [SKDownload]) -> Void

    extension SwiftyStoreKit {
        /// Is told on the main queue how downloads of hosted content move on.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.changes.")
        #endif
        public static var updatedDownloadsHandler: UpdatedDownloadsHandler? {
            get { legacy.updatedDownloadsHandler }
            set { legacy.updatedDownloadsHandler = newValue }
        }

        /// Starts downloads. Those of transactions that are finished are left alone, here and in the other three functions.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.start(_:).")
        #endif
        public class func start(_ downloads: [SKDownload]) {
            legacy.start(downloads)
        }

        /// Halts downloads that run.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.pause(_:).")
        #endif
        public class func pause(_ downloads: [SKDownload]) {
            legacy.pause(downloads)
        }

        /// Lets downloads go on that were halted.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.resume(_:).")
        #endif
        public class func resume(_ downloads: [SKDownload]) {
            legacy.resume(downloads)
        }

        /// Withdraws downloads for good.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.cancel(_:).")
        #endif
        public class func cancel(_ downloads: [SKDownload]) {
            legacy.cancel(downloads)
        }
    }
#endif
