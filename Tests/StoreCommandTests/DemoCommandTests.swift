import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct DemoCommandTests {
    @Test func `the demo runs over StoreKit 2 by default, with all its scenes`() async {
        let run = await CommandRun.shared("demo")
        expectEqual(run.code, .success)
        #expect(run.errors.isEmpty)
        expectEqual(run.lines.first, "A photo app and its customers, over StoreKit 2")
        expectEqual(
            run.titles,
            [
                "1. Products and prices", "2. A purchase, delivered in a closure", "3. A canceled purchase",
                "4. Ask to Buy, approved later",
                "5. An interrupted purchase", "6. A subscription and its renewal",
                "7. A declined payment and a grace period",
                "8. Two restores at once", "9. A crash before delivery", "10. A subscription that lapses",
                "11. A refund, and all entitlements", "12. A purchase that begins in the App Store",
                "13. A delivery server that is down",
                "14. A yearly subscription, paid monthly",
            ])
        #expect(run.output.hasSuffix("\nAll 14 scenes succeeded.\n"))
        #expect(!run.output.contains("\u{1B}"))
        for scene in 2...14 { expectEqual(run.scene(scene).last, "app        unfinished transactions: none") }
        expectEqual(await CommandRun.of("demo", "--engine", "2"), run)
    }

    @Test func `over StoreKit 1 the demo has no grace period and no commitment`() async {
        let (first, second) = (await CommandRun.shared("demo", "--engine", "1"), await CommandRun.shared("demo"))
        #expect(first.code == .success && first.output.hasSuffix("\nAll 12 scenes succeeded.\n"))
        expectEqual(first.lines.first, "A photo app and its customers, over StoreKit 1")
        expectEqual(first.titles.last, "12. A delivery server that is down")
        #expect(!first.output.contains("a grace period") && !first.output.contains("paid monthly"))
        for scene in [2, 3, 4] { expectEqual(first.scene(scene), second.scene(scene)) }
        #expect(
            first.scene(12).contains {
                $0.hasPrefix("server     receives 100 Credits with a receipt that contains it in attempt 2")
            })
    }

    @Test func `the picture in the README shows this demo`() async throws {
        let picture = "Sources/AsyncStoreKit/AsyncStoreKit.docc/Resources/demo.svg"
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent(picture), encoding: .utf8)
            .replacing(/<[^>]*>/, with: "").replacing("&quot;", with: "\"").replacing("&#x27;", with: "'").replacing(
                /\s/, with: "")
        let title = "swiftrunstoredemo"
        #expect(text.hasPrefix(title))
        let story = (await CommandRun.shared("demo")).output.replacing(/\s/, with: "")
        #expect(text.count > 1_000 && story.contains(text.dropFirst(title.count)))
    }

    @Test(arguments: [
        (
            1,
            [
                "App Store  storefront USA, 7 products",
                "darkroom.pro            Darkroom Pro    $24.99",
                "darkroom.cloud.yearly   Cloud, yearly   $29.99  1 year   2 weeks free",
                "darkroom.cloud.monthly  Cloud, monthly   $2.99  1 month  3 months at $0.99",
                "App Store  there is no product \"no.such.product\"",
            ]
        ),
        (
            3,
            [
                "customer   sees the price of 10 Credits, and closes the sheet",
                "app        userCancelled: there is nothing to deliver",
            ]
        ),
        (
            5,
            [
                "app        throws purchaseInterrupted: StoreKit ended the purchase of \"darkroom.season\" without a result. "
                    + "The transaction may still arrive.",
                "customer   confirms the payment in the bank's app",
                "app        delivers the purchase, then finishes the transaction",
            ]
        ),
        (
            6,
            [
                "app        entitlement to Cloud, monthly: active until 2026-02-01, renews",
                "time       a month later, on 2026-02-01",
                "app        entitlement to Cloud, monthly: active until 2026-03-01, renews",
            ]
        ),
        (
            7,
            [
                "App Store  can't charge the customer, and tries again",
                "app        entitlement to Cloud, monthly: grace period until 2026-03-17",
                "customer   enters a new payment method",
                "app        entitlement to Cloud, monthly: active until 2026-04-01, renews",
            ]
        ),
        (
            10,
            [
                "app        entitlement to Cloud, monthly: active until 2026-04-01, doesn't renew",
                "time       five weeks later, on 2026-04-07",
                "app        entitlement to Cloud, monthly: expired",
            ]
        ),
        (
            11,
            [
                "Darkroom Pro: active", "customer   requests a refund for Darkroom Pro", "Darkroom Pro: refunded",
                "Season Pass: active",
                "Cloud, monthly: expired",
            ]
        ),
        (
            14,
            [
                "app        month 1 of 12: another payment follows, the commitment renews",
                "stream     3 renewals, all delivered and finished",
                "app        month 4 of 12: another payment follows, the commitment ends on 2027-01-01",
                "app        month 12 of 12: no payment follows, the commitment ends on 2027-01-01",
                "app        entitlement to Cloud, yearly: expired",
            ]
        ),
    ])
    func `a scene prints what the app sees`(scene: Int, expected: [String]) async {
        let lines = (await CommandRun.shared("demo")).scene(scene)
        for line in expected { #expect(lines.contains(line), "\(line)") }
    }

    @Test func `a purchase is delivered, then finished`() async throws {
        let lines = (await CommandRun.shared("demo")).scene(2)
        expectEqual(lines.first, "customer   buys Darkroom Pro")
        #expect(lines[1].hasPrefix("app        delivers Darkroom Pro, transaction "))
        expectEqual(
            lines.dropFirst(2),
            [
                "app        success: the closure returned, and the transaction is finished",
                "app        entitlement to Darkroom Pro: active",
                "app        unfinished transactions: none",
            ])
    }

    @Test func `an approval arrives on the stream with the purchase that was pending`() async {
        let lines = (await CommandRun.shared("demo")).scene(4)
        #expect(lines.contains("app        pending: a parent has to approve, and the app continues"))
        #expect(
            lines.contains {
                $0.hasPrefix("stream     3 × 100 Credits, transaction ") && $0.hasSuffix(", the pending purchase")
            })
    }

    @Test func `of two restores at once one is rejected, and the other returns all purchases`() async {
        let lines = (await CommandRun.shared("demo")).scene(8)
        #expect(lines.contains { $0.hasPrefix("app        store.restore() again: throws restoreInProgress: ") })
        #expect(lines.contains("app        the first restore returns 3 purchases"))
        expectEqual(lines.count { $0.hasPrefix("app        delivers ") }, 3)
    }

    @Test func `an undelivered purchase is delivered once after a crash`() async throws {
        let lines = (await CommandRun.shared("demo")).scene(9)
        let crash = try #require(lines.firstIndex(of: "app        crashes before it delivers the purchase"))
        let transaction = try #require(lines[crash - 1].split(separator: " ").last)
        #expect(transaction.hasPrefix("2000"))
        expectEqual(lines[crash + 2], "stream     10 Credits, transaction \(transaction)")
        expectEqual(
            Array(lines.suffix(2)), ["app        launches again", "app        unfinished transactions: none"])
    }

    @Test func `a purchase from the App Store is held, and continues once`() async {
        let lines = await CommandRun.shared("demo").scene(12)
        let expected = [
            "customer   taps Buy for 10 Credits on the app's page in the App Store",
            "App Store  asks the app whether to continue with 10 Credits",
            "app        shows its introduction first, and holds the purchase",
            "app        is ready, and reads store.purchaseIntents",
            "stream     10 Credits, to continue with purchase()",
        ]
        expectEqual(Array(lines.prefix(expected.count)), expected)
        expectEqual(lines.count { $0.hasPrefix("app        continues, and delivers 10 Credits, transaction 2000") }, 1)
        #expect(
            lines.contains {
                $0.hasPrefix("app        calls purchase() again, which throws purchaseIntentAlreadyUsed: ")
            })
    }

    @Test func `a purchase is unfinished until the server accepts it`() async throws {
        let lines = await CommandRun.shared("demo").scene(13)
        let down = try #require(lines.firstIndex(of: "server     is down, and refuses connections"))
        let undelivered = try #require(lines.firstIndex(of: "app        has 1 undelivered purchase, still unfinished"))
        let up = try #require(lines.firstIndex(of: "server     is up again"))
        let accepted = try #require(
            lines.firstIndex(
                of:
                    #"server     receives 100 Credits with the signed transaction in attempt 2, and responds {"decision": "accepted"}"#
            ))
        expectEqual([down, undelivered, up, accepted], [down, undelivered, up, accepted].sorted())
        #expect(lines[down...undelivered].contains { $0.hasPrefix("app        throws deliveryPending: ") })
        #expect(
            lines[accepted...].contains {
                $0.hasPrefix("stream     100 Credits, ") && $0.hasSuffix(", delivered by the server")
            })
    }

    @Test func `the output is the same in every run, however busy the machine is`() async {
        let first = await CommandRun.shared("demo")
        await withTaskGroup(of: CommandRun.self) { group in
            for _ in 0..<8 { group.addTask { await CommandRun.of("demo") } }
            for await run in group { expectEqual(run, first) }
        }
    }

    @Test func `colors change only the colors`() async {
        let colored = await CommandRun.of("demo", isColored: true)
        #expect(colored.output.contains("\u{1B}[36m"))
        var plain = colored.output
        for code in ["0", "1", "2", "31", "32", "36"] {
            plain = plain.split(separator: "\u{1B}[\(code)m", omittingEmptySubsequences: false).joined()
        }
        expectEqual(plain, (await CommandRun.shared("demo")).output)
    }

    @Test(arguments: [
        ("--engine", "3"), ("--engine", "two"), ("--configuration", "File.storekit"), ("--plan", "monthly"),
    ])
    func `other engines and former options are wrong arguments`(option: String, value: String) async {
        let run = await CommandRun.of("demo", option, value)
        let message =
            option == "--engine"
            ? "--engine takes 1 or 2, for StoreKit 1 or StoreKit 2, not \"\(value)\""
            : "there is no option \"\(option)\""
        expectEqual(
            run, CommandRun(code: .usage, output: "", errors: "store demo: \(message). See 'store demo --help'.\n"))
    }
}

extension CommandRun {
    /// The titles of the demo's scenes.
    fileprivate var titles: [String] { lines.filter { $0.first?.isNumber ?? false } }
}
