import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct XcodeProjectTests {
    private let project: XcodeProject

    init() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        project = try XcodeProject(below: root)
    }

    @Test func `the project, its scheme and its settings are right`() {
        expectEqual(project.problems(), [])
    }

    /// Copies of the project with one mistake, and the problem that the mistake causes.
    struct BrokenCopy: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problem: String
        let mistake: @Sendable (inout XcodeProject) -> Void

        init(_ description: String, _ problem: String, _ mistake: @escaping @Sendable (inout XcodeProject) -> Void) {
            testDescription = description
            self.problem = problem
            self.mistake = mistake
        }
    }

    static let brokenCopies = [
        BrokenCopy("a missing file", "Demo.storekit doesn't exist") { $0.files.remove("Demo.storekit") },
        BrokenCopy("a missing folder", "App doesn't exist") { $0.files.remove("App") },
        BrokenCopy("a source outside the folders", "Other.swift is in no target") { $0.files.insert("Other.swift") },
        BrokenCopy("a wrong reference", "refers to DE0000000000000000000209, which doesn't exist") {
            $0.project = $0.project.replacingOccurrences(
                of: "fileRef = DE0000000000000000000203", with: "fileRef = DE0000000000000000000209")
        },
        BrokenCopy("a reference to another kind of object", "refers to a PBXNativeTarget") {
            $0.project = $0.project.replacingOccurrences(
                of: "productRef = DE0000000000000000000505", with: "productRef = DE0000000000000000000301")
        },
        BrokenCopy("a duplicate identifier", "refers to DE0000000000000000000105, which doesn't exist") {
            $0.project = $0.project.replacingOccurrences(
                of: "DE0000000000000000000105 /* AppReceipt */ = {",
                with: "DE0000000000000000000104 /* AppReceipt */ = {")
        },
        BrokenCopy("an object that nothing uses", "nothing refers to DE0000000000000000000106") {
            $0.project = $0.project.replacingOccurrences(
                of: "DE0000000000000000000106 /* Demo.storekit in Resources */,\n", with: "")
        },
        BrokenCopy("a missing semicolon", "the project isn't a property list") {
            $0.project = $0.project.replacingOccurrences(of: "objectVersion = 77;", with: "objectVersion = 77")
        },
        BrokenCopy("another version of the format", "the version of the format isn't 77") {
            $0.project = $0.project.replacingOccurrences(of: "objectVersion = 77;", with: "objectVersion = 56;")
        },
        BrokenCopy("a product that the package doesn't have", "the package has no product AsyncStore") {
            $0.project = $0.project.replacingOccurrences(
                of: "productName = AsyncStoreKitUI;", with: "productName = AsyncStore;")
        },
        BrokenCopy("a product that isn't linked", "AsyncStoreKitUI is imported, and isn't linked") {
            $0.project = $0.project.replacingOccurrences(
                of: "productName = AsyncStoreKitUI;", with: "productName = SwiftyStoreKit;")
        },
        BrokenCopy("another package", "the package isn't the repository") {
            $0.project = $0.project.replacingOccurrences(of: "relativePath = ../..;", with: "relativePath = ..;")
        },
        BrokenCopy("an undefined setting", "PRODUCT_BUNDLE_IDENTIFIER uses DEMO_BUNDLE_IDENTIFIER") {
            $0.settings = $0.settings.replacingOccurrences(of: "DEMO_BUNDLE_IDENTIFIER =", with: "BUNDLE =")
        },
        BrokenCopy("a setting that is set twice", "SWIFT_VERSION is set twice") {
            $0.settings += "SWIFT_VERSION = 5\n"
        },
        BrokenCopy("another host of the tests", "TEST_HOST isn't the app") {
            $0.project = $0.project.replacingOccurrences(of: "/Demo.app/", with: "/Shop.app/")
        },
        BrokenCopy("another oldest system", "TVOS_DEPLOYMENT_TARGET isn't the package's") {
            $0.settings = $0.settings.replacingOccurrences(
                of: "TVOS_DEPLOYMENT_TARGET = 15.0", with: "TVOS_DEPLOYMENT_TARGET = 16.0")
        },
        BrokenCopy("a team", "the project has a team") {
            $0.project = $0.project.replacingOccurrences(
                of: "ONLY_ACTIVE_ARCH = YES;", with: "ONLY_ACTIVE_ARCH = YES; DEVELOPMENT_TEAM = ABCDE12345;")
        },
        BrokenCopy("a folder that the package doesn't build", "the package has no target with the folder App") {
            $0.manifest = $0.manifest.replacingOccurrences(of: "\"Sources/DemoApp/App\"", with: "\"Sources/DemoApp\"")
        },
        BrokenCopy("a scheme for another target", "the scheme refers to another target than DemoTests") {
            $0.scheme = $0.scheme.replacingOccurrences(
                of: "\"DE0000000000000000000302\"", with: "\"DE0000000000000000000301\"")
        },
        BrokenCopy("a scheme for another file", "the scheme's StoreKit configuration file doesn't exist") {
            $0.scheme = $0.scheme.replacingOccurrences(of: "../../Demo.storekit", with: "../../Shop.storekit")
        },
        BrokenCopy("a scheme that isn't XML", "the scheme isn't XML") {
            $0.scheme = $0.scheme.replacingOccurrences(of: "</LaunchAction>", with: "")
        },
        BrokenCopy("a scheme without tests", "the scheme has no tests") {
            $0.scheme = $0.scheme.replacingOccurrences(of: "TestableReference", with: "OtherReference")
        },
    ]

    @Test(arguments: brokenCopies)
    func `a broken copy is noticed`(copy: BrokenCopy) {
        var broken = project
        copy.mistake(&broken)
        let problems = broken.problems()
        #expect(problems.contains { $0.contains(copy.problem) }, "\(problems)")
    }
}
