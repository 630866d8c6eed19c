import Foundation

/// Declarations of a module, by their paths. A path can have several declarations.
struct DeclarationTable {
    struct Declaration: Equatable {
        /// The declaration in the form that is compared.
        let form: String
        let isOpen: Bool
        let conformances: Set<String>
    }

    var declarations: [String: [Declaration]] = [:]

    /// Reads rows of a path, a declaration, an access level and conformances, separated by tabs.
    init(rows text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) + ["", "", ""]
            let conformances = columns[3].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            add(columns[0], columns[1], isOpen: columns[2] == "open", Set(conformances))
        }
    }

    /// Reads the symbol graph that `swift-symbolgraph-extract` writes for a module. Members that a type gets from a
    /// protocol's extension are left out.
    init(symbolGraph data: Data) throws {
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: data)
        var conformances: [String: Set<String>] = [:]
        for relationship in graph.relationships where relationship.kind == "conformsTo" {
            let name = (relationship.targetFallback ?? relationship.target).split(separator: ".").last
            conformances[relationship.source, default: []].insert(name.map(String.init) ?? "")
        }
        for symbol in graph.symbols where !symbol.identifier.precise.contains("::SYNTHESIZED::") {
            add(
                symbol.pathComponents.joined(separator: "."),
                symbol.declarationFragments.map(\.spelling).joined(), isOpen: symbol.accessLevel == "open",
                conformances[symbol.identifier.precise] ?? [])
        }
    }

    private mutating func add(_ path: String, _ text: String, isOpen: Bool, _ conformances: Set<String>) {
        let declaration = Declaration(
            form: Self.form(of: text), isOpen: isOpen, conformances: conformances.subtracting(Self.notCompared))
        declarations[path, default: []].append(declaration)
    }

    /// Protocols that interfaces of one compiler list, and those of another don't, or that affect only texts.
    private static let notCompared: Set = [
        "CustomDebugStringConvertible", "LocalizedError", "BitwiseCopyable", "Copyable", "Escapable", "",
    ]
}

// The compared form.
extension DeclarationTable {
    /// Removes from a declaration what clients can't notice, and what an interface from Objective-C spells in another
    /// way than one from Swift.
    static func form(of declaration: String) -> String {
        removals.reduce(declaration) { text, removal in
            text.replacingOccurrences(of: removal.pattern, with: removal.template, options: .regularExpression)
        }
        .trimmingCharacters(in: .whitespaces)
    }

    private static let removals: [(pattern: String, template: String)] = [
        (#"@(available|backDeployed)\([^)]*\)"#, ""),
        (#"@(objc|NSCopying|discardableResult|MainActor|preconcurrency|unchecked|frozen|inlinable)\b"#, ""),
        ("`", ""),
        (#"\b(any|optional|public|open|final|override|required|convenience|dynamic|nonisolated|weak) "#, ""),
        // A class function and a static one are called in the same way.
        (#"\b(static|class) (?=(func|var|let|init)\b)"#, ""),
        // The names of parameters. Argument labels stay.
        (#"([(,] ?)(\w+) \w+:"#, "$1$2:"),
        // The name of a nested type depends on where it's written.
        (#"\b(?:[A-Z]\w*\.)+(?=[A-Z])"#, ""),
        (#"VerificationResult<SignedType>\."#, ""),
        (#" = (\[\]|\.now)"#, ""),
        // What a type inherits and conforms to is in the relationships.
        (#"\s*\b(struct|enum|class|protocol) (\w+)\b.*$"#, "$1 $2"),
        // The only function that returns its own class.
        ("-> Self$", "-> SKPaymentQueue"),
        (#"\s+"#, " "),
        (#"^ "#, ""),
        // A constant may be computed, and a variable without accessors can be set.
        (#"^let (\w+: .*)$"#, "var $1 { get }"),
        (#"^(var [^{]*[^{ ]) ?$"#, "$1 { get set }"),
    ]
}

/// The part of a symbol graph that is compared.
private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }

        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]
        let accessLevel: String
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }

    let symbols: [Symbol]
    let relationships: [Relationship]
}
