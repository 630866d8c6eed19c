import AppStoreSimulator
import CatalogReview
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ProjectReviewTests {
    private static let scheme = "/Projects/App/App.xcodeproj/xcshareddata/xcschemes/App.xcscheme"

    private static func text(_ reference: String) -> String {
        """
        <Scheme version = "1.7">
           <LaunchAction buildConfiguration = "Debug">
              <StoreKitConfigurationFileReference
                 identifier = "\(reference)">
              </StoreKitConfigurationFileReference>
           </LaunchAction>
        </Scheme>
        """
    }

    private func findings(_ scheme: String, files: Set<String>) throws -> [CatalogFinding] {
        try CatalogReview(Data(ReviewedFile.good.utf8), path: "/Projects/App/My & Shop.storekit")
            .findings(scheme: scheme, at: Self.scheme) { files.contains($0) }
    }

    @Test(arguments: [
        "../../My &amp; Shop.storekit", "../My &amp; Shop.storekit", "My &amp; Shop.storekit",
        "container:My &amp; Shop.storekit",
    ])
    func `a reference to the file is found in every form`(reference: String) throws {
        expectEqual(try findings(Self.text(reference), files: ["/Projects/App/My & Shop.storekit"]), [])
    }

    @Test func `a reference to nothing, to another file, and a missing reference are errors`() throws {
        let nothing = try findings(Self.text("../../Old.storekit"), files: ["/Projects/App/My & Shop.storekit"])
        expectEqual(nothing.map(\.rule), [.schemeFile])
        expectEqual(nothing.first?.line, 4)
        #expect(nothing.first?.message.contains("there is no such file") ?? false)
        let other = try findings(Self.text("../../Old.storekit"), files: ["/Projects/App/Old.storekit"])
        #expect(other.first?.message.contains("another file, /Projects/App/Old.storekit") ?? false)
        let none = try findings("<Scheme></Scheme>", files: [])
        #expect(none.first?.message.contains("no StoreKit configuration file") ?? false)
    }

    private static func project(_ type: String, phase: String = "R1") -> String {
        """
        \t\tF1 /* Shop.storekit in Resources */ = {isa = PBXBuildFile; fileRef = F0 /* Shop.storekit */; };
        \t\tT1 /* App */ = {
        \t\t\tisa = PBXNativeTarget;
        \t\t\tbuildPhases = (
        \t\t\t\t\(phase) /* Resources */,
        \t\t\t);
        \t\t\tproductType = "com.apple.product-type.\(type)";
        \t\t};
        \t\tR1 /* Resources */ = {
        \t\t\tisa = PBXResourcesBuildPhase;
        \t\t\tfiles = (
        \t\t\t\tF1 /* Shop.storekit in Resources */,
        \t\t\t);
        \t\t};

        """
    }

    @Test func `the file among the resources of an app is found, and of tests isn't`() throws {
        let review = try ReviewedFile.review()
        func rules(_ project: String) -> [CatalogFinding.Rule] {
            review.findings(project: project, at: "project.pbxproj").map(\.rule)
        }
        expectEqual(rules(Self.project("application")), [.fileInResources])
        expectEqual(rules(Self.project("application.watchapp2")), [.fileInResources])
        expectEqual(rules(Self.project("bundle.unit-test")), [])
        expectEqual(rules(Self.project("application", phase: "R2")), [])
        expectEqual(
            rules(Self.project("application").replacingOccurrences(of: "Shop.storekit", with: "Other.storekit")), [])
    }
}
