import Foundation
import TestHarness
import Testing

/// Compares the privacy manifests with the sources.
@Suite(.bounded) struct PrivacyTests {
    private static let repository = DocumentedCode()
    /// The libraries that a released app links: all but the simulator and the test kit.
    private static let libraries = [
        "AppReceipt", "AppStoreServer", "AsyncStoreKit", "AsyncStoreKitHTTP", "AsyncStoreKitUI", "SwiftyStoreKit",
    ]

    @Test func `every library is either for tests or has a privacy manifest`() throws {
        let manifest = try Self.repository.text(of: "Package.swift")
        let products = manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
        let forTests = ["AsyncStoreKitTesting", "AppStoreSimulator", "CatalogReview", "StoreKit", "StoreKitTest"]
        #expect(Set(products) == Set(Self.libraries + forTests))
        // Where it is not among a target's resources, Apple's tools do not find it.
        let targets = manifest.components(separatedBy: "swiftSettings: settings)").filter {
            $0.contains("resources: privacyManifest")
        }
        #expect(targets.map { $0.firstMatch(of: /name: "(\w+)"/).map { String($0.output.1) } } == Self.libraries)
    }

    @Test(arguments: libraries) func `every library declares that it doesn't track users or collect data`(
        library: String
    ) throws {
        let data = try Data(
            contentsOf: Self.repository.root.appendingPathComponent("Sources/\(library)/PrivacyInfo.xcprivacy"))
        let manifest = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        let lists = ["NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes", "NSPrivacyAccessedAPITypes"]
        for list in lists { #expect((manifest[list] as? [Any])?.isEmpty == true, "\(list)") }
        #expect(Set(manifest.keys) == Set(lists + ["NSPrivacyTracking"]))
    }

    @Test func `no library uses an API for which Apple requires a reason`() throws {
        // Apple's article on required-reason API: file times, boot time, disk space, active keyboards, user defaults.
        let apis = [
            "NSFileCreationDate", "NSFileModificationDate", "fileModificationDate", "contentModificationDateKey",
            "creationDateKey",
            "getattrlist", "fgetattrlist", "getattrlistat", "statfs", "statvfs", "fstatfs", "fstatvfs", "fstat(",
            "lstat(", "fstatat(",
            "systemUptime", "mach_absolute_time", "volumeAvailableCapacity", "systemFreeSize", "NSFileSystemSize",
            "activeInputModes",
            "UserDefaults", "@AppStorage", "@SceneStorage",
        ]
        let sources = Self.repository.files(below: "Sources") { path in
            path.hasSuffix(".swift") && Self.libraries.contains { path.hasPrefix("Sources/\($0)/") }
        }
        #expect(sources.count > 100)
        for source in sources {
            let text = try Self.repository.text(of: source)
            #expect(apis.filter { text.contains($0) } == [], "\(source)")
        }
    }
}
