import AppStoreSimulator
package import AsyncStoreKit

extension SimulatedBackend {
    /// Takes over the policies. Nobody asks about price increases here.
    package func apply(_ policies: StorePolicies) {
        observer.state.withLock { $0.policies = policies }
    }

    /// Shows a sheet: recorded in `SimulatedLaunch.presentedSheets`.
    package func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async throws(StoreError) {
        switch sheet {
        case .codeRedemption: launch.presentCodeRedemptionSheet()
        case .priceConsent: launch.showPriceConsentIfNeeded()
        case .subscriptionManagement(let groupID): launch.present(.subscriptionManagement(groupID: groupID))
        case .refundRequest(let transaction):
            guard let id = transaction.id else { throw .unsupported(sheet) }
            launch.present(.refundRequest(transactionID: id))
            try Self.conclude(launch.store.refundRequestEnding)
        case .message(let message): launch.present(.message(reason: message.reason.description))
        }
    }

    /// Does nothing: the simulated queue reports no messages.
    package func startObservingMessages() {}

    /// Throws what the store throws for the end of a refund request.
    private static func conclude(_ ending: SimulatorBehavior.RefundRequestEnding) throws(StoreError) {
        switch ending {
        case .sent: break
        case .userCancelled: throw StoreError(.userCancelled, "The customer did not ask for a refund.")
        case .duplicateRequest: throw StoreError(.duplicateRefundRequest, "The sheet: a refund was requested before.")
        case .failed: throw StoreError(.refundRequestFailed, "The sheet: the refund request failed.")
        }
    }

    /// Starts, halts or withdraws downloads.
    package func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID]) {
        let ids = observer.state.withLock { state in
            downloads.compactMap { id -> SimulatedDownload.ID? in
                guard let known = state.downloads[id.transaction], known.indices.contains(id.index) else { return nil }
                return known[id.index]
            }
        }
        guard !ids.isEmpty else { return }
        switch command {
        case .start: launch.start(ids)
        case .pause: launch.pause(ids)
        case .resume: launch.resume(ids)
        case .cancel: launch.cancel(ids)
        }
    }
}
