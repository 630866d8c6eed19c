import Foundation
import TestHarness
import Testing

/// Checks that a deprecation message names declarations that exist, with their argument labels.
@Suite(.bounded) struct DeprecationTests {
    private static let documented = DocumentedCode()
    /// The variables of `DeprecationReplacements`, by type.
    private static let variables = [
        "PurchaseStore": "store", "StorePurchase": "purchase", "PaymentQueuePolicies": "policies", "Receipt": "receipt",
    ]

    private static func messages() throws -> [String] {
        let files = documented.files(below: "Sources/SwiftyStoreKit") { $0.hasSuffix(".swift") }
        return try files.flatMap { path in
            try documented.text(of: path).matches(of: #/deprecated,\s+message: "([^"]*)"/#).map { String($0.1) }
        }
    }

    /// Returns the names in a message, such as `PurchaseStore.restore(account:deliver:)`.
    private static func names(in message: String) -> [String] {
        message.matches(of: #/[A-Z]\w+(?:\.\w+)+(?:\([\w:]*\))?/#).map { String($0.0) }
    }

    /// Returns an expression that finds a use of a name: `store\.restore\(account: .*deliver: `.
    private static func use(of name: String) throws -> Regex<Substring> {
        let parts = name.split(separator: "(", maxSplits: 1)
        let path = parts[0].split(separator: ".").map(String.init)
        let variable = try #require(variables[path[0]], "no replacement is of type \(path[0])")
        var pattern = "\\b" + ([variable] + path.dropFirst()).joined(separator: "\\.")
        if parts.count == 2 {
            let labels = parts[1].dropLast().split(separator: ":").filter { $0 != "_" }
            pattern += "\\(" + labels.map { ".*\($0): " }.joined()
            if labels.isEmpty, parts[1] == ")" { pattern += "\\)" }
        } else {
            pattern += "\\b(?!\\()"
        }
        return try Regex(pattern, as: Substring.self)
    }

    @Test func `every replacement that a deprecation message names compiles`() throws {
        let code = try Self.documented.text(of: "Tests/MigrationTests/DeprecationReplacements.swift")
        let messages = try Self.messages()
        expectEqual(messages.count, 21)
        for message in messages {
            let names = Self.names(in: message)
            #expect(!names.isEmpty, "\(message)")
            for name in names { #expect(try code.contains(Self.use(of: name)), "\(name) in: \(message)") }
            // The remaining names have no call: each is complete.
            let rest = names.reduce(message) { $0.replacing($1, with: "") }
            #expect(!rest.contains("(") && message.hasPrefix("Use ") && message.hasSuffix("."), "\(message)")
        }
    }

    @Test(arguments: [
        "PurchaseStore.restore(applicationUsername:deliver:)", "PurchaseStore.missing",
        "PurchaseStore.canMakePayments()",
    ])
    func `a name that doesn't exist is noticed`(name: String) throws {
        let code = try Self.documented.text(of: "Tests/MigrationTests/DeprecationReplacements.swift")
        #expect(try !code.contains(Self.use(of: name)))
    }
}
