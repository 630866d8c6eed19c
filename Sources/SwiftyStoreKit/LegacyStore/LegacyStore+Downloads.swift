#if !os(visionOS)
    import AsyncStoreKit
    package import StoreKit

    extension LegacyStore {
        /// See ``SwiftyStoreKit/updatedDownloadsHandler``.
        package var updatedDownloadsHandler: (([SKDownload]) -> Void)? {
            get { handlers.withLock { $0.updatedDownloads }?.handle }
            set {
                let handler = newValue.map { DownloadsHandler(id: CallID(), handle: $0) }
                let call = handler.map { subscribe($0) }
                let previous = handlers.withLock { handlers in
                    let previous = handlers.downloadsCall
                    handlers.updatedDownloads = handler
                    handlers.downloadsCall = call
                    return previous
                }
                previous?.cancel()
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

        private func subscribe(_ handler: DownloadsHandler) -> StoreCall {
            let id = handler.id
            let callback = MainCallback<[SKDownload]> { [weak self] downloads in
                // Check again here: drop downloads that were sent before the handler was replaced.
                guard !downloads.isEmpty, let current = self?.handlers.withLock({ $0.updatedDownloads }),
                    current.id == id
                else { return }
                current.handle(downloads)
            }
            return core.onDownloads { [weak backend] changed in
                let batch = DownloadBatch(
                    reported: changed.compactMap { change in
                        backend?.download(for: change.id).map { ($0, change.state) }
                    })
                if !batch.reported.isEmpty { callback.send { batch.current } }
            }
        }
    }
#endif
