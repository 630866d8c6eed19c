import Foundation
import TestHarness
import Testing

/// Checks that the declarations for StoreKit 2's names suggest declarations that exist.
@Suite(.bounded) struct StoreKit2NameTests {
    private static let file = "AsyncStoreKit/Store/StoreKit2Names.swift"

    private static func text(where isIncluded: (String) -> Bool) throws -> String {
        try SourceTree.sources.get().files.filter { isIncluded($0.path) }.flatMap(\.lines).joined(separator: "\n")
    }

    @Test func `every declaration that a renamed name suggests exists`() throws {
        let text = try Self.text { $0 == Self.file }
        let targets = text.matches(of: #/renamed: "([^"]+)"/#).map { String($0.1) }
        #expect(targets.count > 25)
        let declaration = try NSRegularExpression(pattern: #"(?:var|let|func) (\w+)"#)
        let modules = try Self.text { path in
            path != Self.file && ["AsyncStoreKit/", "AppReceipt/"].contains { path.hasPrefix($0) }
        }
        let matches = declaration.matches(in: modules, range: NSRange(location: 0, length: modules.utf16.count))
        let declared = Set(matches.compactMap { Range($0.range(at: 1), in: modules).map { String(modules[$0]) } })
        for target in targets {
            // The last name of a path, without its labels.
            let name = target.split(separator: ".").last.map { $0.prefix { $0 != "(" } }.map(String.init) ?? target
            #expect(declared.contains(name), "\(target)")
        }
    }

    @Test func `every declaration is unavailable`() throws {
        let text = try Self.text { $0 == Self.file }
        let declarations = text.matches(of: #/public (?:static )?(?:var|func) (\w+)/#)
        #expect(declarations.count > 40)
        expectEqual(text.matches(of: #/@available\(\s*\*, unavailable/#).count, declarations.count)
    }
}
