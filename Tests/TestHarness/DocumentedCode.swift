package import Foundation

/// The code on this package's pages: README, Migration.md, the guide for contributors, the articles of every catalog,
/// and the steps of the tutorials.
///
/// The tests or the sample app contain the code of a page, word for word. Only the spaces and line breaks next to
/// punctuation can differ.
package struct DocumentedCode: Sendable {
    /// Swift code on a page.
    package struct Block: Sendable, CustomStringConvertible {
        /// The path of the page from the root of the repository.
        package let page: String
        /// The number of the first line.
        package let line: Int
        /// The last line of text above the block.
        package let above: String
        /// The imported modules.
        package let imports: [String]
        /// The other lines, without indentation and empty lines.
        package let code: [String]

        fileprivate init(page: String, line: Int, above: String, lines: [String]) {
            self.page = page
            self.line = line
            self.above = above
            imports = lines.filter { $0.hasPrefix("import ") }
            code = lines.filter { !$0.hasPrefix("import ") && !$0.isEmpty }
        }

        package var description: String { "\(page):\(line): \(code.first ?? "")" }
        /// Whether the block is part of an app's manifest with this package.
        package var isManifest: Bool {
            code.first.map { $0.hasPrefix(".package(") || $0.hasPrefix(".product(") } ?? false
        }
    }

    /// Compiled code, compared without its layout.
    package struct Source: Sendable {
        private let imports: Set<String>
        private let code: Data

        /// - Parameter lines: Lines without indentation.
        package init(lines: [String]) {
            imports = Set(lines.filter { $0.hasPrefix("import ") })
            code = Self.compact(lines)
        }

        /// Returns whether the source contains a block contiguously, below the same imports.
        package func contains(_ block: Block) -> Bool { contains(block.code) && imports.isSuperset(of: block.imports) }

        /// Returns whether the source contains lines contiguously, wherever it breaks them.
        package func contains(_ lines: [String]) -> Bool {
            !lines.isEmpty && code.range(of: Self.compact(lines)) != nil
        }

        /// Returns code on one line, with a space between two words and no other spaces.
        private static func compact(_ lines: [String]) -> Data {
            var bytes: [UInt8] = []
            for part in lines.lazy.flatMap({ $0.utf8.split(separator: UInt8(ascii: " ")) }) {
                if let last = bytes.last, let first = part.first, isInWord(last) && isInWord(first) {
                    bytes.append(UInt8(ascii: " "))
                }
                bytes.append(contentsOf: part)
            }
            return Data(bytes)
        }

        /// Whether a byte of UTF-8 is part of a word: a letter, a digit, an underscore, or a part of another character.
        private static func isInWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
            default: false
            }
        }
    }

    package let root: URL

    package init() {
        // A reduced package may have links to the sources of another.
        let place = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        root = place.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    /// The paths of the pages from the root of the repository.
    package var pages: [String] {
        let catalogs = files(below: "Sources") {
            $0.contains(".docc/") && ($0.hasSuffix(".md") || $0.hasSuffix(".txt"))
        }
        return ["README.md", "Migration.md", ".github/CONTRIBUTING.md"] + catalogs
    }

    /// The Swift blocks of a page. A step of a tutorial is one block.
    package func blocks(of page: String) throws -> [Block] {
        let lines = Self.lines(of: try text(of: page))
        guard !page.hasSuffix(".txt") else {
            return [Block(page: page, line: 1, above: "", lines: lines)]
        }
        var blocks: [Block] = []
        var above = ""
        var code: [String]?
        for (index, line) in lines.enumerated() {
            if let soFar = code {
                if line == "```" {
                    blocks.append(Block(page: page, line: index + 1 - soFar.count, above: above, lines: soFar))
                    code = nil
                } else {
                    code = soFar + [line]
                }
            } else if line == "```swift" {
                code = []
            } else if !line.isEmpty {
                above = line
            }
        }
        return blocks
    }

    /// The compiled sources of documented code.
    package func sources() throws -> [Source] {
        let tests = files(below: "Tests") { $0.hasSuffix(".swift") }
        let examples = files(below: "Sources/DemoApp") { $0.hasSuffix(".swift") }
        return try (tests + examples).map { Source(lines: Self.lines(of: try text(of: $0))) }
    }

    package func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the paths of the files below a folder from the root of the repository.
    package func files(below folder: String, where isWanted: (String) -> Bool) -> [String] {
        let paths =
            FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap {
                $0 as? String
            } ?? []
        return paths.map { folder + "/" + $0 }.filter(isWanted).sorted()
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line.drop { $0 == " " }
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }
}
