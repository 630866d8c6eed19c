import Foundation
import TestHarness
import Testing

/// Checks that the declarations for StoreKit 2's names suggest declarations that exist.
@Suite(.bounded) struct StoreKit2NameTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
    }

    private static let names = Result { try text("AsyncStoreKit/Store/StoreKit2Names.swift") }

    private static func swiftFiles() throws -> [String] {
        let folders = ["AsyncStoreKit", "AppReceipt"].map { sources.appendingPathComponent($0) }
        return try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".swift") && !$0.hasSuffix("StoreKit2Names.swift")
            }.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        }
    }

    @Test func `every declaration that a renamed name suggests exists`() throws {
        let text = try Self.names.get()
        let targets = text.matches(of: #/renamed: "([^"]+)"/#).map { String($0.1) }
        #expect(targets.count > 25)
        let declaration = try NSRegularExpression(pattern: #"(?:var|let|func) (\w+)"#)
        let declared = try Self.swiftFiles().reduce(into: Set<String>()) { declared, text in
            for match in declaration.matches(in: text, range: NSRange(location: 0, length: text.utf16.count)) {
                if let name = Range(match.range(at: 1), in: text) { declared.insert(String(text[name])) }
            }
        }
        for target in targets {
            // The last name of a path, without its labels.
            let name = target.split(separator: ".").last.map { $0.prefix { $0 != "(" } }.map(String.init) ?? target
            #expect(declared.contains(name), "\(target)")
        }
    }

    @Test func `every declaration is unavailable`() throws {
        let text = try Self.names.get()
        let declarations = text.matches(of: #/public (?:static )?(?:var|func) (\w+)/#)
        #expect(declarations.count > 40)
        expectEqual(text.matches(of: #/@available\(\s*\*, unavailable/#).count, declarations.count)
    }
}
