package import AppReceipt
package import Foundation

/// The app whose purchases a process sees, as the bundle of the process describes it.
///
/// Apple's signed texts name the app: in an extension the app that contains the extension, and in a watch app with an
/// iPhone companion the companion.
package struct AppIdentity: Sendable, Hashable {
    /// The entries of a bundle's `Info.plist`.
    package struct BundleInfo: Sendable, Hashable {
        package var bundleID: String?
        /// `WKCompanionAppBundleIdentifier`, the iPhone app of a watch app.
        package var companionBundleID: String?
    }

    /// The location of the receipt, and the kind of system.
    package struct ReceiptPlace: Sendable, Hashable {
        package var url: URL?
        package var isSimulator = false
        package var isiOSAppOnMac = false
    }

    /// The bundle identifier of the app; `nil` if it can't be found.
    package let bundleID: String?
    package let processBundleID: String?
    /// The environment in which the app runs; `nil` if it can't be found.
    package let environment: ReceiptEnvironment?

    package init(
        bundle: URL, info: (URL) -> BundleInfo?, receipt: ReceiptPlace,
        verifiedEnvironment: (URL, _ bundleID: String) -> ReceiptEnvironment?
    ) {
        let own = info(bundle)
        let app = bundle.pathExtension == "appex" ? Self.app(containing: bundle).flatMap(info) : own
        let bundleID = app?.companionBundleID ?? app?.bundleID
        processBundleID = own?.bundleID
        self.bundleID = bundleID
        environment = Self.environment(receipt) { url in bundleID.flatMap { verifiedEnvironment(url, $0) } }
    }

    /// Returns the nearest app around an extension.
    private static func app(containing bundle: URL) -> URL? {
        var folder = bundle.standardizedFileURL
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            if folder.pathExtension == "app" { return folder }
        }
        return nil
    }

    /// Returns the environment. On iOS, tvOS, watchOS and visionOS, the name of the receipt file shows the environment,
    /// even if there is no file. On a Mac, the file always has the same name, and its content shows the environment.
    private static func environment(
        _ place: ReceiptPlace, _ verifiedEnvironment: (URL) -> ReceiptEnvironment?
    ) -> ReceiptEnvironment? {
        guard let url = place.url else { return nil }
        if place.isSimulator || url.lastPathComponent == "sandboxReceipt" { return .sandbox }
        if place.isiOSAppOnMac || url.pathComponents.contains("_MASReceipt") { return verifiedEnvironment(url) }
        return url.lastPathComponent == "receipt" ? .production : nil
    }
}
