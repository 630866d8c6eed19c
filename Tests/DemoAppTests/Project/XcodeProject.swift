import Foundation
import TestHarness

/// The sample app's Xcode project and scheme, with everything that they refer to.
struct XcodeProject {
    /// The text of `project.pbxproj`.
    var project: String
    /// The text of the shared scheme.
    var scheme: String
    /// The text of the configuration file with the build settings.
    var settings: String
    /// The paths of the files below `Sources/DemoApp`.
    var files: Set<String>
    /// The text of the package's manifest.
    var manifest: String
    /// The modules that the sources of each folder import.
    var imports: [String: Set<String>]

    init(below root: URL) throws {
        let folder = root.appendingPathComponent("Sources/DemoApp")
        func text(_ path: String) throws -> String {
            try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        }
        project = try text("DemoApp.xcodeproj/project.pbxproj")
        scheme = try text("DemoApp.xcodeproj/xcshareddata/xcschemes/Demo.xcscheme")
        settings = try text("Demo.xcconfig")
        manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        files = Set(paths.filter { !$0.contains(".xcodeproj") && !$0.contains("xcuserdata") })
        imports = [:]
        for path in files where path.hasSuffix(".swift") {
            let lines = try text(path).split(separator: "\n").map { $0.split(separator: " ") }
            let modules = lines.compactMap { $0.count == 2 && $0[0] == "import" ? String($0[1]) : nil }
            imports[String(path.prefix { $0 != "/" }), default: []].formUnion(modules)
        }
    }

    /// Returns everything that is wrong.
    func problems() -> [String] {
        let objects: XcodeObjects
        do {
            objects = try XcodeObjects(project)
        } catch {
            return ["the project isn't a property list: \(error)"]
        }
        return objects.problems() + objects.missingFiles(files) + sourceProblems(objects) + packageProblems(objects)
            + settingProblems(objects) + schemeProblems(objects)
    }

    /// Each source belongs to one target, and the app's folder is the one that the package manager builds.
    private func sourceProblems(_ objects: XcodeObjects) -> [String] {
        let folders = objects.all("PBXFileSystemSynchronizedRootGroup").compactMap { $0.text("path") }
        var problems: [String] = []
        for path in files.sorted() where path.hasSuffix(".swift") {
            if folders.count(where: { path.hasPrefix($0 + "/") }) != 1 { problems.append("\(path) is in no target") }
        }
        for folder in folders where !manifest.contains("path: \"Sources/DemoApp/\(folder)\"") {
            problems.append("the package has no target with the folder \(folder)")
        }
        return problems
    }

    /// The app links the products of the package that its sources import.
    private func packageProblems(_ objects: XcodeObjects) -> [String] {
        let linked = Set(objects.all("XCSwiftPackageProductDependency").compactMap { $0.text("productName") })
        var problems = linked.sorted().filter { !manifest.contains(".library(name: \"\($0)\"") }
            .map { "the package has no product \($0)" }
        // Apple's platforms have their own.
        let modules = imports.values.reduce(into: Set<String>()) { $0.formUnion($1) }.subtracting([
            "StoreKit", "StoreKitTest",
        ])
        for module in modules.sorted() where manifest.contains(".library(name: \"\(module)\"") {
            if !linked.contains(module) { problems.append("\(module) is imported, and isn't linked") }
        }
        for module in linked.subtracting(modules).sorted() {
            problems.append("\(module) is linked, and isn't imported")
        }
        return problems
    }

    /// Every setting that another setting uses is defined, and the oldest systems are the package's.
    private func settingProblems(_ objects: XcodeObjects) -> [String] {
        var values: [String: String] = [:]
        var problems: [String] = []
        for line in settings.split(separator: "\n") where !line.hasPrefix("//") {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            // The name of a setting for one SDK contains an equals sign, too.
            guard parts.count == 2, !parts[0].contains("[") else { continue }
            if values.updateValue(parts[1], forKey: parts[0]) != nil { problems.append("\(parts[0]) is set twice") }
        }
        let apps = objects.all("PBXFileReference").compactMap { $0.text("path") }.filter { $0.hasSuffix(".app") }
        let builtIn: Set = ["TARGET_NAME", "BUILT_PRODUCTS_DIR", "BUNDLE_EXECUTABLE_FOLDER_PATH"]
        for configuration in objects.all("XCBuildConfiguration") {
            let own = configuration.values["buildSettings"] as? [String: Any] ?? [:]
            if let host = own["TEST_HOST"] as? String, !apps.contains(where: { host.contains("/\($0)/") }) {
                problems.append("TEST_HOST isn't the app")
            }
            for (name, value) in own.sorted(by: { $0.key < $1.key }) {
                let used = (value as? String ?? "").split(separator: "$").compactMap { part in
                    part.hasPrefix("(") ? part.dropFirst().prefix { $0 != ")" } : nil
                }
                for setting in used.map(String.init)
                where !builtIn.contains(setting) && own[setting] == nil && values[setting] == nil {
                    problems.append("\(name) uses \(setting), which isn't set")
                }
            }
        }
        let systems = [
            ("iOS", "IPHONEOS_DEPLOYMENT_TARGET"), ("macOS", "MACOSX_DEPLOYMENT_TARGET"),
            ("tvOS", "TVOS_DEPLOYMENT_TARGET"), ("visionOS", "XROS_DEPLOYMENT_TARGET"),
        ]
        for (system, setting) in systems {
            let version = (values[setting] ?? "").replacingOccurrences(of: ".0", with: "")
            if !manifest.contains(".\(system)(.v\(version))") { problems.append("\(setting) isn't the package's") }
        }
        if project.contains("DEVELOPMENT_TEAM") { problems.append("the project has a team") }
        return problems
    }

    /// The scheme builds and tests the targets, and its StoreKit configuration file exists.
    private func schemeProblems(_ objects: XcodeObjects) -> [String] {
        guard let elements = SchemeElements(scheme) else { return ["the scheme isn't XML"] }
        var problems: [String] = []
        for reference in elements.attributes(of: "BuildableReference") {
            let target = objects.object(reference["BlueprintIdentifier"] ?? "")
            let product = target.flatMap { $0.text("productReference") }.flatMap(objects.object)
            if target?.text("name") != reference["BlueprintName"]
                || product?.text("path") != reference["BuildableName"]
                || reference["ReferencedContainer"] != "container:DemoApp.xcodeproj"
            {
                problems.append("the scheme refers to another target than \(reference["BlueprintName"] ?? "its own")")
            }
        }
        let files = elements.attributes(of: "StoreKitConfigurationFileReference").compactMap { $0["identifier"] }
        // Xcode writes the path from the folder `xcshareddata` in the project.
        if files.count != 1
            || !files.allSatisfy({ $0.hasPrefix("../../") && self.files.contains(String($0.dropFirst(6))) })
        {
            problems.append("the scheme's StoreKit configuration file doesn't exist")
        }
        if elements.attributes(of: "TestableReference").isEmpty { problems.append("the scheme has no tests") }
        return problems
    }
}
