import Foundation
import TestHarness
import Testing

@testable import DemoApp

@Suite(.bounded) struct ChecklistArticleTests {
    @Test func `the checklist and the article have the same checks`() throws {
        let article = try Article()
        expectEqual(ChecklistSection.all.map { "\($0.number). \($0.title)" }, article.sections.map(\.title))
        for (section, written) in zip(ChecklistSection.all, article.sections) {
            expectEqual(section.checks.map { [$0.name, $0.steps, $0.expected] }, written.rows)
        }
    }

    @Test func `names of checks are unique`() {
        let names = ChecklistRun.checks.map(\.name)
        expectEqual(Set(names).count, names.count)
    }
}

/// The tables of the article *Not yet verified on devices*, as plain text.
private struct Article {
    var sections: [(title: String, rows: [[String]])] = []

    init() throws {
        let path = "Sources/AsyncStoreKit/AsyncStoreKit.docc/Articles/NotYetVerifiedOnDevices.md"
        for line in try DocumentedCode().text(of: path).split(separator: "\n") {
            if let heading = line.wholeMatch(of: /### (\d\. .*)/) {
                sections.append((String(heading.1), []))
            } else if line.hasPrefix("| "), !line.hasPrefix("| Check |"), !sections.isEmpty {
                let cells = line.dropFirst().dropLast().split(separator: "|")
                sections[sections.count - 1].rows.append(
                    cells.map { Self.plain($0.trimmingCharacters(in: .whitespaces)) })
            }
        }
    }

    /// Removes the markup. Of a symbol, the last part of its path is left.
    private static func plain(_ text: String) -> String {
        text.replacing(/``([^`]+)``/) { match in
            let path = match.1.replacing(/-\(.*\)$/, with: "")
            return path.split(separator: "/").last.map(String.init) ?? ""
        }
        .replacing(/<doc:([^>]+)>/) { String($0.1) }
        .filter { $0 != "`" && $0 != "*" }
    }
}
