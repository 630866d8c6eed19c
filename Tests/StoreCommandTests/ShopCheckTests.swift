import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct ShopCheckTests {
    /// A folder of an app with a configuration file.
    private final class Folder: Sendable {
        let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)")
                .resolvingSymlinksInPath()
            try add("Shop.storekit", Self.shop())
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        static func shop(coins: String = "app.coins", price: String = "0.99", rate: Int = 0) -> String {
            """
            { "products" : [
                { "displayPrice" : "\(price)", "localizations" : [
                    { "description" : "Ten coins.", "displayName" : "Coins", "locale" : "en_US" }
                  ], "productID" : "\(coins)", "type" : "Consumable" },
                { "displayPrice" : "9.99", "localizations" : [
                    { "description" : "Every tool.", "displayName" : "Pro", "locale" : "en_US" }
                  ], "productID" : "app.pro", "type" : "NonConsumable" }
              ],
              "settings" : { "_timeRate" : \(rate) },
              "version" : { "major" : 4, "minor" : 0 } }
            """
        }

        func path(_ name: String) -> String { url.appendingPathComponent(name).path }

        func add(_ name: String, _ text: String) throws {
            let file = url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        func check(_ options: String...) async -> CommandRun {
            await CommandRun.of(["check", path("Shop.storekit")] + options)
        }
    }

    @Test func `a file without mistakes passes`() async throws {
        let folder = try Folder()
        let run = await folder.check()
        expectEqual(
            run,
            CommandRun(
                code: .success, output: "\(folder.path("Shop.storekit")): 2 products, no errors, no warnings.\n",
                errors: ""
            ))
    }

    @Test(arguments: ["text", "json", "github"])
    func `control characters of an identifier don't reach the output`(format: String) async throws {
        let folder = try Folder()
        try folder.add("Shop.storekit", Folder.shop(coins: #"a\u001b[2J\u202e\u0000\u200f"#))
        let run = await folder.check("--format", format)
        #expect(run.output.contains("[2J"), "the identifier is named")
        let controls: [UInt32] = [0, 0x1B, 0x202E, 0x200F]
        #expect(!(run.output + run.errors).unicodeScalars.contains { controls.contains($0.value) })
    }

    @Test func `an error fails, and a warning fails only if the command is strict`() async throws {
        let folder = try Folder()
        try folder.add("Shop.storekit", Folder.shop(price: "0,99"))
        let error = await folder.check()
        expectEqual(error.code, .failure)
        #expect(error.lines[0].hasPrefix("\(folder.path("Shop.storekit")):2: error: \"app.coins\" has the price"))
        #expect(error.lines[0].hasSuffix("[price-format] products[0].displayPrice"))
        #expect(error.lines[1].hasSuffix(": 2 products, 1 error, no warnings."))
        expectEqual(await folder.check("--disable", "price-format").code, .success)
        try folder.add("Shop.storekit", Folder.shop(rate: 6))
        let warning = await folder.check()
        #expect(warning.code == .success && warning.output.contains(":9: warning: "))
        expectEqual(await folder.check("--strict").code, .failure)
        expectEqual(await folder.check("--strict", "--disable=time-rate, zero-price").code, .success)
    }

    @Test func `sources, lists, schemes and projects are compared with the file`() async throws {
        let folder = try Folder()
        try folder.add("App/Store.swift", "let ids = [\"app.coins\", \"app.pro\", \"app.gold\"]")
        try folder.add("App/Tests/StoreTests.swift", "let product = \"app.silver\"")
        try folder.add("App/.build/Store.swift", "let product = \"app.bronze\"")
        let sources = await folder.check("--sources", folder.path("App"))
        expectEqual(sources.lines.count, 3)
        #expect(
            sources.lines[0].hasPrefix("\(folder.path("App"))/Store.swift:1: error: \"app.gold\" isn't in the file"))
        try folder.add("Products.plist", Self.list(["app.coins", "app.por"]))
        let list = await folder.check("--products", folder.path("Products.plist"))
        #expect(list.output.contains("Products.plist:5: error: \"app.por\" isn't in the file, but \"app.pro\" is."))
        #expect(list.output.contains("doesn't name \"app.pro\""))
        let scheme = "App.xcodeproj/xcshareddata/xcschemes/App.xcscheme"
        let reference = "<StoreKitConfigurationFileReference identifier = \"../../Shop.storekit\">"
        try folder.add(scheme, "<Scheme>\(reference)</Scheme>")
        expectEqual(await folder.check("--scheme", folder.path(scheme)).code, .success)
        try folder.add(scheme, "<Scheme>\(reference.replacingOccurrences(of: "Shop", with: "Old"))</Scheme>")
        #expect(await folder.check("--scheme", folder.path(scheme)).output.contains("[scheme-file]"))
    }

    private static func list(_ ids: [String]) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<array>\n"
            + ids.map { "<string>\($0)</string>\n" }.joined() + "</array>\n</plist>\n"
    }

    @Test func `an earlier file shows what customers lose`() async throws {
        let folder = try Folder()
        try folder.add("Old.storekit", Folder.shop(coins: "app.gems"))
        let run = await folder.check("--previous", folder.path("Old.storekit"))
        expectEqual(run.code, .failure)
        #expect(run.lines[0].contains("\"app.gems\" was removed"))
        #expect(run.lines[0].contains("Customers who can't buy it: new, pendingApproval, otherAccount."))
    }

    @Test func `findings are printed as JSON and as annotations`() async throws {
        let folder = try Folder()
        try folder.add("Shop.storekit", Folder.shop(price: "0,99"))
        let json = await folder.check("--format", "json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let finding = (object?["findings"] as? [[String: Any]])?.first
        expectEqual(object?["errors"] as? Int, 1)
        expectEqual(finding?["rule"] as? String, "price-format")
        expectEqual(finding?["line"] as? Int, 2)
        expectEqual(finding?["keyPath"] as? String, "products[0].displayPrice")
        let github = await folder.check("--format", "github")
        #expect(
            github.lines[0].hasPrefix(
                "::error file=\(folder.path("Shop.storekit")),line=2,title=price-format::\"app.coins\" has"))
        expectEqual(github.code, .failure)
    }

    @Test(arguments: [
        ([], "FILE or --binary APP is missing."),
        (["a", "b"], "unexpected argument \"b\"."),
        (["a", "--binary", "b"], "--binary takes the place of FILE, so there can't be \"a\"."),
        (["--binary", "b", "--strict"], "--strict needs FILE, and doesn't go with --binary."),
        (["a", "--format", "xml"], "--format takes text, json or github, not \"xml\"."),
        (["a", "--disable", "zero-prise"], "there is no rule \"zero-prise\"; did you mean zero-price?"),
        (["a", "--source", "b"], "there is no option \"--source\"; did you mean --sources?"),
    ])
    func `a wrong argument is named`(arguments: [String], message: String) async {
        expectEqual(
            await CommandRun.of(["check"] + arguments),
            CommandRun(code: .usage, output: "", errors: "store check: \(message) See 'store check --help'.\n"))
    }

    @Test func `a wrong file is named, with the reason`() async throws {
        let folder = try Folder()
        try folder.add("Empty.storekit", "")
        try folder.add("Image.storekit", "PNG")
        try folder.add("package.json", "{ \"name\" : \"x\" }")
        let (shop, empty, json) = (
            folder.path("Shop.storekit"), folder.path("Empty.storekit"), folder.path("package.json")
        )
        let image = folder.path("Image.storekit")
        let errors = [
            (["/no/such.storekit"], "/no/such.storekit cannot be read: no such file."),
            ([folder.url.path], "\(folder.url.path) is a folder, not a StoreKit configuration file."),
            ([empty], "\(empty) is empty; expected a StoreKit configuration file."),
            ([image], "\(image) is not a StoreKit configuration file: The file is not JSON. The error is in line 1."),
            ([json], "\(json) is not a StoreKit configuration file: version: the key is missing."),
            ([shop, "--previous", json], "\(json) is not a StoreKit configuration file: version: the key is missing."),
            ([shop, "--sources", "/no/such"], "/no/such cannot be read: no such file."),
            ([shop, "--products", json], "\(json) is not a property list."),
            ([shop, "--scheme", json], "\(json) is not a scheme of Xcode."),
            ([shop, "--scheme", folder.url.path], "\(folder.url.path) is a folder, not a scheme."),
        ]
        for (arguments, message) in errors {
            expectEqual(
                await CommandRun.of(["check"] + arguments),
                CommandRun(code: .noInput, output: "", errors: "store check: \(message)\n"))
        }
    }

    @Test func `help names every rule`() async {
        let run = await CommandRun.of("check", "--help")
        #expect(run.output.hasPrefix("Usage: store check [FILE] [--sources FOLDERS]"))
        #expect(run.output.contains("removed-product") && run.output.contains("price-format"))
    }
}
