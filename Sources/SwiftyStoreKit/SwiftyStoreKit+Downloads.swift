#if !os(visionOS)
    public import StoreKit

    /// A closure that receives changed downloads.
    public typealias UpdatedDownloadsHandler = (_ downloads: [SKDownload]) -> Void

    extension SwiftyStoreKit {
        /// Receives changed downloads of hosted content on the main queue.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.changes.")
        #endif
        public static var updatedDownloadsHandler: UpdatedDownloadsHandler? {
            get { legacy.updatedDownloadsHandler }
            set { legacy.updatedDownloadsHandler = newValue }
        }

        /// Starts downloads. This function and the next three ignore downloads of finished transactions.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.start(_:).")
        #endif
        public class func start(_ downloads: [SKDownload]) {
            legacy.start(downloads)
        }

        /// Pauses running downloads.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.pause(_:).")
        #endif
        public class func pause(_ downloads: [SKDownload]) {
            legacy.pause(downloads)
        }

        /// Resumes paused downloads.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.resume(_:).")
        #endif
        public class func resume(_ downloads: [SKDownload]) {
            legacy.resume(downloads)
        }

        /// Cancels downloads permanently.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use PurchaseStore.hostedContent.cancel(_:).")
        #endif
        public class func cancel(_ downloads: [SKDownload]) {
            legacy.cancel(downloads)
        }
    }
#endif
