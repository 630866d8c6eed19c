import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct PurchaseCommandTests {
    private let file: TemporaryFile

    init() throws {
        file = try TemporaryFile(
            products: [
                TemporaryFile.product("coins", "Consumable", price: "0.99", name: "Coins"),
                TemporaryFile.product("map", "NonConsumable", more: #", "_hostedContent": [{"contentLength": 1000}]"#),
            ], subscriptions: [TemporaryFile.subscription("monthly")])
    }

    private func purchase(engine: Int = 2, _ arguments: String...) async -> CommandRun {
        await CommandRun.of(["purchase"] + arguments + ["--configuration", file.path, "--engine", "\(engine)"])
    }

    @Test func `a purchase prints its result, and succeeds`() async {
        let run = await purchase("coins", "--quantity", "3")
        expectEqual(run.code, .success)
        #expect(run.errors.isEmpty)
        let first = [
            "outcome      success", "product      coins", "name         Coins", "quantity     3",
            "price        $0.99 each",
        ]
        expectEqual(Array(run.lines.prefix(5)), first)
        #expect(run.lines.contains("date         2026-01-01T00:00:00Z"))
        #expect(run.lines.contains("finished     yes"))
        expectEqual(await purchase("coins", "--quantity=3"), run)
    }

    @Test func `a subscription has a period`() async {
        let run = await purchase("monthly")
        expectEqual(run.code, .success)
        #expect(run.lines.contains("period       1 month"))
        #expect(run.lines.contains("price        $1.99"))
    }

    @Test func `a purchase on the monthly plan prints both prices`() async {
        let run = await CommandRun.of("purchase", "darkroom.cloud.yearly", "--plan", "monthly")
        expectEqual(run.code, .success)
        #expect(run.lines.contains { $0.hasPrefix("price        2,99") && $0.hasSuffix("€") })
        #expect(run.lines.contains("period       1 month"))
        #expect(run.lines.contains { $0.hasPrefix("commitment   35,88") && $0.hasSuffix("€ for 1 year") })
        let upFront = await CommandRun.of("purchase", "darkroom.cloud.yearly", "--plan", "up-front")
        expectEqual(upFront, await CommandRun.of("purchase", "darkroom.cloud.yearly"))
        #expect(!upFront.output.contains("commitment"))
    }

    @Test func `a product without the monthly plan is refused, with the products that have it`() async {
        let run = await CommandRun.of("purchase", "darkroom.pro", "--plan", "monthly")
        let message = #""darkroom.pro" has no monthly plan; these products do: darkroom.cloud.yearly"#
        expectEqual(
            run,
            CommandRun(code: .usage, output: "", errors: "store purchase: \(message). See 'store purchase --help'.\n"))
        let none = await purchase("coins", "--plan", "monthly")
        expectEqual(none.code, .failure)
        #expect(none.errors.contains("The configuration file has no subscription with a monthly plan."))
    }

    @Test func `hosted content keeps a transaction open`() async {
        let run = await purchase(engine: 1, "map")
        expectEqual(run.code, .success)
        #expect(run.lines.contains("finished     no: download the hosted content first (--download)"))
    }

    @Test func `--download downloads hosted content, and the transaction is finished`() async {
        let run = await purchase(engine: 1, "map", "--download")
        expectEqual(run.code, .success)
        expectEqual(Array(run.lines.prefix(4)), [" 25% of 1 kB", " 50% of 1 kB", " 75% of 1 kB", "100% of 1 kB"])
        #expect(run.lines.contains { $0.hasPrefix("content      ") && $0.hasSuffix(" 1.0, 1 kB") })
        #expect(run.lines.contains("finished     yes"))
    }

    @Test func `a product without hosted content downloads nothing`() async {
        let run = await purchase(engine: 1, "coins", "--download")
        expectEqual(run.code, .success)
        #expect(run.lines.contains("content      The product has no hosted content."))
        #expect(run.lines.contains("finished     yes"))
        #expect(!run.output.contains("% of "))
    }

    @Test func `a product with too much content is not bought`() async throws {
        let hosted = TemporaryFile.product(
            "globe", "NonConsumable", more: #", "_hostedContent": [{"contentLength": 10000000001}]"#)
        let file = try TemporaryFile(products: [hosted])
        let run = await CommandRun.of("purchase", "globe", "--download", "--engine", "1", "--configuration", file.path)
        let line = #"store purchase: The hosted content of "globe" is larger than 10000 MB, the maximum."#
        expectEqual(run, CommandRun(code: .failure, output: "", errors: "\(line)\n"))
    }

    @Test func `Ask to Buy is pending`() async {
        let run = await purchase("coins", "--ask-to-buy")
        expectEqual(run.code, .success)
        expectEqual(run.lines.first, "outcome   pending: waits for approval")
        #expect(!run.output.contains("transaction"))
    }

    @Test(arguments: ["2", "paymentCancelled", "PAYMENTCANCELLED"])
    func `a canceled payment is an outcome, with exit code 1`(code: String) async {
        let run = await purchase("coins", "--fail", code)
        expectEqual(run.code, .failure)
        expectEqual(run.lines.first, "outcome   userCancelled")
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [
        ("3", #"store purchase: storeKit: The purchase of "coins": The payment is not valid."#),
        ("paymentInvalid", #"store purchase: storeKit: The purchase of "coins": The payment is not valid."#),
        (
            "0",
            #"store purchase: purchaseInterrupted: StoreKit ended the purchase of "coins" without a result. "#
                + "The transaction may still arrive."
        ),
        (
            "5",
            #"store purchase: notAvailableInStorefront: The purchase of "coins": The product is not available in this storefront."#
        ),
        ("18", #"store purchase: ineligibleForOffer: The purchase of "coins": SKError.ineligibleForOffer."#),
    ])
    func `a payment that fails is one line on standard error, and code 1`(code: String, line: String) async {
        expectEqual(
            await purchase(engine: 1, "coins", "--fail", code),
            CommandRun(code: .failure, output: "", errors: "\(line)\n"))
    }

    @Test func `every code of SKError has its name`() throws {
        for number in 0...21 {
            let byNumber = try FailureCode("\(number)")
            expectEqual(byNumber.number, number)
            expectEqual(try FailureCode(byNumber.name), byNumber)
        }
        // Spot checks against SKError.h.
        expectEqual(try FailureCode("privacyAcknowledgementRequired").number, 9)
        expectEqual(try FailureCode("missingOfferParams").number, 13)
        expectEqual(try FailureCode("overlayPresentedInBackgroundScene").number, 20)
    }

    @Test func `an unknown product is named, with the products of the file`() async {
        let run = await purchase("gold")
        let line =
            #"store purchase: productUnavailable: The App Store has no product "gold". "#
            + "The products of Test.storekit: coins, map, monthly."
        expectEqual(run, CommandRun(code: .failure, output: "", errors: "\(line)\n"))
    }

    @Test func `the settings of the file apply`() async throws {
        let file = try TemporaryFile(
            products: [TemporaryFile.product("pro", "NonConsumable")], settings: #"{"_askToBuyEnabled": true}"#)
        let run = await CommandRun.of("purchase", "pro", "--configuration", file.path)
        expectEqual(run.lines.first, "outcome   pending: waits for approval")
        let offline = try TemporaryFile(
            products: [TemporaryFile.product("pro", "NonConsumable")],
            settings: #"{"_storeKitErrors": [{"enabled": true, "name": "Load Products"}]}"#)
        let failed = await CommandRun.of("purchase", "pro", "--configuration", offline.path)
        expectEqual(failed.code, .failure)
        #expect(failed.errors.hasPrefix("store purchase: networkError: "))
    }

    @Test(arguments: [
        ([], "PRODUCT is missing"),
        (
            ["coins", "--configuration", "x", "--quantity", "0"],
            "--quantity takes a whole number from 1 to 10, not \"0\""
        ),
        (
            ["coins", "--configuration", "x", "--quantity", "11"],
            "--quantity takes a whole number from 1 to 10, not \"11\""
        ),
        (
            ["coins", "--configuration", "x", "--quantity", "-3"],
            "--quantity takes a whole number from 1 to 10, not \"-3\""
        ),
        (
            ["coins", "--configuration", "x", "--quantity", "2.5"],
            "--quantity takes a whole number from 1 to 10, not \"2.5\""
        ),
        (
            ["coins", "--configuration", "x", "--quantity", "99999999999999999999"],
            "--quantity takes a whole number from 1 to 10, not \"99999999999999999999\""
        ),
        (
            ["coins", "--configuration", "x", "--fail", "22"],
            "--fail takes a code of SKError: 0 to 21, or a name such as paymentNotAllowed, not \"22\""
        ),
        (
            ["coins", "--configuration", "x", "--fail", "-1"],
            "--fail takes a code of SKError: 0 to 21, or a name such as paymentNotAllowed, not \"-1\""
        ),
        (
            ["coins", "--configuration", "x", "--fail", "banana"],
            "--fail takes a code of SKError: 0 to 21, or a name such as paymentNotAllowed, not \"banana\""
        ),
        (
            ["coins", "--configuration", "x", "--plan", "weekly"],
            "--plan takes up-front or monthly, not \"weekly\""
        ),
        (
            ["coins", "--configuration", "x", "--plan", "monthly", "--engine", "1"],
            "--plan monthly needs --engine 2: StoreKit 1 has no billing plans"
        ),
        (
            ["coins", "--configuration", "x", "--fail", "3", "--ask-to-buy"],
            "--ask-to-buy and --fail exclude each other: a pending payment can't fail yet"
        ),
    ])
    func `wrong arguments are reported before the file is read`(arguments: [String], message: String) async {
        let run = await CommandRun.of(["purchase"] + arguments)
        expectEqual(
            run,
            CommandRun(code: .usage, output: "", errors: "store purchase: \(message). See 'store purchase --help'.\n"))
    }

    @Test func `a misspelled code gets a suggestion`() async {
        let run = await purchase("coins", "--fail", "paymentInvald")
        #expect(
            run.errors.hasSuffix("not \"paymentInvald\"; did you mean paymentInvalid? See 'store purchase --help'.\n"))
        expectEqual(run.code, .usage)
    }

    @Test func `without a configuration file the products are those of the demo`() async {
        let run = await CommandRun.of("purchase", "darkroom.pro")
        #expect(run.code == .success && run.lines.contains("name         Darkroom Pro"))
        let unknown = await CommandRun.of("purchase", "darkroom.max")
        #expect(unknown.code == .failure && unknown.errors.contains("The products of Demo.storekit: darkroom."))
    }

    @Test(arguments: [("map", "a non-consumable"), ("monthly", "an auto-renewable subscription")])
    func `a quantity is refused where Apple refuses it`(product: String, kind: String) async {
        let run = await purchase(product, "--quantity", "2")
        let message = "--quantity is for consumables and non-renewing subscriptions; \"\(product)\" is \(kind)"
        expectEqual(
            run,
            CommandRun(code: .usage, output: "", errors: "store purchase: \(message). See 'store purchase --help'.\n"))
        expectEqual(await purchase(product, "--quantity", "1").code, .success)
    }

    @Test func `a download needs StoreKit 1`() async {
        let run = await purchase("map", "--download")
        #expect(run.code == .usage && run.errors.contains("--download needs --engine 1"))
        #expect(await purchase("map").lines.contains("finished     yes"))
    }

    @Test func `JSON has the result of a purchase`() async throws {
        func object(_ run: CommandRun) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        }
        let bought = try object(await purchase("coins", "--quantity", "3", "--json"))
        #expect(bought["outcome"] as? String == "success" && bought["engine"] as? String == "StoreKit 2")
        #expect(
            bought["quantity"] as? Int == 3 && bought["price"] as? String == "$0.99"
                && bought["isFinished"] as? Bool == true)
        #expect((bought["transaction"] as? String)?.hasPrefix("2000") == true)
        let downloaded = try object(await purchase(engine: 1, "map", "--download", "--json"))
        #expect((downloaded["content"] as? [[String: Any]])?.first?["size"] as? Int == 1000)
        let pending = try object(await purchase("coins", "--ask-to-buy", "--json"))
        #expect(pending["outcome"] as? String == "pending" && pending["transaction"] == nil)
        let failed = await purchase(engine: 1, "coins", "--fail", "3", "--json")
        let error = try #require(try object(failed)["error"] as? [String: Any])
        #expect(try object(failed)["outcome"] as? String == "failed" && error["code"] as? String == "storeKit")
        #expect(failed.code == .failure && failed.errors.hasPrefix("store purchase: storeKit: "))
    }
}
