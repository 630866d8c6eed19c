#if canImport(Darwin)
    import AppReceipt
    import Foundation

    extension AppIdentity {
        private static let known = Locked<AppIdentity?>(nil)

        /// The app of this process. Each access looks again for values that weren't found.
        package static var current: AppIdentity {
            if let known = known.withLock({ $0 }) { return known }
            let process = ProcessInfo.processInfo
            let app = AppIdentity(
                bundle: Bundle.main.bundleURL, info: { Bundle(url: $0).map(BundleInfo.init) },
                receipt: ReceiptPlace(
                    url: Bundle.main.appStoreReceiptURL, isSimulator: process.environment["SIMULATOR_UDID"] != nil,
                    isiOSAppOnMac: process.isiOSAppOnMac),
                verifiedEnvironment: { url, bundleID in
                    let verifier = LocalReceiptVerifier(
                        bundleID: .exactly(bundleID), environment: nil, device: nil)
                    return (try? Data(contentsOf: url)).flatMap { data in try? verifier.verify(data).environment }
                })
            if app.bundleID != nil, app.environment != nil { known.withLock { $0 = app } }
            return app
        }
    }

    extension AppIdentity.BundleInfo {
        fileprivate init(_ bundle: Bundle) {
            self.init(
                bundleID: bundle.bundleIdentifier,
                companionBundleID: bundle.object(forInfoDictionaryKey: "WKCompanionAppBundleIdentifier") as? String)
        }
    }
#endif
