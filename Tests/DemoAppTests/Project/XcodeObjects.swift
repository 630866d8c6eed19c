import Foundation

/// The objects of an Xcode project, by identifier.
struct XcodeObjects {
    struct Object {
        let id: String
        let values: [String: Any]

        var isa: String { text("isa") ?? "" }
        func text(_ key: String) -> String? { values[key] as? String }
        /// The value of a key, or the values of its list.
        func texts(_ key: String) -> [String] { values[key] as? [String] ?? text(key).map { [$0] } ?? [] }
    }

    private let objects: [String: Object]
    private let root: String?
    private let version: String?

    /// The keys that refer to an object, or to a list of objects.
    private static let references: Set = [
        "baseConfigurationReference", "buildConfigurationList", "buildConfigurations", "buildPhases", "children",
        "containerPortal", "dependencies", "fileRef", "fileSystemSynchronizedGroups", "files", "mainGroup",
        "packageProductDependencies", "packageReferences", "productRef", "productRefGroup", "productReference",
        "remoteGlobalIDString", "target", "targetProxy", "targets",
    ]

    init(_ text: String) throws {
        let project = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        let table = project as? [String: Any] ?? [:]
        objects = (table["objects"] as? [String: Any] ?? [:]).reduce(into: [:]) { objects, entry in
            objects[entry.key] = Object(id: entry.key, values: entry.value as? [String: Any] ?? [:])
        }
        root = table["rootObject"] as? String
        version = table["objectVersion"] as? String
    }

    func object(_ id: String) -> Object? { objects[id] }

    func all(_ isa: String) -> [Object] { objects.values.filter { $0.isa == isa }.sorted { $0.id < $1.id } }

    /// Returns the references that are wrong.
    func problems() -> [String] {
        var problems: [String] = []
        if version != "77" { problems.append("the version of the format isn't 77") }
        if root.flatMap(object)?.isa != "PBXProject" { problems.append("the root isn't a project") }
        var used: Set<String> = root.map { [$0] } ?? []
        for object in objects.values.sorted(by: { $0.id < $1.id }) {
            if object.id.count != 24 || !object.id.allSatisfy(\.isHexDigit) {
                problems.append("\(object.id) isn't an identifier")
            }
            for key in object.values.keys.sorted() where Self.references.contains(key) {
                for id in object.texts(key) {
                    used.insert(id)
                    if objects[id] == nil { problems.append("\(object.isa) refers to \(id), which doesn't exist") }
                }
            }
        }
        for id in objects.keys.sorted() where !used.contains(id) { problems.append("nothing refers to \(id)") }
        return problems + kindProblems()
    }

    /// Returns the references to objects of another kind.
    private func kindProblems() -> [String] {
        let kinds: [(of: String, key: String, isa: Set<String>)] = [
            ("PBXNativeTarget", "buildConfigurationList", ["XCConfigurationList"]),
            ("PBXNativeTarget", "fileSystemSynchronizedGroups", ["PBXFileSystemSynchronizedRootGroup"]),
            ("PBXNativeTarget", "packageProductDependencies", ["XCSwiftPackageProductDependency"]),
            ("PBXNativeTarget", "productReference", ["PBXFileReference"]),
            ("PBXProject", "packageReferences", ["XCLocalSwiftPackageReference"]),
            ("PBXProject", "targets", ["PBXNativeTarget"]),
            ("PBXBuildFile", "productRef", ["XCSwiftPackageProductDependency"]),
            ("PBXBuildFile", "fileRef", ["PBXFileReference"]),
            ("PBXTargetDependency", "target", ["PBXNativeTarget"]),
            ("XCConfigurationList", "buildConfigurations", ["XCBuildConfiguration"]),
            ("PBXGroup", "children", ["PBXGroup", "PBXFileReference", "PBXFileSystemSynchronizedRootGroup"]),
        ]
        var problems: [String] = []
        for (isa, key, expected) in kinds {
            for object in all(isa) {
                for id in object.texts(key) {
                    if let target = self.object(id), !expected.contains(target.isa) {
                        problems.append("\(key) of \(isa) refers to a \(target.isa)")
                    }
                }
            }
        }
        for target in all("PBXNativeTarget") where target.texts("fileSystemSynchronizedGroups").count != 1 {
            problems.append("\(target.text("name") ?? "a target") doesn't have one folder")
        }
        return problems
    }

    /// Returns the files and folders that don't exist. All of them are beside the project.
    func missingFiles(_ files: Set<String>) -> [String] {
        let references = all("PBXFileReference").filter { $0.text("sourceTree") == "<group>" }
        let folders = all("PBXFileSystemSynchronizedRootGroup")
        var problems = (references + folders).compactMap { $0.text("path") }.filter { !files.contains($0) }
            .map { "\($0) doesn't exist" }
        if all("XCLocalSwiftPackageReference").compactMap({ $0.text("relativePath") }) != ["../.."] {
            problems.append("the package isn't the repository")
        }
        return problems
    }
}
