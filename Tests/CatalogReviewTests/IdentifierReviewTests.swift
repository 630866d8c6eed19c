import AppStoreSimulator
import CatalogReview
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct IdentifierReviewTests {
    /// Names all products of the file.
    private static let complete = """
        enum Products { static let all = ["app.coins", "app.pro", "app.season",
            "app.yearly", "app.monthly"] }
        """

    private func findings(_ texts: String..., listed: [String] = []) throws -> [String] {
        let sources = texts.map { SourceText($0, path: "App.swift") }
        let lists = listed.map { SourceLiteral(product: $0, file: "Products.plist", line: 1) }
        return try ReviewedFile.review().findings(sources: sources, listed: lists).map {
            "\($0.rule.rawValue) \($0.file ?? ""):\($0.line ?? 0)"
        }
    }

    @Test func `code that names each product has no findings`() throws {
        expectEqual(try findings(Self.complete), [])
        expectEqual(try findings(listed: ReviewedFile.productIDs), [])
    }

    @Test(arguments: [
        "let product = \"app.gold\"": "identifier-not-in-file",
        "\n\nlet ids = [\"app.coins\",\n\"app.gold\"]": "identifier-not-in-file",
        "let product = \"app.Coins\"": "misspelled-identifier",
        "let product = \"app.yearyl\"": "misspelled-identifier",
        "let product = \"app.yeary\"": "misspelled-identifier",
        "let product = \"app.yearlly\"": "misspelled-identifier",
        "let product = \"app.yearli\"": "misspelled-identifier",
        "purchase(#\"app.gold\"#)": "identifier-not-in-file",
        "purchase(@\"app.gold\")": "identifier-not-in-file",
        "purchase(\"\"\"\napp.gold\"\"\")": "none",
        "// let product = \"app.gold\"": "none",
        "/* let product = /* \"app.gold\" */ \"app.gold\" */": "none",
        "let queue = DispatchQueue(label: \"app.purchases\")": "none",
        "let logger = Logger(subsystem: \"app.product\", category: \"app.products\")": "none",
        "NotificationCenter.default.post(name: Notification.Name(\"app.purchased\"), object: nil)": "none",
        "UserDefaults.standard.bool(forKey: \"app.purchased\")": "none",
        "let title = \"Product app.gold is sold out\"": "none",
        "let product = \"\\(prefix).gold\"": "none",
        "let color = \"app.gold\"": "none",
        "let other = \"com.example.product\"": "none",
    ])
    func `a literal is classified by its text and its line`(code: String, finding: String) throws {
        let found = try findings(Self.complete, code)
        expectEqual(found.map { String($0.prefix { $0 != " " }) }, finding == "none" ? [] : [finding])
    }

    @Test func `a finding names the file and the line`() throws {
        expectEqual(
            try findings(Self.complete, "\n// x\nlet product = \"app.gold\""), ["identifier-not-in-file App.swift:3"])
    }

    @Test func `each product that the code doesn't name is found`() throws {
        let code = "let products = [\"app.coins\", \"app.pro\", \"app.season\", \"app.yearly\"]"
        expectEqual(try findings(code), ["identifier-not-in-code Shop.storekit:59"])
        expectEqual(try findings(code, "let monthly = prefix + \"monthly\""), [])
        expectEqual(try findings(code, "let monthly = \"\\(app).monthly\""), [])
        expectEqual(try findings(code, "// app.monthly"), ["identifier-not-in-code Shop.storekit:59"])
    }

    @Test func `code without any product, or with the beginning of all, has at most one finding`() throws {
        expectEqual(try findings("let x = 1"), ["identifier-not-in-code Shop.storekit:1"])
        expectEqual(try findings("let product = \"app.\" + name"), [])
    }

    @Test func `each identifier of a list is a product`() throws {
        expectEqual(
            try findings(listed: ReviewedFile.productIDs + ["gold", "app.PRO"]),
            ["identifier-not-in-file Products.plist:1", "misspelled-identifier Products.plist:1"])
    }

    @Test(arguments: [
        #""a" "b\"c" "d""#: ["a", "b\"c", "d"],
        #"f("a\(g("b") + ")")c")"#: ["b", ")", "a\0c"],
        ##"#"a"b"# "c""##: ["a\"b", "c"],
        "\"a\n\"b\"": ["a", "b"],
        "\"\"\"\na \"b\" c\n\"\"\" \"d\"": ["\na \"b\" c\n", "d"],
        "x /* \"a\" // */ \"b\" // \"c\"\n\"d\"": ["b", "d"],
        "\"http://a\" \"b\"": ["http://a", "b"],
        "\"a": ["a"],
        "\"a\\": ["a"],
        "\"\\(": ["\0"],
        "/* \"a\"": [],
    ])
    func `literals are read without a parser`(code: String, literals: [String]) {
        expectEqual(SourceText(code, path: "a.swift").literals.map(\.text), literals)
    }

    @Test func `single quotation marks are literals in some languages only`() {
        expectEqual(SourceText("'a' \"b\"", path: "a.dart").literals.map(\.text), ["a", "b"])
        expectEqual(SourceText("'a' \"b\"", path: "a.m").literals.map(\.text), ["b"])
    }
}
