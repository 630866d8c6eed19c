import Foundation
import TestHarness
import Testing

/// Compares the guide for contributors with the tests.
@Suite(.bounded) struct ArticleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the texts in code voice.
    private static func codeSpans(in text: String) throws -> [String] {
        let expression = try NSRegularExpression(pattern: "(?<!`)`([^`\n]+)`(?!`)")
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            Range(match.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `the guide for contributors explains every environment variable that the tests read`() throws {
        let guide = try Self.text(of: ".github/CONTRIBUTING.md")
        let explained = Set(try Self.codeSpans(in: guide))
        let expression = try NSRegularExpression(pattern: #"environment\["([A-Z_]+)"\]"#)
        let folder = Self.root.appendingPathComponent("Tests").resolvingSymlinksInPath()
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)).compactMap
        { $0 as? URL }
        var variables: Set<String> = []
        for file in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
                if let range = Range(match.range(at: 1), in: text) { variables.insert(String(text[range])) }
            }
        }
        #expect(variables.contains("SOAK_SEED"), "a missing variable would be found")
        expectEqual(variables.subtracting(explained).sorted(), [])
    }
}
