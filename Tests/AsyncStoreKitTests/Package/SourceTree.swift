import Foundation
import Testing

/// The package's own source files.
struct SourceTree: Sendable {
    struct File: Sendable {
        /// The path inside the folder.
        let path: String
        let lines: [String]
    }

    let files: [File]

    /// The files of the package's modules, read once.
    static let sources = Result { try SourceTree() }
    /// The files of the tests, read once.
    static let tests = Result { try SourceTree("Tests") }

    /// The folder of the package.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init(_ folder: String = "Sources") throws {
        let root = Self.root.appendingPathComponent(folder, isDirectory: true)
        let enumerator = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        files = try enumerator.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map { url in
            let text = try String(contentsOf: url, encoding: .utf8)
            let path = String(url.standardizedFileURL.path.dropFirst(root.standardizedFileURL.path.count + 1))
            return File(path: path, lines: text.components(separatedBy: "\n"))
        }
    }

    /// Returns the places where a regular expression matches, as "path:line".
    func places(of pattern: String, in isIncluded: (String) -> Bool = { _ in true }) throws -> [String] {
        let expression = try NSRegularExpression(pattern: pattern)
        return files.filter { isIncluded($0.path) }.flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                let range = NSRange(line.startIndex..., in: line)
                return expression.firstMatch(in: line, range: range) == nil ? nil : "\(file.path):\(index + 1)"
            }
        }
    }

    /// Returns the files in which a regular expression matches, in order.
    func files(of pattern: String) throws -> [String] {
        Set(try places(of: pattern).map { String($0[..<($0.lastIndex(of: ":") ?? $0.endIndex)]) }).sorted()
    }
}
