import Foundation
import TestHarness
import Testing

/// Properties that keep a function whose type has no metadata before iOS 18: one with a typed error, or one that runs
/// in its caller's isolation. SwiftUI reflects over the fields of a view, and `print` over those of a value. Both end
/// the process then, and no compiler warns.
///
/// An `async` function type says where it runs, because a setting of the build changes what it means without.
@Suite(.bounded) struct StoredFunctionTests {
    /// Modules that no app ships.
    private static let tools = ["store/", "Benchmarks/", "StoreKit/", "StoreKitTest/", "LoopbackHTTP/"]

    @Test func `no stored property has a function type that old systems can't reflect`() throws {
        let files = try SourceTree.sources.get().files.filter { file in
            !Self.tools.contains { file.path.hasPrefix($0) }
        }
        expectEqual(files.flatMap { file in Self.places(in: file.lines).map { "\(file.path):\($0)" } }, [])
        let declarations = files.flatMap { Self.declarations(in: $0.lines) }
        #expect(declarations.contains { $0.text.contains("async") }, "a stored asynchronous function would be found")
    }

    @Test(arguments: [
        "let present: @MainActor (Store) async throws(StoreError) -> Value",
        "    private let deliver: ((Purchase) async throws -> Void)?",
        "public var headers: @Sendable () async throws -> [String: String] = { [:] }",
        "@State private var load: () async -> Void",
        "package var willPerform: @Sendable (Step) throws(StoreError) -> Void = { _ throws(StoreError) in }",
        "var run: nonisolated(nonsending) () async -> Void",
        "let body: @isolated(any) @Sendable () -> Void",
        "case task(@Sendable (Set<Key>) async throws(StoreError) -> [Key: Value])",
        "indirect case load(() async -> Void)",
        "typealias Purchase = @Sendable (Anchor?) async throws(StoreError) -> Result",
        "package typealias Purchase =\n    @Sendable (Anchor?) async throws(StoreError) -> Result",
        "let prepare:\n    @Sendable (\n        Request, Policy?\n    ) throws(StoreError) -> Purchase",
    ])
    func `a function that old systems can't reflect is found`(declaration: String) {
        expectEqual(Self.places(in: declaration.components(separatedBy: "\n")), [1])
    }

    @Test(arguments: [
        "let present: @MainActor (Store) async -> Result<Value, StoreError>",
        "private let deliver: (@MainActor (Purchase) async throws -> Void)?",
        "public var headers: @concurrent @Sendable () async throws -> [String: String] = { [:] }",
        "let log: @Sendable (Event) -> Void",
        "let parse: (String) throws -> Value",
        "let value = try await load { () async throws(StoreError) in 1 }",
        "public var current: Entitlements { get async { await monitor.current() } }",
        "var transactions: [Transaction] {\n    get async throws(StoreError) { [] }\n}",
        "func load(_ body: () async throws(StoreError) -> Void) async throws(StoreError) {",
        "case .task(let load): Task { () async -> Void in await load() }",
        "package var app: StoreFunction<Void, String?>",
        "// let present: (Store) async throws(StoreError) -> Value",
    ])
    func `another declaration isn't`(declaration: String) {
        expectEqual(Self.places(in: declaration.components(separatedBy: "\n")), [])
    }

    private struct Declaration {
        let line: Int
        var text: String
    }

    /// The numbers of the lines on which such declarations begin.
    private static func places(in lines: [String]) -> [Int] {
        declarations(in: lines).filter { declaration in
            let type = declaration.text
            guard type.contains("->") else { return false }
            let isAsync = type.range(of: #"\basync\b"#, options: .regularExpression) != nil
            return type.contains("throws(") || type.contains("nonisolated(nonsending)") || type.contains("@isolated(")
                || (isAsync && !type.contains("@concurrent") && !type.contains("Actor "))
        }.map(\.line)
    }

    /// The stored properties, cases with values, and type aliases, each up to its value or its accessors.
    private static func declarations(in lines: [String]) -> [Declaration] {
        let start =
            #"^\s*(@\w+(\([^)]*\))?\s+|[a-z]+(\([a-z]+\))?\s+)*((let|var)\s+\w+\s*:|case\s+\w+\(|typealias\s+[^=]+=)"#
        return lines.indices.compactMap { index in
            guard lines[index].range(of: start, options: .regularExpression) != nil else { return nil }
            var text = lines[index]
            for line in lines[(index + 1)...].prefix(8) where isOpen(text) { text += " " + line }
            let isAlias = text.range(of: #"\btypealias\b"#, options: .regularExpression) != nil
            let end = text.range(of: isAlias ? " {" : #" (=|\{)"#, options: .regularExpression)
            return Declaration(line: index + 1, text: String(text[..<(end?.lowerBound ?? text.endIndex)]))
        }
    }

    /// Whether a declaration continues on the next line.
    private static func isOpen(_ text: String) -> Bool {
        let text = text.trimmingCharacters(in: .whitespaces)
        let isNested = text.filter { $0 == "(" }.count > text.filter { $0 == ")" }.count
        return isNested || text.hasSuffix(":") || text.hasSuffix("=") || text.hasSuffix("->")
    }
}
