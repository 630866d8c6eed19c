// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

// Apple's platforms bring CryptoKit and Security; elsewhere receipts are verified with primitives of this package's
// own.
let withoutCryptoKit: [Platform] = [.linux, .android, .windows, .wasi, .openbsd]

// Apple's tools look for a library's privacy manifest among its resources. Elsewhere nobody does.
#if canImport(Darwin)
    let privacyManifest: [Resource] = [.process("PrivacyInfo.xcprivacy")]
    let excluded: [String] = []
    let sessions: [Target.Dependency] = []
#else
    let privacyManifest: [Resource] = []
    let excluded = ["PrivacyInfo.xcprivacy"]
    // What Apple's platforms bring: StoreKit Test, and StoreKit underneath.
    let sessions: [Target.Dependency] = ["StoreKit", "StoreKitTest"]
#endif

let legacyClientMode: SwiftLanguageMode = Context.environment["LEGACY_CLIENT_LANGUAGE_MODE"] == "6" ? .v6 : .v5

// The settings of apps that use this package. Xcode creates apps with all settings of the default case.
let approachable = [
    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferIsolatedConformances",
    "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
].map { SwiftSetting.enableUpcomingFeature($0) }
let clientSettings: [SwiftSetting] =
    switch Context.environment["CLIENT_MODE"] {
    case "5": [.swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency")]
    case "6": [.swiftLanguageMode(.v6)]
    case "6-main-actor": [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]
    case "6-approachable": [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
    default: [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)] + approachable
    }

let package = Package(
    name: "AsyncStoreKit",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1), .macCatalyst(.v15)],
    products: [
        .library(name: "AsyncStoreKit", targets: ["AsyncStoreKit"]),
        .library(name: "AsyncStoreKitHTTP", targets: ["AsyncStoreKitHTTP"]),
        .library(name: "AsyncStoreKitUI", targets: ["AsyncStoreKitUI"]),
        .library(name: "SwiftyStoreKit", targets: ["SwiftyStoreKit"]),
        .library(name: "AsyncStoreKitTesting", targets: ["AsyncStoreKitTesting"]),
        .library(name: "AppReceipt", targets: ["AppReceipt"]),
        .library(name: "AppStoreServer", targets: ["AppStoreServer"]),
        .library(name: "AppStoreSimulator", targets: ["AppStoreSimulator"]),
        .library(name: "CatalogReview", targets: ["CatalogReview"]),
        .executable(name: "store", targets: ["store"]),
    ],
    traits: [
        .trait(name: "QuietLegacy", description: "Leaves out the deprecation warnings of module SwiftyStoreKit.")
    ],
    targets: [
        .target(name: "ReceiptCryptography", swiftSettings: settings),
        .target(name: "AppStoreSimulator", dependencies: ["ReceiptCryptography"], swiftSettings: settings),
        // Apart from `AppStoreSimulator`, because tests and previews of purchases don't need the review.
        .target(name: "CatalogReview", dependencies: ["AppStoreSimulator", "AppReceipt"], swiftSettings: settings),
        .target(
            name: "AppReceipt",
            dependencies: [.target(name: "ReceiptCryptography", condition: .when(platforms: withoutCryptoKit))],
            exclude: excluded, resources: privacyManifest, swiftSettings: settings),
        // Apart from `AppReceipt`, because a linker strips no public or package declaration from an app.
        .target(
            name: "AppStoreServer", dependencies: ["AppReceipt"], exclude: excluded, resources: privacyManifest,
            swiftSettings: settings),
        // The texts that customers read, a file for each language except English. They are copied as they are, on every
        // platform.
        .target(
            name: "AsyncStoreKit", dependencies: ["AppReceipt"], exclude: excluded,
            resources: privacyManifest + [.copy("Texts/Localizations")], swiftSettings: settings),
        .target(
            name: "AsyncStoreKitHTTP", dependencies: ["AsyncStoreKit", "AppReceipt"], exclude: excluded,
            resources: privacyManifest, swiftSettings: settings),
        // Where there is no SwiftUI, only what its views decide is left, for the tests.
        .target(
            name: "AsyncStoreKitUI", dependencies: ["AsyncStoreKit", "AppReceipt"], exclude: excluded,
            resources: privacyManifest,
            swiftSettings: settings),
        .target(
            name: "AsyncStoreKitTesting",
            dependencies: ["AsyncStoreKit", "AppReceipt", "AppStoreServer", "AppStoreSimulator"],
            swiftSettings: settings),
        .target(
            name: "SwiftyStoreKit", dependencies: ["AsyncStoreKit", "AppReceipt", "AppStoreServer"], exclude: excluded,
            resources: privacyManifest,
            swiftSettings: settings),
        .executableTarget(
            name: "store",
            dependencies: [
                "AsyncStoreKit", "AsyncStoreKitHTTP", "AsyncStoreKitTesting", "AppReceipt", "AppStoreServer",
                "AppStoreSimulator", "CatalogReview",
            ],
            resources: [.embedInCode("Resources/Demo.storekit")], swiftSettings: settings),
        // The sample app, which `Sources/DemoApp/DemoApp.xcodeproj` builds for every platform. Where there is no
        // SwiftUI, only its checklist is left, for the tests.
        .executableTarget(
            name: "DemoApp",
            dependencies: [
                "AsyncStoreKit", "AsyncStoreKitUI", "AsyncStoreKitTesting", "AppStoreSimulator", "AppReceipt",
            ],
            path: "Sources/DemoApp/App", exclude: ["de.lproj"], swiftSettings: settings),
        // The tests that Xcode runs in the sample app, over Apple's StoreKit Test. On Linux, they run over this package's,
        // each engine in a process of its own. Without package access, because the Xcode project has none.
        .testTarget(
            name: "HostedTests",
            dependencies: ["AsyncStoreKit", "AsyncStoreKitTesting", "AppStoreSimulator"] + sessions,
            path: "Sources/DemoApp/HostedTests", packageAccess: false, swiftSettings: settings),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "AsyncStoreKit", "AsyncStoreKitTesting", "SwiftyStoreKit", "AppReceipt", "AppStoreServer",
                "AppStoreSimulator",
            ],
            swiftSettings: settings),
        // Every test is bounded, and other programs are run, with what is in here. A regular target, like `Support`,
        // because Xcode's build system can't link a test target into another one.
        .target(name: "TestHarness", path: "Tests/TestHarness", swiftSettings: settings),
        // An HTTP server on this machine, with prepared answers.
        .target(name: "LoopbackHTTP", path: "Tests/LoopbackHTTP", swiftSettings: settings),
        .target(
            name: "Support",
            dependencies: [
                "AsyncStoreKit", "AsyncStoreKitHTTP", "AsyncStoreKitTesting", "AppStoreSimulator", "SwiftyStoreKit",
                "AppReceipt",
            ],
            path: "Tests/Support", swiftSettings: settings),
        // Receipts and signed data, valid or modified in a part, for the tests that verify them.
        .target(
            name: "ReceiptTestFixtures", dependencies: ["AppReceipt", "AppStoreSimulator", "ReceiptCryptography"],
            path: "Tests/ReceiptTestFixtures", swiftSettings: settings),
        // A process of its own for the tests: an app that is killed while it delivers.
        .executableTarget(
            name: "CrashingApp", dependencies: ["AsyncStoreKit", "AsyncStoreKitTesting", "AppStoreSimulator"],
            path: "Tests/CrashingApp", swiftSettings: settings),
        // A process of its own for the tests: a server that reads hostile input.
        .executableTarget(
            name: "HostileReader", dependencies: ["AppReceipt", "AppStoreServer"], path: "Tests/HostileReader",
            swiftSettings: settings),
        .testTarget(
            name: "AppStoreSimulatorTests", dependencies: ["AppStoreSimulator", "TestHarness"], swiftSettings: settings),
        .testTarget(
            name: "CatalogReviewTests", dependencies: ["CatalogReview", "AppStoreSimulator", "TestHarness"],
            swiftSettings: settings),
        .testTarget(
            name: "ReceiptCryptographyTests",
            dependencies: ["ReceiptCryptography", "AppStoreSimulator", "TestHarness"],
            swiftSettings: settings),
        .testTarget(
            name: "AppReceiptTests",
            dependencies: [
                "HostileReader", "AppReceipt", "AppStoreServer", "AppStoreSimulator", "ReceiptCryptography",
                "ReceiptTestFixtures", "TestHarness",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AppStoreServerTests",
            dependencies: [
                "AppStoreServer", "AppReceipt", "AppStoreSimulator", "AsyncStoreKit", "AsyncStoreKitHTTP",
                "AsyncStoreKitTesting", "ReceiptCryptography", "ReceiptTestFixtures", "LoopbackHTTP", "Support",
                "TestHarness",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AsyncStoreKitTests",
            dependencies: [
                "CrashingApp", "AsyncStoreKit", "AsyncStoreKitTesting", "AppStoreSimulator", "AppReceipt",
                "AppStoreServer",
                "LoopbackHTTP", "Support",
                "TestHarness",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AsyncStoreKitHTTPTests",
            dependencies: [
                "AsyncStoreKitHTTP", "AsyncStoreKit", "AsyncStoreKitTesting", "AppStoreSimulator", "AppReceipt",
                "LoopbackHTTP", "Support", "TestHarness",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AsyncStoreKitUITests",
            dependencies: [
                "AsyncStoreKitUI", "AsyncStoreKit", "AsyncStoreKitTesting", "AppStoreSimulator", "AppReceipt",
                "TestHarness",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SwiftyStoreKitTests",
            dependencies: [
                "SwiftyStoreKit", "AsyncStoreKit", "AsyncStoreKitTesting", "AppStoreSimulator", "AppReceipt",
                "AppStoreServer",
                "LoopbackHTTP", "Support",
                "TestHarness",
            ],
            swiftSettings: settings),
        // An app's own code in one of the modes above.
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "AsyncStoreKit", "AsyncStoreKitUI", "AsyncStoreKitTesting", "AppStoreSimulator", "AppReceipt",
                "AppStoreServer", "TestHarness",
            ],
            swiftSettings: clientSettings),
        // A client of the old API as it is, without this package's settings. Its language mode is 5, or what the
        // variable says.
        .testTarget(
            name: "LegacyClientTests", dependencies: ["SwiftyStoreKit", "TestHarness"],
            swiftSettings: [.swiftLanguageMode(legacyClientMode)]),
        .testTarget(
            name: "MigrationTests",
            dependencies: [
                "SwiftyStoreKit", "AsyncStoreKit", "AsyncStoreKitTesting", "AppStoreSimulator", "AppReceipt", "Support",
                "TestHarness",
            ],
            swiftSettings: settings),
        // Written from the documentation alone: an app's model, its tests, and what people ask of a store.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "AsyncStoreKit", "AsyncStoreKitHTTP", "AsyncStoreKitTesting", "AppStoreSimulator", "CatalogReview",
                "AppReceipt",
                "AppStoreServer", "Support", "TestHarness",
            ],
            swiftSettings: settings),
        // Tests of the sample app: its Xcode project, and its checklist.
        .testTarget(
            name: "DemoAppTests",
            dependencies: ["DemoApp", "AsyncStoreKit", "AsyncStoreKitTesting", "AppStoreSimulator", "TestHarness"],
            swiftSettings: settings),
        .testTarget(
            name: "StoreCommandTests", dependencies: ["store", "Support", "TestHarness"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// Apple's platforms bring StoreKit; everywhere else this package does, over the simulated App Store.
#if !canImport(Darwin)
    package.targets += [
        .target(name: "StoreKit", dependencies: ["AppStoreSimulator"], swiftSettings: settings),
        // Apple's StoreKit Test over the simulated App Store, for tests that were written for Xcode.
        .target(name: "StoreKitTest", dependencies: ["StoreKit", "AppStoreSimulator"], swiftSettings: settings),
        // A process of its own for a test: a tool whose main thread has no run loop.
        .executableTarget(
            name: "ParkedMainThread",
            dependencies: ["StoreKit", "AppStoreSimulator", "AsyncStoreKit", "SwiftyStoreKit"],
            path: "Tests/ParkedMainThread", swiftSettings: settings),
        // Tests of that module, and of the others as they run over it.
        .testTarget(
            name: "StoreKitTests",
            dependencies: [
                "ParkedMainThread", "StoreKit", "StoreKitTest", "AppStoreSimulator", "AsyncStoreKit",
                "AsyncStoreKitTesting", "AppReceipt", "AppStoreServer",
                "SwiftyStoreKit", "LoopbackHTTP", "Support", "TestHarness",
            ], exclude: ["Declarations/Apple"],
            swiftSettings: settings),
        .testTarget(
            name: "StoreKitTestTests",
            dependencies: ["StoreKitTest", "StoreKit", "AppStoreSimulator", "TestHarness"],
            resources: [.copy("Resources/Session.storekit")], swiftSettings: settings),
    ]
    package.targets.append(
        // An app's own code for StoreKit 2, without this package's settings: it knows nothing of it but the simulator's
        // controls.
        .testTarget(name: "StoreKit2ClientTests", dependencies: ["StoreKit", "AppStoreSimulator", "TestHarness"]))
    package.products += [
        .library(name: "StoreKit", targets: ["StoreKit"]), .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
    ]
    let overStoreKit = [
        "AsyncStoreKit", "SwiftyStoreKit", "AsyncStoreKitTests", "SwiftyStoreKitTests", "LegacyClientTests",
        "MigrationTests",
        "Support", "Benchmarks", "DocumentationTests",
    ]
    for target in package.targets where overStoreKit.contains(target.name) {
        target.dependencies.append("StoreKit")
        if target.name == "AsyncStoreKit" { target.dependencies.append("AppStoreSimulator") }
    }
#endif

// One change rebuilds all tests, because SwiftPM links them into one program. To build some of them, name their targets:
// `TEST_TARGETS=AppStoreSimulatorTests swift test`.
if let names = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.isTest && !names.contains($0.name) }
}
