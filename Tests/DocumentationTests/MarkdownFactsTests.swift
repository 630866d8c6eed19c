import Foundation
import TestHarness
import Testing

/// Compares facts on Markdown pages with the repository: paths, links, requirements, folders, and declarations.
@Suite(.bounded) struct MarkdownFactsTests {
    private static let documented = DocumentedCode()
    private static let pages =
        documented.pages.filter { $0.hasSuffix(".md") } + [
            ".github/SECURITY.md", ".github/PULL_REQUEST_TEMPLATE.md",
        ]
    private static let catalog = "Sources/AsyncStoreKit/AsyncStoreKit.docc"

    /// The text of a page without its code blocks.
    private static func prose(of page: String) throws -> String {
        var isCode = false
        return try documented.text(of: page).split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let isFence = line.hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isFence && !isCode
        }.joined(separator: "\n")
    }

    private static func codeSpans(in text: String) -> [String] {
        text.replacing(#/``[^`\n]+``/#, with: "").matches(of: #/`([^`\n]+)`/#).map { String($0.1) }
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: documented.root.appendingPathComponent(path).path)
    }

    /// Whether a span names a file or a folder with its path.
    private static func isPath(_ span: String) -> Bool {
        guard span.contains("/"), !span.contains(where: { " <>*…()".contains($0) }) else { return false }
        return span.hasSuffix(".swift") || [".ci/", "Sources/", "Tests/"].contains { span.hasPrefix($0) }
    }

    /// Returns the rows of the table with a header, after the line of dashes.
    private static func table(below header: String, in text: String) throws -> [Substring] {
        let parts = text.components(separatedBy: header + "\n")
        try #require(parts.count == 2, "one table has the header \(header)")
        return parts[1].components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst().map { $0 }
    }

    @Test(arguments: pages) func `every path and every file name on a page exists`(page: String) throws {
        let spans = Self.codeSpans(in: try Self.prose(of: page))
        let paths = spans.filter(Self.isPath)
        // A page of a module names the module's own files from its folder.
        let folder = page.split(separator: "/").prefix(2).joined(separator: "/")
        expectEqual(paths.filter { !Self.exists($0) && !Self.exists(folder + "/" + $0) }, [])
        let sources = ["Sources", "Tests"].flatMap { folder in
            Self.documented.files(below: folder) { $0.hasSuffix(".swift") }
        }
        let names = Set(sources.compactMap { $0.split(separator: "/").last.map(String.init) })
        let files = spans.filter { $0.hasSuffix(".swift") && !$0.contains("/") && $0 != "Package.swift" }
        expectEqual(files.filter { !names.contains($0) }, [])
        if page.hasSuffix("Design.md") || page.hasSuffix("CONTRIBUTING.md") || page.hasSuffix("Works.md") {
            #expect(paths.count > 10, "a missing path would be found")
        }
    }

    @Test(arguments: pages) func `every relative link on a page leads to a file and a heading`(page: String) throws {
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        for match in try Self.prose(of: page).matches(of: #/(!?)\[[^\]]*\]\(([^)\s]+)\)/#) {
            let link = String(match.2)
            guard !link.contains("://") else { continue }
            // A page of DocC names a picture without its folder and extension.
            if match.1 == "!", page.contains(".docc/") {
                let catalog = page.prefix(through: try #require(page.range(of: ".docc/")).upperBound).dropLast()
                #expect(Self.exists(catalog + "Resources/" + link + ".svg"), "\(link)")
                continue
            }
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let path = parts[0].isEmpty ? page : URL(fileURLWithPath: "/" + folder + "/" + parts[0]).standardized.path
            #expect(Self.exists(path), "\(link)")
            guard parts.count == 2, path.hasSuffix(".md") else { continue }
            let lines = try Self.prose(of: String(path.drop { $0 == "/" })).split(separator: "\n")
            let anchors = lines.filter { $0.hasPrefix("#") }.map { heading in
                heading.drop { $0 == "#" || $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }.replacing(" ", with: "-")
            }
            #expect(anchors.contains(parts[1]), "\(link)")
        }
    }

    /// The oldest version of each platform in the manifest, such as `iOS` and `15`.
    private static func platforms() throws -> [(name: String, version: String)] {
        let manifest = try documented.text(of: "Package.swift")
        let list = try #require(manifest.firstMatch(of: #/platforms: \[([^\]]+)\]/#)).1
        return list.matches(of: #/\.(\w+)\(\.v(\d+)\)/#).map { platform in
            (platform.1 == "macCatalyst" ? "Mac Catalyst" : String(platform.1), String(platform.2))
        }
    }

    @Test func `the requirements of the README and of the guide are the manifest's`() throws {
        let platforms = try Self.platforms()
        #expect(platforms.count == 6)
        let readme = try Self.documented.text(of: "README.md").replacing("\n", with: " ")
        let requirements = try #require(readme.firstMatch(of: #/Requires ([^.]*?), or Linux, and Swift ([\d.]+)\./#))
        let required = requirements.1.components(separatedBy: ", ")
        expectEqual(required.sorted(), platforms.map { "\($0.name) \($0.version)" }.sorted())
        let manifest = try Self.documented.text(of: "Package.swift")
        #expect(manifest.hasPrefix("// swift-tools-version: \(requirements.2)\n"))
        let guide = try Self.documented.text(of: "Migration.md")
        for platform in platforms {
            let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| \(platform.name) |") }
            let row = try #require(rows.first, "\(platform.name)")
            #expect(row.replacing("*", with: "").hasSuffix(" \(platform.version) |"), "\(row)")
        }
        #expect(guide.contains("| Swift | 5 | **\(requirements.2)**"))
    }

    @Test func `the README's table has the products of the manifest`() throws {
        let manifest = try Self.documented.text(of: "Package.swift")
        let products = Set(manifest.matches(of: #/\.(?:library|executable)\(name: "(\w+)"/#).map { String($0.1) })
        let readme = try Self.documented.text(of: "README.md")
        let table = try Self.table(below: "| product | use it for |", in: readme)
        let rows = table.compactMap { $0.split(separator: "|").first.map(String.init) }
        expectEqual(Set(rows.flatMap { Self.codeSpans(in: $0) }), products)
        #expect(products.count == 12)
    }

    @Test func `every action of a workflow is pinned by its commit`() throws {
        let workflows = Self.documented.files(below: ".github/workflows") { $0.hasSuffix(".yml") }
        let actions = try workflows.flatMap { file in
            try Self.documented.text(of: file).matches(of: #/uses: (\S+)/#).map { String($0.1) }
        }
        #expect(actions.count > 10)
        expectEqual(actions.filter { $0.wholeMatch(of: #/[\w.\/-]+@[0-9a-f]{40}/#) == nil }, [])
    }

    @Test func `the guide for contributors explains every environment variable that the tests read`() throws {
        let explained = Self.codeSpans(in: try Self.documented.text(of: ".github/CONTRIBUTING.md"))
        let files = Self.documented.files(below: "Tests") { $0.hasSuffix(".swift") }
        let variables = try files.flatMap { file in
            try Self.documented.text(of: file).matches(of: #/environment\["([A-Z_]+)"\]/#).map { String($0.1) }
        }
        #expect(variables.contains("SOAK_SEED"), "a missing variable would be found")
        expectEqual(Set(variables).subtracting(explained), [])
    }

    @Test func `the README has at most 160 lines`() throws {
        #expect(try Self.documented.text(of: "README.md").components(separatedBy: "\n").count <= 161)
    }

    @Test func `the floors of the article Design are the module's folders`() throws {
        let design = try Self.documented.text(of: Self.catalog + "/Articles/Design.md")
        let table = try Self.table(below: "| Floor | Folders | Contents |", in: design)
        let rows = table.map { $0.split(separator: "|")[1] }
        let folders = Self.documented.files(below: "Sources/AsyncStoreKit") { $0.hasSuffix(".swift") }
            .map { $0.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/") }
        expectEqual(rows.flatMap { Self.codeSpans(in: String($0)) }.sorted(), Set(folders).sorted())
    }

    @Test func `the targets of the article Design, and what each uses, are the manifest's`() throws {
        let manifest = try Self.documented.text(of: "Package.swift")
        // A declaration begins with its kind and name, and ends where the next one begins.
        let pieces = manifest.split(separator: #/\n {8}\.(?=\w+\(\s*name: )/#).dropFirst()
        var targets: [String: Set<String>] = [:]
        for piece in pieces where piece.hasPrefix("target(") || piece.hasPrefix("executableTarget(") {
            guard let name = piece.firstMatch(of: #/name: "(\w+)"/#)?.1, !piece.contains("path: \"Tests/") else {
                continue
            }
            let list = piece.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)?.1 ?? ""
            targets[String(name)] = Set(list.matches(of: #/"(\w+)"/#).map { String($0.1) })
        }
        let design = try Self.documented.text(of: Self.catalog + "/Articles/Design.md")
        var rows: [String: Set<String>] = [:]
        for row in try Self.table(below: "| Target | Contents | Uses |", in: design) {
            let cells = row.split(separator: "|").map(String.init)
            rows[Self.codeSpans(in: cells[0]).joined()] = Set(Self.codeSpans(in: cells[2]))
        }
        expectEqual(rows, targets)
        #expect(targets.count > 10)
    }

    /// The declarations of the package's public types, by type: `restore(account:deliver:)`, `transactions`.
    private static let members = Result { try declarations() }

    private static func declarations() throws -> [String: Set<String>] {
        var members: [String: Set<String>] = [:]
        var own: Set<String> = []
        let files = [
            "AsyncStoreKit", "AsyncStoreKitHTTP", "AppReceipt", "AppStoreServer", "AsyncStoreKitTesting",
            "AppStoreSimulator", "CatalogReview",
        ].flatMap { module in
            documented.files(below: "Sources/" + module) { $0.hasSuffix(".swift") }
        }
        let type = try Pattern(#"(?:struct|class|enum|actor|protocol|extension) ([A-Z][\w.]*)"#)
        let ownType = try Pattern(#"public (?:final )?(?:struct|class|enum|actor|protocol) (\w+)"#)
        let property = try Pattern(#"(?:var|let|typealias|struct|enum|class) (\w+)"#)
        let cases = try Pattern(#"(?m)case ([^:\n{]+)$"#)
        let caseName = try Pattern(#"(\w+)(?:\([^)]*\))?"#)
        let function = try Pattern(#"(?:func (\w+)(?:<[^>]*>)?|(init)\??)\("#)
        for file in files {
            let text = try documented.text(of: file)
            own.formUnion(ownType.matches(in: text).map { String($0.name) })
            var names = Set(property.matches(in: text).map { String($0.name) })
            for list in cases.matches(in: text) {
                names.formUnion(caseName.matches(in: String(list.name)).map { String($0.name) })
            }
            for match in function.matches(in: text) { names.insert(match.name + "(" + labels(in: match.rest) + ")") }
            for type in type.matches(in: text) { members[String(type.name), default: []].formUnion(names) }
        }
        return members.filter { own.contains($0.key) }
    }

    /// A regular expression with one captured name. Its matching is five times as fast as that of `Regex`.
    private struct Pattern {
        private let expression: NSRegularExpression

        init(_ pattern: String) throws { expression = try NSRegularExpression(pattern: pattern) }

        /// Returns the name in each match, and the text after the match.
        func matches(in text: String) -> [(name: Substring, rest: Substring)] {
            expression.matches(in: text, range: NSRange(location: 0, length: text.utf16.count)).compactMap { match in
                let groups = (1..<match.numberOfRanges).lazy.compactMap { Range(match.range(at: $0), in: text) }
                guard let name = groups.first, let all = Range(match.range, in: text) else { return nil }
                return (text[name], text[all.upperBound...])
            }
        }
    }

    /// Returns the labels of a parameter list up to its closing parenthesis, such as `_:options:`.
    private static func labels(in text: Substring) -> String {
        var depth = 0
        var parameter = ""
        var parameters: [String] = []
        for character in text {
            if "([{<".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if character == ">", !parameter.hasSuffix("-") { depth -= 1 }
            if depth < 0 { break }
            if character == ",", depth == 0 {
                parameters.append(parameter)
                parameter = ""
            } else {
                parameter.append(character)
            }
        }
        parameters.append(parameter)
        return parameters.compactMap { parameter in
            parameter.split(whereSeparator: { $0.isWhitespace || $0 == ":" }).first.map { "\($0):" }
        }.joined()
    }

    @Test(arguments: pages) func `every member that a page names in code voice is declared`(page: String) throws {
        let members = try Self.members.get()
        for span in Self.codeSpans(in: try Self.prose(of: page)) {
            guard let match = span.wholeMatch(of: #/([A-Z]\w+)\.(\w+)(\([\w:]*\))?/#) else { continue }
            guard let declared = members[String(match.1)], !span.hasSuffix(".swift") else { continue }
            let name = String(match.2) + String(match.3 ?? "")
            let isFunction = match.3 == nil && declared.contains { $0.hasPrefix(name + "(") }
            let isDeclared = isFunction || declared.contains(name)
            #expect(isDeclared, "\(span)")
        }
    }

    @Test func `a member that isn't declared is noticed`() throws {
        let members = try #require(try Self.members.get()["PurchaseStore"])
        #expect(members.contains("restore(account:deliver:)") && members.contains("canMakePayments"))
        #expect(members.isDisjoint(with: ["restore(applicationUsername:deliver:)", "restore(deliver:)"]))
    }
}
