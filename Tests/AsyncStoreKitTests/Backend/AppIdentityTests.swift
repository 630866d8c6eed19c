import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The app and the environment of a process.
@Suite(.bounded) struct AppIdentityTests {
    typealias BundleInfo = AppIdentity.BundleInfo

    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bundle: String
        let bundles: [String: BundleInfo]
        let app: String?
        let process: String?
    }

    private static let phone = ["/A/Phone.app": BundleInfo(bundleID: "com.example.app")]

    static let places: [Place] = [
        Place(
            testDescription: "an app", bundle: "/A/Phone.app", bundles: phone, app: "com.example.app",
            process: "com.example.app"),
        Place(
            testDescription: "an extension on iOS", bundle: "/A/Phone.app/PlugIns/Widget.appex",
            bundles: phone.merging(["/A/Phone.app/PlugIns/Widget.appex": BundleInfo(bundleID: "com.example.app.widget")]
            ) { $1 },
            app: "com.example.app", process: "com.example.app.widget"),
        Place(
            testDescription: "an extension on a Mac", bundle: "/A/Mac.app/Contents/PlugIns/Widget.appex",
            bundles: [
                "/A/Mac.app": BundleInfo(bundleID: "com.example.mac"),
                "/A/Mac.app/Contents/PlugIns/Widget.appex": BundleInfo(bundleID: "com.example.mac.widget"),
            ], app: "com.example.mac", process: "com.example.mac.widget"),
        Place(
            testDescription: "a watch app with a companion", bundle: "/A/Phone.app/Watch/Watch.app",
            bundles: phone.merging([
                "/A/Phone.app/Watch/Watch.app": BundleInfo(
                    bundleID: "com.example.app.watch", companionBundleID: "com.example.app")
            ]) { $1 }, app: "com.example.app", process: "com.example.app.watch"),
        Place(
            testDescription: "an extension of a watch app", bundle: "/A/Watch.app/PlugIns/Face.appex",
            bundles: [
                "/A/Watch.app": BundleInfo(bundleID: "com.example.app.watch", companionBundleID: "com.example.app"),
                "/A/Watch.app/PlugIns/Face.appex": BundleInfo(bundleID: "com.example.app.watch.face"),
            ], app: "com.example.app", process: "com.example.app.watch.face"),
        Place(
            testDescription: "an extension without an app", bundle: "/A/Widget.appex",
            bundles: ["/A/Widget.appex": BundleInfo(bundleID: "com.example.app.widget")], app: nil,
            process: "com.example.app.widget"),
        Place(
            testDescription: "a process without an identifier", bundle: "/usr/bin", bundles: [:], app: nil, process: nil
        ),
    ]

    @Test(arguments: places) func `the app of a process is the one that contains its bundle, or the companion`(
        place: Place
    ) {
        let app = AppIdentity(
            bundle: URL(fileURLWithPath: place.bundle, isDirectory: true),
            info: { place.bundles[$0.standardizedFileURL.path] },
            receipt: AppIdentity.ReceiptPlace(url: nil), verifiedEnvironment: { _, _ in nil })
        expectEqual(app.bundleID, place.app)
        expectEqual(app.processBundleID, place.process)
        let trust = HistoryTrust(app)
        #expect(trust.bundleID == place.app && trust.given(app: "com.example.given").bundleID == "com.example.given")
    }

    @Test func `the environment is in the name of the receipt, and on a Mac in the receipt itself`() {
        let mac = "/A/Mac.app/Contents/_MASReceipt/receipt"
        let cases: [(AppIdentity.ReceiptPlace, ReceiptEnvironment?, ReceiptEnvironment?)] = [
            (.init(url: URL(fileURLWithPath: "/A/StoreKit/receipt")), nil, .production),
            (.init(url: URL(fileURLWithPath: "/A/StoreKit/sandboxReceipt")), nil, .sandbox),
            (.init(url: URL(fileURLWithPath: "/A/StoreKit/receipt"), isSimulator: true), nil, .sandbox),
            (.init(url: URL(fileURLWithPath: "/A/StoreKit/other")), .sandbox, nil),
            (.init(url: nil), .sandbox, nil),
            (.init(url: URL(fileURLWithPath: mac)), .sandbox, .sandbox),
            (.init(url: URL(fileURLWithPath: mac)), .production, .production),
            (.init(url: URL(fileURLWithPath: mac)), nil, nil),
            (.init(url: URL(fileURLWithPath: "/A/StoreKit/receipt"), isiOSAppOnMac: true), .sandbox, .sandbox),
        ]
        for (place, inReceipt, environment) in cases {
            let app = AppIdentity(
                bundle: URL(fileURLWithPath: "/A/App.app"), info: { _ in BundleInfo(bundleID: "com.example.app") },
                receipt: place,
                verifiedEnvironment: { _, bundleID in bundleID == "com.example.app" ? inReceipt : nil })
            #expect(app.environment == environment, "\(place)")
        }
    }

    /// An environment whose app is in production.
    private struct InProduction: RelayEnvironment {
        let next: any StoreKit2Environment
        let trust = HistoryTrust(bundleID: "com.example.app", environment: .production)
    }

    @Test
    func `an app transaction that the app has requested determines the environment, and nothing else requests it`()
        async throws
    {
        var behavior = SimulatorBehavior()
        behavior.appTransactionAsksToSignIn = true
        let appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(products: SimulatedCatalog.club.products, behavior: behavior))
        let backend = StoreKit2Backend(environment: InProduction(next: SimulatedStoreKit2(appStore.launch())))
        expectEqual(await backend.historyTrust.environment, .production)
        expectEqual(appStore.appTransactionSignInCount, 0)
        _ = try await backend.appTransaction()
        expectEqual(await backend.historyTrust.environment, .sandbox)
        expectEqual(appStore.appTransactionSignInCount, 1)
    }
}
