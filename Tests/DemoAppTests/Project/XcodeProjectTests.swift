import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct XcodeProjectTests {
    private let project: XcodeProject

    init() throws {
        project = try XcodeProject(below: DocumentedCode().root)
    }

    @Test func `the project, its scheme and its settings are right`() {
        expectEqual(project.problems(), [])
    }

    /// Copies of the project with one mistake, and the problem that the mistake causes.
    struct BrokenCopy: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mistake: @Sendable (inout XcodeProject) -> Void

        init(_ problem: String, _ mistake: @escaping @Sendable (inout XcodeProject) -> Void) {
            testDescription = problem
            self.mistake = mistake
        }

        /// A copy with another text in one of its files.
        init(
            _ problem: String, _ file: any WritableKeyPath<XcodeProject, String> & Sendable, _ text: String,
            _ other: String
        ) {
            self.init(problem) { $0[keyPath: file] = $0[keyPath: file].replacing(text, with: other) }
        }
    }

    static let brokenCopies = [
        BrokenCopy("Demo.storekit doesn't exist") { $0.files.remove("Demo.storekit") },
        BrokenCopy("App doesn't exist") { $0.files.remove("App") },
        BrokenCopy("Other.swift is in no target") { $0.files.insert("Other.swift") },
        BrokenCopy(
            "refers to DE0000000000000000000209, which doesn't exist", \.project,
            "fileRef = DE0000000000000000000203", "fileRef = DE0000000000000000000209"),
        BrokenCopy(
            "refers to a PBXNativeTarget", \.project,
            "productRef = DE0000000000000000000505", "productRef = DE0000000000000000000301"),
        BrokenCopy(
            "refers to DE0000000000000000000105, which doesn't exist", \.project,
            "DE0000000000000000000105 /* AppReceipt */ = {", "DE0000000000000000000104 /* AppReceipt */ = {"),
        BrokenCopy(
            "nothing refers to DE0000000000000000000106", \.project,
            "DE0000000000000000000106 /* Demo.storekit in Resources */,\n", ""),
        BrokenCopy(
            "the project isn't a property list", \.project, "objectVersion = 77;",
            "objectVersion = 77"),
        BrokenCopy(
            "the version of the format isn't 77", \.project, "objectVersion = 77;",
            "objectVersion = 56;"),
        BrokenCopy(
            "the package has no product AsyncStore", \.project,
            "productName = AsyncStoreKitUI;", "productName = AsyncStore;"),
        BrokenCopy(
            "AsyncStoreKitUI is imported, and isn't linked", \.project,
            "productName = AsyncStoreKitUI;", "productName = SwiftyStoreKit;"),
        BrokenCopy(
            "the package isn't the repository", \.project, "relativePath = ../..;",
            "relativePath = ..;"),
        BrokenCopy(
            "PRODUCT_BUNDLE_IDENTIFIER uses DEMO_BUNDLE_IDENTIFIER", \.settings,
            "DEMO_BUNDLE_IDENTIFIER =", "BUNDLE ="),
        BrokenCopy("SWIFT_VERSION is set twice") {
            $0.settings += "SWIFT_VERSION = 5\n"
        },
        BrokenCopy("TEST_HOST isn't the app", \.project, "/Demo.app/", "/Shop.app/"),
        BrokenCopy(
            "TVOS_DEPLOYMENT_TARGET isn't the package's", \.settings,
            "TVOS_DEPLOYMENT_TARGET = 15.0", "TVOS_DEPLOYMENT_TARGET = 16.0"),
        BrokenCopy(
            "the project has a team", \.project, "ONLY_ACTIVE_ARCH = YES;",
            "ONLY_ACTIVE_ARCH = YES; DEVELOPMENT_TEAM = ABCDE12345;"),
        BrokenCopy(
            "the package has no target with the folder App", \.manifest,
            "\"Sources/DemoApp/App\"", "\"Sources/DemoApp\""),
        BrokenCopy(
            "the scheme refers to another target than DemoTests", \.scheme,
            "\"DE0000000000000000000302\"", "\"DE0000000000000000000301\""),
        BrokenCopy(
            "the scheme's StoreKit configuration file doesn't exist", \.scheme,
            "../../Demo.storekit", "../../Shop.storekit"),
        BrokenCopy("the scheme isn't XML", \.scheme, "</LaunchAction>", ""),
        BrokenCopy("the scheme has no tests", \.scheme, "TestableReference", "OtherReference"),
    ]

    @Test(arguments: brokenCopies)
    func `a broken copy is noticed`(copy: BrokenCopy) {
        var broken = project
        copy.mistake(&broken)
        let problems = broken.problems()
        #expect(problems.contains { $0.contains(copy.testDescription) }, "\(problems)")
    }
}
