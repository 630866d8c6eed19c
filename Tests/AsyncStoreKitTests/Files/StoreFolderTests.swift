import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct StoreFolderTests {
    private func path(of app: String, on system: StoreFolder.System) -> String {
        StoreFolder(of: app, on: system).file("Deliveries").path
    }

    private func folder(_ directory: FileManager.SearchPathDirectory) throws -> String {
        try #require(FileManager.default.urls(for: directory, in: .userDomainMask).first).path
    }

    @Test func `each system keeps the files where an app can write, and where no other app does`() throws {
        let (support, caches) = (try folder(.applicationSupportDirectory), try folder(.cachesDirectory))
        let app = "com.example.app"
        for system in StoreFolder.System.allCases {
            let expected =
                switch system {
                case .container: "\(support)/AsyncStoreKit/Deliveries"
                case .caches: "\(caches)/AsyncStoreKit/Deliveries"
                case .shared: "\(support)/com.example.app/AsyncStoreKit/Deliveries"
                }
            expectEqual(path(of: app, on: system), expected)
            expectEqual(path(of: app, on: system) == path(of: "com.example.other", on: system), system != .shared)
        }
        expectEqual(StoreFolder().url, StoreFolder(of: StoreFolder.app, on: .current).url)
        #expect(!StoreFolder.app.isEmpty)
    }

    @Test(arguments: StoreFolder.System.allCases)
    func `the container of an app group has the folder in its library`(system: StoreFolder.System) {
        let container = URL(fileURLWithPath: "/group", isDirectory: true)
        let library = system == .caches ? "Caches" : "Application Support"
        expectEqual(
            StoreFolder(inGroupContainer: container, on: system).file("Entitlements").path,
            "/group/Library/\(library)/AsyncStoreKit/Entitlements")
    }

    @Test func `every file of the package is in this folder by default`() {
        let paidAppUpgrade = PaidAppUpgrade.defaultCache as? EntitlementFile
        for (url, name) in [
            (DeliveryLedger().url, "Deliveries"), (EntitlementFile().url, "Entitlements"),
            (EntitlementFile(appGroup: "").url, "Entitlements"), (paidAppUpgrade?.url, "AppTransaction"),
        ] {
            expectEqual(url, StoreFolder().file(name))
        }
    }

    /// Elsewhere, a file would be in a folder that the system refuses, or that apps share, or a locked device would
    /// refuse the file.
    @Test func `only the folder Files finds places, and creates files`() throws {
        let modules = [
            "AppReceipt/", "AppStoreServer/", "AsyncStoreKit/", "AsyncStoreKitHTTP/", "AsyncStoreKitUI/",
            "SwiftyStoreKit/",
        ]
        let calls = [
            "O_CREAT", "createFile\\(", "\\.write\\(to", "NSHomeDirectory", #"(for: |URL)\.\w+Directory\b"#,
        ]
        let places = try SourceTree.sources.get().places(of: "^(?!\\s*//).*(\(calls.joined(separator: "|")))") { path in
            modules.contains(where: path.hasPrefix)
        }
        #expect(places.count >= 4 && places.allSatisfy { $0.hasPrefix("AsyncStoreKit/Files/") }, "\(places)")
    }
}
