#if !os(visionOS)
    import AsyncStoreKit
    package import StoreKit

    extension LegacyStore {
        /// See ``SwiftyStoreKit/updatedDownloadsHandler``.
        package var updatedDownloadsHandler: (([SKDownload]) -> Void)? {
            get { handlers.withLock { $0.updatedDownloads }?.handle }
            set {
                let handler = newValue.map { DownloadsHandler(handle: $0) }
                let isFirst = handlers.withLock { handlers in
                    handlers.updatedDownloads = handler
                    return handler != nil && handlers.takeFirst(\.observesDownloads)
                }
                if isFirst { observeDownloads() }
            }
        }

        /// See ``SwiftyStoreKit/start(_:)``.
        package func start(_ downloads: [SKDownload]) { control(.start, downloads) }

        /// See ``SwiftyStoreKit/pause(_:)``.
        package func pause(_ downloads: [SKDownload]) { control(.pause, downloads) }

        /// See ``SwiftyStoreKit/resume(_:)``.
        package func resume(_ downloads: [SKDownload]) { control(.resume, downloads) }

        /// See ``SwiftyStoreKit/cancel(_:)``.
        package func cancel(_ downloads: [SKDownload]) { control(.cancel, downloads) }

        private func control(_ command: DownloadCommand, _ downloads: [SKDownload]) {
            let ids = downloads.compactMap { backend?.downloadID(of: $0) }
            // One call for each transaction, so that a finished transaction doesn't fail the downloads of the others.
            for (_, ids) in Dictionary(grouping: ids, by: \.transaction).sorted(by: { $0.key < $1.key }) {
                core.control(command, ids, logFailure(of: "Downloads (\(command))"))
            }
        }

        /// Observes downloads for the handler that is set when their report reaches the main queue.
        private func observeDownloads() {
            let callback = MainCallback<[SKDownload]> { [weak self] downloads in
                if !downloads.isEmpty { self?.handlers.withLock { $0.updatedDownloads }?.handle(downloads) }
            }
            core.onDownloads { [weak backend] changed, isHandled in
                let batch = DownloadBatch(
                    reported: changed.compactMap { change in
                        backend?.download(for: change.id).map { ($0, change.state) }
                    })
                callback.send({ batch.current }, then: isHandled)
            }
        }
    }
#endif
