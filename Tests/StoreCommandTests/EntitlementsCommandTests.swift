import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct EntitlementsCommandTests {
    private let configuration: TemporaryFile

    init() throws {
        configuration = try TemporaryFile(
            products: [
                TemporaryFile.product("pro", "NonConsumable", more: #", "familyShareable": true"#),
                TemporaryFile.product("coins", "Consumable"),
            ],
            subscriptions: [TemporaryFile.subscription("monthly")])
    }

    private func run(_ script: String? = nil, _ arguments: String...) async throws -> CommandRun {
        var all = ["entitlements", "--configuration", configuration.path] + arguments
        guard let script else { return await CommandRun.of(all) }
        let file = try TemporaryFile(script, name: "year.txt")
        all += ["--script", file.path]
        defer { withExtendedLifetime(file) {} }
        return await CommandRun.of(all)
    }

    /// Returns the columns of a product in the drawing.
    private func columns(_ run: CommandRun, _ product: String) -> String? {
        run.lines.first { $0.hasPrefix(product + " ") }.map { String($0.dropFirst("monthly".count + 2)) }
    }

    @Test func `the included year has a subscription with a lapse and a refund, and a non-consumable`() async throws {
        let run = try await run()
        #expect(run.code == .success && run.errors.isEmpty)
        expectEqual(run.lines.first, "Test.storekit, 366 days from 2026-01-01, one column for a week")
        expectEqual(run.lines.dropFirst().first?.trimmingCharacters(in: .whitespaces).hasPrefix("Jan"), true)
        let monthly = try #require(columns(run, "monthly"))
        #expect(monthly.count == 53 && monthly.hasPrefix("━━━"))
        // Active, expired, active, in the grace period, active, refunded.
        expectEqual(String(monthly.reduce(into: [Character]()) { if $0.last != $1 { $0.append($1) } }), "━·━~━x")
        let pro = try #require(columns(run, "pro"))
        #expect(pro.hasPrefix("  ━") && pro.hasSuffix("━"))
        expectEqual(columns(run, "coins"), nil)
        #expect(run.lines.contains("day    3  2026-01-04  buy monthly"))
    }

    @Test func `the included configuration file has a year, too`() async {
        let run = await CommandRun.shared("entitlements")
        #expect(run.code == .success && run.errors.isEmpty)
        expectEqual(run.lines.count { $0.hasPrefix("darkroom.") }, 3)
    }

    @Test func `a script can have comments and empty lines`() async throws {
        let run = try await run(
            "# a family\n\n0 share pro # from mother\n  30 unshare pro\n40 buy monthly\n50 lapse monthly\n60 buy coins\n"
        )
        #expect(run.code == .success && run.errors.isEmpty)
        expectEqual(columns(run, "pro")?.hasPrefix("━━━━x"), true)
        expectEqual(columns(run, "monthly")?.hasPrefix("     ━━·"), true)
    }

    @Test func `declined payments lead to a grace period or to billing retry`() async throws {
        let without = try await run("0 buy monthly\n10 decline-payments\n50 accept-payments\n")
        expectEqual(columns(without, "monthly")?.contains("!!"), true)
        expectEqual(columns(without, "monthly")?.contains("~"), false)
        let with = try await run("0 buy monthly\n5 grace-period\n10 decline-payments\n40 accept-payments\n")
        expectEqual(columns(with, "monthly")?.contains("~"), true)
        expectEqual(columns(with, "monthly")?.contains("!"), false)
    }

    @Test func `JSON has the first day and the end of each state`() async throws {
        let run = try await run("0 buy pro\n10 refund pro\n", "--json")
        #expect(run.code == .success && run.errors.isEmpty)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(object["days"] as? Int == 366 && object["configuration"] as? String == "Test.storekit")
        let products = try #require(object["products"] as? [[String: Any]])
        let states = try #require(products.first?["states"] as? [[String: Any]])
        #expect(products.first?["product"] as? String == "pro")
        expectEqual(states.map { $0["state"] as? String }, ["subscribed", "revoked"])
        #expect(states.first?["from"] as? String == "2026-01-01" && states.first?["until"] as? String == "2026-01-11")
        #expect(states.last?["days"] as? Int == 356)
        expectEqual((object["events"] as? [[String: Any]])?.count, 2)
    }

    @Test func `the included year with monthly plans has a commitment that is canceled`() async throws {
        let run = await CommandRun.of("entitlements", "--plan", "monthly")
        #expect(run.code == .success && run.errors.isEmpty)
        let yearly = try #require(run.lines.first { $0.hasPrefix("darkroom.cloud.yearly  ") })
        #expect(yearly.contains("━!") && yearly.contains("!━"))
        #expect(
            run.lines.contains {
                $0.hasPrefix("darkroom.cloud.yearly: month ") && $0.hasSuffix("the commitment doesn't renew")
            })
        let json = await CommandRun.of("entitlements", "--plan", "monthly", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let products = try #require(object["products"] as? [[String: Any]])
        let commitment = products.lazy.compactMap { $0["commitment"] as? [String: Any] }.first
        #expect(commitment?["months"] as? Int == 12 && commitment?["renews"] as? Bool == false)
        let plain = await CommandRun.of("entitlements", "--plan", "up-front")
        expectEqual(plain.output, await CommandRun.shared("entitlements").output)
    }

    @Test func `the products of a file are listed, and an offer that can't be read is named`() async throws {
        let offers =
            #", "groupNumber": 2, "familyShareable": true, "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P2W"}, "#
            + #""adHocOffers": [{"offerID": "half", "paymentMode": "payAsYouGo", "displayPrice": "1", "#
            + #""subscriptionPeriod": "P1M", "numberOfPeriods": 3}, {"offerID": "broken"}]"#
        let file = try TemporaryFile(
            products: [TemporaryFile.product("coins", "Consumable")],
            subscriptions: [
                TemporaryFile.product(
                    "monthly", "RecurringSubscription", more: #", "recurringSubscriptionPeriod": "P1M"\#(offers)"#)
            ], settings: #"{"_storefront": "DEU"}"#)
        let run = await CommandRun.of("entitlements", "--products", "--configuration", file.path)
        expectEqual(
            run.lines,
            [
                "Test.storekit, storefront DEU, prices in EUR",
                "product  price  period      group        family     offers",
                "coins     1.99  consumable",
                "monthly   1.99  1 month     G1, level 2  shareable  "
                    + "introductory: free for 2 weeks, promotional half: 1 for 3 × 1 month", "",
            ])
        expectEqual(
            run.errors,
            "Test.storekit: Left out an offer. "
                + "subscriptionGroups[0].subscriptions[0].adHocOffers[1].paymentMode: the key is missing.\n")
        expectEqual(run.code, .success)
        let yearly = await CommandRun.of("entitlements", "--products")
        #expect(yearly.output.contains("monthly plan: "))
    }

    @Test func `an unknown plan is refused`() async throws {
        let unknown = await CommandRun.of("entitlements", "--plan", "weekly")
        #expect(unknown.code == .usage && unknown.errors.contains("--plan takes up-front or monthly, not \"weekly\""))
        let none = try await run(nil, "--plan", "monthly")
        #expect(
            none.code == .failure
                && none.errors.contains("The configuration file has no subscription with a monthly plan."))
    }

    @Test(arguments: [
        ("x buy pro", "line 1: \"x\" is not a day from 0 to 3650."),
        ("-1 buy pro", "line 1: \"-1\" is not a day from 0 to 3650."),
        ("9999 buy pro", "line 1: \"9999\" is not a day from 0 to 3650."),
        ("5 buy pro\n3 buy pro", "line 2: day 3 is before the day of an earlier line."),
        ("0 steal pro", "line 1: there is no action \"steal\"."),
        ("0 buyy pro", "line 1: there is no action \"buyy\"; did you mean buy?"),
        ("0", "line 1: the action is missing."), ("0 buy", "line 1: buy takes one product."),
        ("0 grace-period pro", "line 1: grace-period takes no product."),
        ("0 buy a b", "line 1: buy takes one product."),
        ("0 buy prp", "line 1: there is no product \"prp\"; did you mean pro?"),
    ])
    func `a wrong line of a script is named`(script: String, message: String) async throws {
        let run = try await run(script)
        #expect(run.code == .noInput && run.output.isEmpty)
        #expect(run.errors.hasSuffix(", \(message)\n"), "\(run.errors)")
    }

    @Test func `an impossible event ends the year, with its line`() async throws {
        let run = try await run("7 refund pro\n")
        #expect(run.code == .failure && run.output.isEmpty)
        #expect(run.errors.contains("line 1: refund pro is impossible"))
        expectEqual(await CommandRun.of("entitlements", "--script", "/none").code, .noInput)
        let empty = try TemporaryFile()
        let nothing = await CommandRun.of("entitlements", "--configuration", empty.path)
        #expect(nothing.code == .success && nothing.lines.contains("The customer never had an entitlement."))
    }
}
