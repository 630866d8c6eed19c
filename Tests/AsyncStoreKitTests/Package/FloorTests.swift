import Foundation
import TestHarness
import Testing

/// Checks the floors of each module: a folder names only types of the floors below it, and members of extensions of the
/// floors below it.
@Suite(.bounded) struct FloorTests {
    /// From the top. Folders on one floor don't name each other; `.` is the module's root.
    private static let floors: [String: [[String]]] = [
        "AsyncStoreKit": [
            ["Callbacks", "Receipt"], ["Store"], ["Entitlements"], ["Entitlements/Rules"],
            ["Entitlements/Reading"], ["Entitlements/Answers"], ["PaymentQueue"], ["Configuration"],
            [
                "Delivery", "Restore", "Requests", "Events", "Diagnostics", "AppLifecycle",
                "Entitlements/Cache",
                "Delivery/Ledger",
            ],
            ["Backend/StoreKit2"], ["Backend/StoreKit1"], ["Backend"],
            ["Products", "Transactions"], ["Files"], ["Errors"], ["Texts"], ["Concurrency"],
        ],
        "AppReceipt": [
            ["Verification"], ["SignedPayloads", "PKCS7", "Subscriptions", "Device"], ["Receipt"], ["X509", "JSON"],
            ["ASN1"], ["Parsing", "HTTP"],
        ],
        "AppStoreServer": [["AppleServer", "Verification"], ["SignedPayloads", "VerifyReceipt"]],
        "AppStoreSimulator": [
            ["."], ["Engine", "VerifyReceipt", "Catalog/Configuration"], ["Updates"], ["SignedPayloads"],
            ["Account"],
            ["Requests", "Queue", "Receipts"], ["Catalog"], ["Behavior"], ["Errors", "Time", "Concurrency"],
        ],
        "AsyncStoreKitHTTP": [["."]],
        "AsyncStoreKitTesting": [["."]],
        "AsyncStoreKitUI": [["."], ["Model"], ["Decisions"]],
        "ReceiptCryptography": [["EllipticCurves", "RSA"], ["Arithmetic", "Hashing"]],
        "StoreKit": [
            ["Queue", "Requests", "StoreKit2/Intents", "StoreKit2/AppTransaction"],
            ["Payments", "StoreKit2/Purchases"],
            ["Products", "StoreKit2/AppStore"], ["Simulation", "Errors"],
        ],
        "SwiftyStoreKit": [
            ["."], ["Receipt"], ["LegacyStore"], ["Calls", "Payments", "Products"], ["Transactions", "Errors"],
        ],
        "store": [
            ["."], ["Demo", "Receipt", "Check"], ["Simulation"], ["Command"], ["Console"],
        ],
    ]

    private struct Source {
        let path: String
        let folder: String
        /// The source without comments and string literals.
        let text: String
    }

    private static func sources(of module: String) throws -> [Source] {
        try SourceTree.sources.get().files.filter { $0.path.hasPrefix(module + "/") }.map { file in
            let folder = file.path.split(separator: "/").dropFirst().dropLast().joined(separator: "/")
            let code = file.lines.joined(separator: "\n")
                .replacingOccurrences(of: #""(\\.|[^"\\\n])*""#, with: "\"\"", options: .regularExpression)
                .replacingOccurrences(of: "//.*", with: "", options: .regularExpression)
            return Source(path: file.path, folder: folder.isEmpty ? "." : folder, text: code)
        }
    }

    /// Returns the matches of a regular expression in a text, with their groups; `nil` for a group without a match.
    // Swift's own regular expressions take ten times as long in a debug build.
    private static func matches(of pattern: String, in text: String) throws -> [[String?]] {
        let expression = try NSRegularExpression(pattern: pattern)
        let text = NSString(string: text)
        return expression.matches(in: String(text), range: NSRange(location: 0, length: text.length)).map { match in
            (0..<match.numberOfRanges).map { group in
                let range = match.range(at: group)
                return range.location == NSNotFound ? nil : text.substring(with: range)
            }
        }
    }

    /// Returns the types that a file declares at its top level, also inside a condition.
    private static func types(declaredIn source: Source) throws -> [String] {
        let declaration =
            #"(?m)^( {4})?(?:(?:public|package|final|indirect|private|fileprivate) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)"#
        let isConditional = source.text.drop { $0.isWhitespace }.hasPrefix("#if")
        return try matches(of: declaration, in: source.text).filter { $0[1] == nil || isConditional }.compactMap {
            $0[2]
        }
    }

    private static func heights(of floors: [[String]]) -> [String: Int] {
        let floors = floors.reversed().enumerated()
        return Dictionary(uniqueKeysWithValues: floors.flatMap { floor in floor.element.map { ($0, floor.offset) } })
    }

    /// Returns every use of a type of a folder that isn't below, as "file names Type of folder".
    private static func breaches(of floors: [[String]], in sources: [Source]) throws -> [String] {
        let heights = heights(of: floors)
        var homes: [String: Set<String>] = [:]
        for source in sources {
            for type in try types(declaredIn: source) { homes[type, default: []].insert(source.folder) }
        }
        return try sources.flatMap { source -> [String] in
            // A name after a dot belongs to the name before the dot.
            let words = Set(try matches(of: #"(?<![\w.])[A-Z]\w*"#, in: source.text).compactMap { $0[0] })
            return words.sorted().compactMap { word in
                guard let home = homes[word], home.count == 1, let folder = home.first, folder != source.folder else {
                    return nil
                }
                guard let own = heights[source.folder], let other = heights[folder], other < own else {
                    return "\(source.path) names \(word) of \(folder)"
                }
                return nil
            }
        }
    }

    private static func names(declaredIn text: String) throws -> Set<String> {
        Set(try matches(of: #"\b(?:var|let|func|case) (\w+)"#, in: text).compactMap { $0[1] })
    }

    /// The names that each module declares.
    private static let names = Result {
        try floors.keys.reduce(into: [String: Set<String>]()) { names, module in
            for source in try sources(of: module) {
                names[module, default: []].formUnion(try Self.names(declaredIn: source.text))
            }
        }
    }

    /// Returns the members that a file adds to types of other folders and modules, for others to use.
    private static func foreignMembers(declaredIn source: Source, ownTypes: Set<String>) throws -> Set<String> {
        var end: String?
        var members: Set<String> = []
        for line in source.text.components(separatedBy: "\n") {
            if line == end { end = nil }
            if end == nil, line.contains("extension ") {
                let type = try matches(of: #"^( {4})?(?:public |package )?extension (\w+)"#, in: line).first
                if let type, !ownTypes.contains(type[2] ?? "") { end = (type[1] ?? "") + "}" }
            } else if let indentation = end?.dropLast(), line.contains("var ") || line.contains("func ") {
                let member = try matches(
                    of: "^\(indentation) {4}((?:[\\w()]+ )*)(?:var|func) (\\w+)", in: line
                ).first
                if let member, let name = member[2], !(member[1] ?? "").contains("private") { members.insert(name) }
            }
        }
        return members
    }

    /// Returns every use of a member of an extension that isn't in the folder or below, as "file uses member".
    private static func memberBreaches(of floors: [[String]], in sources: [Source], _ module: String) throws -> [String]
    {
        let heights = heights(of: floors)
        var types: [String: Set<String>] = [:]
        var homes: [String: Set<String>] = [:]
        for source in sources {
            types[source.folder, default: []].formUnion(try self.types(declaredIn: source))
            for name in try names(declaredIn: source.text) { homes[name, default: []].insert(source.folder) }
        }
        var members: Set<String> = []
        for source in sources {
            members.formUnion(try foreignMembers(declaredIn: source, ownTypes: types[source.folder] ?? []))
        }
        // A name that another module declares may be that module's.
        for (other, names) in try names.get() where other != module { members.subtract(names) }
        return try sources.flatMap { source -> [String] in
            let used = Set(
                try matches(of: #"\.(\w+)|(?<![\w.])(?<!func )(\w+)\("#, in: source.text).compactMap { $0[1] ?? $0[2] })
            return used.intersection(members).sorted().compactMap { name in
                let isBelow = homes[name]?.contains { home in
                    home == source.folder || (heights[home] ?? 0) < (heights[source.folder] ?? 0)
                }
                return isBelow == true ? nil : "\(source.path) uses \(name)"
            }
        }
    }

    @Test(arguments: floors.keys.sorted()) func `a folder uses only members of extensions of the floors below it`(
        module: String
    ) throws {
        let floors = try #require(Self.floors[module])
        // Habits from StoreKit 2 are unavailable: no code uses them.
        let sources = try Self.sources(of: module).filter { !$0.path.hasSuffix("/StoreKit2Names.swift") }
        expectEqual(try Self.memberBreaches(of: floors, in: sources, module), [])
    }

    @Test func `a folder that uses a member of a higher floor is found`() throws {
        let sources = try Self.sources(of: "AsyncStoreKit")
        let floors = try #require(Self.floors["AsyncStoreKit"])
        #expect(try Self.memberBreaches(of: floors.reversed(), in: sources, "AsyncStoreKit").count > 10)
    }

    @Test(arguments: floors.keys.sorted()) func `a folder names only types of the floors below it`(module: String)
        throws
    {
        let floors = try #require(Self.floors[module])
        let sources = try Self.sources(of: module)
        expectEqual(Set(sources.map(\.folder)), Set(floors.joined()), "every folder has a floor")
        expectEqual(try Self.breaches(of: floors, in: sources), [])
    }

    @Test func `a folder that names a type of a higher floor is found`() throws {
        let sources = try Self.sources(of: "AsyncStoreKit")
        let floors = try #require(Self.floors["AsyncStoreKit"])
        #expect(try Self.breaches(of: floors.reversed(), in: sources).count > 100)
    }
}
