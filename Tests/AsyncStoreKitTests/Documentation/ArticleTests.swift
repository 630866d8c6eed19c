import Foundation
import TestHarness
import Testing

/// Holds the articles for contributors to the tree: a file that they send a reader to is there.
@Suite(.bounded) struct ArticleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let catalog = "Sources/AsyncStoreKit/AsyncStoreKit.docc"

    /// What stands in code voice on a line.
    private static func codeSpans(in text: String) throws -> [String] {
        let expression = try NSRegularExpression(pattern: "(?<!`)`([^`\n]+)`(?!`)")
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            Range(match.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Whether a span names a file or a folder by its place. A name alone may be that of a file anywhere.
    private static func isPath(_ span: String) -> Bool {
        guard span.contains("/"), !span.contains(where: { " <>*…()".contains($0) }) else { return false }
        return span.hasSuffix(".swift") || [".ci/", "Sources/", "Tests/"].contains { span.hasPrefix($0) }
    }

    /// The names of all files in the repository's sources.
    private static func names(in folder: String) throws -> Set<String> {
        // A reduced package may have links to the sources of this one.
        let url = root.appendingPathComponent(folder).resolvingSymlinksInPath()
        let files = try #require(FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil))
        return Set(files.compactMap { ($0 as? URL)?.lastPathComponent })
    }

    @Test(arguments: [
        ".github/CONTRIBUTING.md", "\(catalog)/Articles/Design.md", "\(catalog)/Articles/WritingABackend.md", "\(catalog)/AsyncStoreKit.md",
    ])
    func `every file that is named is there`(article: String) throws {
        let paths = try Self.codeSpans(in: Self.text(of: article)).filter(Self.isPath)
        // The articles of the catalogue name the sources of their module without the way there.
        let folders = [Self.root, Self.root.appendingPathComponent("Sources/AsyncStoreKit")]
        let missing = paths.filter { path in
            !folders.contains { FileManager.default.fileExists(atPath: $0.appendingPathComponent(path).path) }
        }
        expectEqual(missing, [])
        let names = try Self.names(in: "Sources")
        let files = try Self.codeSpans(in: Self.text(of: article)).filter { $0.hasSuffix(".swift") && !$0.contains("/") }
        expectEqual(files.filter { !names.contains($0) }, [])
        if !article.hasSuffix("AsyncStoreKit.md") { #expect(!paths.isEmpty, "what is looked for would be found") }
    }

    @Test func `every variable that the tests read is explained`() throws {
        let guide = try Self.text(of: ".github/CONTRIBUTING.md")
        let explained = Set(try Self.codeSpans(in: guide))
        let expression = try NSRegularExpression(pattern: #"environment\["([A-Z_]+)"\]"#)
        let folder = Self.root.appendingPathComponent("Tests").resolvingSymlinksInPath()
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)).compactMap { $0 as? URL }
        var variables: Set<String> = []
        for file in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
                if let range = Range(match.range(at: 1), in: text) { variables.insert(String(text[range])) }
            }
        }
        #expect(variables.contains("SCHEDULE_SEED"), "what is looked for would be found")
        expectEqual(variables.subtracting(explained).sorted(), [])
    }
}
