#if !os(visionOS)
    import Foundation
    package import StoreKit

    extension SKPaymentTransaction {
        /// The hosted content, in its current state.
        func storeDownloads(of token: TransactionToken) -> [StoreDownload] {
            let downloads = downloads
            guard !downloads.isEmpty else { return [] }
            return downloads.enumerated().map { StoreDownload($1, id: StoreDownload.ID(transaction: token, index: $0)) }
        }
    }

    extension SKProduct {
        var hostedContentLengths: [Int64] { isDownloadable ? downloadContentLengths.map(\.int64Value) : [] }
    }

    extension PaymentQueueObserver {
        func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            send { state in .updatedDownloads(downloads.compactMap { state.download($0) }) }
        }
    }

    extension StoreKit1Backend: HostedContentBackend {
        package var hostedContent: (any HostedContentBackend)? { self }

        /// Starts, pauses, resumes or cancels downloads of the queue.
        package func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID]) {
            let objects = downloads.compactMap { id in
                download(for: id)
            }
            guard !objects.isEmpty else { return }
            switch command {
            case .start: environment.queue.start(objects)
            case .pause: environment.queue.pause(objects)
            case .resume: environment.queue.resume(objects)
            case .cancel: environment.queue.cancel(objects)
            }
        }
    }

    // StoreKit's objects, for the compatibility module.
    extension StoreKit1Backend {
        /// The download; `nil` when its transaction has left the queue.
        package func download(for id: StoreDownload.ID) -> SKDownload? {
            guard let downloads = observer.transaction(for: id.transaction)?.downloads else { return nil }
            return downloads.indices.contains(id.index) ? downloads[id.index] : nil
        }

        /// Names a download; `nil` when its transaction has left the queue.
        package func downloadID(of download: SKDownload) -> StoreDownload.ID? {
            observer.state.withLock { $0.download(download)?.id }
        }
    }

    extension PaymentQueueObserver.State {
        /// The download as a value; `nil` when its transaction has left the queue.
        fileprivate func download(_ download: SKDownload) -> StoreDownload? {
            let transaction = download.transaction
            guard
                let token = queue.knownToken(
                    for: ObjectIdentifier(transaction), transactionID: transaction.transactionIdentifier),
                let siblings = queue.object(for: token)?.downloads,
                let index = siblings.firstIndex(where: { $0 === download })
                    ?? siblings.firstIndex(where: { $0.contentIdentifier == download.contentIdentifier })
            else { return nil }
            return StoreDownload(download, id: StoreDownload.ID(transaction: token, index: index))
        }
    }

    extension StoreDownload {
        fileprivate init(_ download: SKDownload, id: ID) {
            self.init(
                id: id, contentID: download.contentIdentifier, contentVersion: download.contentVersion,
                contentLength: download.expectedContentLength, state: State(download.state),
                fraction: Double(download.progress),
                timeRemaining: download.timeRemaining, contentURL: download.contentURL,
                error: download.error.map {
                    StoreError(storeKitError: $0, during: "The download of \"\(download.contentIdentifier)\"")
                })
        }
    }

    extension StoreDownload.State {
        package init(_ state: SKDownloadState) {
            switch state {
            case .waiting: self = .waiting
            case .active: self = .active
            case .paused: self = .paused
            case .finished: self = .finished
            case .failed: self = .failed
            case .cancelled: self = .cancelled
            @unknown default: self = .waiting
            }
        }
    }
#endif
