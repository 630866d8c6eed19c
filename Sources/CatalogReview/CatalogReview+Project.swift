import AppStoreSimulator
import Foundation

// Schemes and projects of Xcode.
extension CatalogReview {
    /// Returns the mistakes in a scheme's reference to the file.
    ///
    /// - Parameters:
    ///   - scheme: The text of the scheme.
    ///   - schemePath: The path of the scheme.
    ///   - isFile: Returns whether there is a file at a path.
    package func findings(scheme: String, at schemePath: String, isFile: (String) -> Bool) -> [CatalogFinding] {
        let pattern = #"<StoreKitConfigurationFileReference\s+identifier\s*=\s*"([^"]*)""#
        let references = scheme.matches(of: pattern)
        guard !references.isEmpty else {
            return [
                .init(
                    .schemeFile, file: schemePath, line: 1,
                    "The scheme uses no StoreKit configuration file. Choose one under Edit Scheme > Run > Options.")
            ]
        }
        let own = path.map(Self.absolute)
        return references.compactMap { reference in
            let paths = Self.paths(of: reference.text.withoutEntities, from: schemePath).filter(isFile)
            if let own, paths.contains(own) { return nil }
            let message =
                paths.first.map { "The scheme uses another file, \($0). Choose this file, or check that one." }
                ?? "The scheme uses \"\(reference.text)\", and there is no such file. Choose the file under Edit Scheme > Run > Options."
            return .init(.schemeFile, file: schemePath, line: reference.line, message)
        }
    }

    /// Returns the absolute paths that a reference can mean. Xcode's references are relative to the folder of the
    /// scheme, to a folder of the project around it, or to the folder of the project.
    private static func paths(of reference: String, from schemePath: String) -> [String] {
        let relative = reference.hasPrefix("container:") ? String(reference.dropFirst(10)) : reference
        guard !relative.hasPrefix("/") else { return [absolute(relative)] }
        var folder = URL(fileURLWithPath: absolute(schemePath)).deletingLastPathComponent()
        var paths: [String] = []
        for _ in 0..<5 where folder.path != "/" {
            paths.append(absolute(folder.appendingPathComponent(relative).path))
            let isContainer = ["xcodeproj", "xcworkspace", "swiftpm"].contains(folder.pathExtension)
            folder.deleteLastPathComponent()
            if isContainer {
                paths.append(absolute(folder.appendingPathComponent(relative).path))
                break
            }
        }
        return paths
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// Returns a finding if a project copies the file into an app.
    ///
    /// - Parameters:
    ///   - project: The text of a `project.pbxproj`.
    ///   - projectPath: The path of the project.
    package func findings(project: String, at projectPath: String) -> [CatalogFinding] {
        guard let path else { return [] }
        let name = NSRegularExpression.escapedPattern(for: URL(fileURLWithPath: path).lastPathComponent)
        // Xcode writes the name of each object into a comment.
        let files = project.matches(of: #"(?m)^\s*(\w+) /\* \#(name) in Resources \*/ = \{isa = PBXBuildFile"#)
        let apps = project.objects(of: "PBXNativeTarget").filter {
            $0.text.contains("com.apple.product-type.application")
        }
        for phase in project.objects(of: "PBXResourcesBuildPhase") {
            guard let file = files.first(where: { phase.text.contains($0.text) }),
                apps.contains(where: { $0.text.contains(phase.id) })
            else { continue }
            return [
                .init(
                    .fileInResources, file: projectPath, line: file.line,
                    "An app contains the configuration file as a resource. Remove the file from the app's target.")
            ]
        }
        return []
    }
}

extension String {
    /// Returns the first groups of the matches of a regular expression, with the lines where they begin.
    fileprivate func matches(of pattern: String) -> [(text: String, line: Int)] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        let text = NSString(string: self)
        return expression.matches(in: self, range: NSRange(location: 0, length: text.length)).map { match in
            let range = match.range(at: 1)
            let line = text.substring(to: range.location).utf8.count { $0 == UInt8(ascii: "\n") } + 1
            return (text.substring(with: range), line)
        }
    }

    /// Returns the objects of a kind in a project, and their identifiers.
    fileprivate func objects(of kind: String) -> [(id: String, text: String)] {
        components(separatedBy: "\n\t\t};").filter { $0.contains("isa = \(kind);") }.compactMap { text in
            text.matches(of: #"(\w+) /\*[^*]*\*/ = \{\s*isa = "#).last.map { ($0.text, text) }
        }
    }

    /// The text of an XML attribute without entities.
    fileprivate var withoutEntities: String {
        replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&apos;", with: "'")
            .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&amp;", with: "&")
    }
}
