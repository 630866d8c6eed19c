import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct DemoCommandTests {
    @Test func `the story that ships is played from the first act to the last`() async {
        let run = await CommandRun.of("demo")
        expectEqual(run.code, .success)
        #expect(run.errors.isEmpty)
        expectEqual(
            run.lines.filter { $0.first?.isNumber ?? false }.map { String($0) },
            [
                "1. What is for sale", "2. A purchase, delivered in a closure", "3. A purchase, cancelled", "4. Ask to Buy, approved later",
                "5. A purchase, interrupted and resolved later", "6. Two restores at once", "7. A crash before delivery, and a relaunch",
                "8. A download of hosted content",
                "9. A promoted purchase, held and continued later", "10. A purchase, delivered by a server that is down at first",
            ])
        #expect(run.output.hasSuffix("The end: 10 acts played, 0 skipped.\n"))
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test func `over StoreKit 2 the story is the same, but for what it lacks and what is signed`() async {
        let (first, second) = (await CommandRun.of("demo"), await CommandRun.of("demo", "--engine", "2"))
        #expect(second.code == .success && second.output.hasSuffix("The end: 9 acts played, 1 skipped.\n"))
        expectEqual(second.act(8), ["skipped: StoreKit 2 has no hosted content."])
        #expect(second.act(10).contains { $0.contains("gets 10 Credits and the signed transaction") })
        for act in [2, 3, 4] { expectEqual(second.act(act).map(\.withoutNumbers), first.act(act).map(\.withoutNumbers)) }
    }

    @Test func `the picture in the README is of this story`() async throws {
        let picture = "Sources/AsyncStoreKit/AsyncStoreKit.docc/Resources/demo.svg"
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent(picture), encoding: .utf8)
            .replacing(/<[^>]*>/, with: "").replacing("&quot;", with: "\"").replacing(/\s/, with: "")
        let title = "swiftrunstoredemo"
        #expect(text.hasPrefix(title))
        let story = (await CommandRun.of("demo")).output.replacing(/\s/, with: "")
        #expect(text.count > 1_000 && story.hasPrefix(text.dropFirst(title.count)))
    }

    @Test func `with monthly plans there is one more act, a commitment from the first month to the last`() async {
        let run = await CommandRun.of("demo", "--engine", "2", "--plan", "monthly")
        #expect(run.code == .success && run.output.hasSuffix("The end: 10 acts played, 1 skipped.\n"))
        let lines = run.act(11)
        #expect(lines.contains("app        month 1 of 12, access to 2026-02-01"))
        expectEqual(lines.count { $0.contains("another payment: yes, commitment renews: no") }, 1)
        expectEqual(lines.count { $0.contains("another payment: no, commitment renews: no") }, 1)
        #expect(lines.contains("app        after 12 payments: expired"))
        expectEqual(lines.last, "app        unfinished: nothing")
        let storeKit1 = await CommandRun.of("demo", "--plan", "monthly")
        #expect(storeKit1.code == .usage && storeKit1.errors.contains("--plan monthly needs --engine 2"))
    }

    @Test(arguments: ["0", "3", "two"])
    func `an engine that there is not is refused`(engine: String) async {
        let run = await CommandRun.of("demo", "--engine", engine)
        #expect(run.code == .usage && run.errors.contains("--engine takes 1 or 2"))
    }

    @Test func `products are a table with prices, periods and offers`() async {
        let lines = (await CommandRun.of("demo")).act(1)
        #expect(lines.contains("App Store  storefront USA, 7 products"))
        #expect(lines.contains("darkroom.pro            Darkroom Pro    non-consumable  $24.99"))
        #expect(lines.contains("darkroom.grain          Film Grain      non-consumable   $3.99           18 MB hosted"))
        #expect(lines.contains("darkroom.cloud.yearly   Cloud, yearly   subscription    $29.99  1 year   at first 2 weeks free"))
        #expect(lines.contains("darkroom.cloud.monthly  Cloud, monthly  subscription     $2.99  1 month  at first 3 months for $0.99 each"))
        expectEqual(lines.last, #"App Store  nothing is for sale under "no.such.product""#)
    }

    @Test func `a purchase is delivered, then finished`() async throws {
        let lines = (await CommandRun.of("demo")).act(2)
        expectEqual(lines.first, "customer   buys Darkroom Pro")
        #expect(lines[1].hasPrefix("app        delivers Darkroom Pro, transaction "))
        expectEqual(
            lines.dropFirst(2),
            [
                "app        success: the closure has returned, the transaction is finished", "app        unfinished: nothing",
            ])
    }

    @Test func `a cancelled purchase delivers nothing`() async {
        expectEqual(
            (await CommandRun.of("demo")).act(3),
            [
                "customer   is shown the price of 10 Credits, and closes the sheet",
                "app        userCancelled: nothing was bought, nothing is delivered",
                "app        unfinished: nothing",
            ])
    }

    @Test func `an approval arrives on the stream with the purchase that was pending`() async {
        let lines = (await CommandRun.of("demo")).act(4)
        #expect(lines.contains("app        pending: nothing to deliver yet, and the app continues"))
        #expect(
            lines.contains { $0.hasPrefix("stream     purchased 3 × 100 Credits, ") && $0.hasSuffix(", the purchase that was pending") })
        expectEqual(lines.last, "app        unfinished: nothing")
    }

    @Test func `an interrupted purchase fails, and arrives on the stream when it is resolved`() async {
        let lines = (await CommandRun.of("demo")).act(5)
        let error =
            #"app        throws purchaseInterrupted: StoreKit ended the purchase of "darkroom.cloud.yearly" "#
            + "without a result. The transaction may still arrive."
        expectEqual(lines.firstIndex(of: error), 1)
        expectEqual(lines.firstIndex { $0.hasPrefix("stream     purchased Cloud, yearly, transaction ") }, 3)
        expectEqual(lines.last, "app        unfinished: nothing")
    }

    @Test func `of two restores at once one is refused, and the other brings everything`() async {
        let lines = (await CommandRun.of("demo")).act(6)
        #expect(lines.contains { $0.hasPrefix("app        store.restore() once more throws restoreInProgress: ") })
        #expect(lines.contains("app        the first restore brings 2 purchases"))
        expectEqual(lines.filter { $0.hasPrefix("app        delivers ") }.count, 2)
        expectEqual(lines.last, "app        unfinished: nothing")
    }

    @Test func `what a crash left undelivered is delivered after the relaunch, and only once`() async throws {
        let lines = (await CommandRun.of("demo")).act(7)
        let crash = try #require(lines.firstIndex(of: "app        crashes"))
        #expect(lines[crash - 1].hasPrefix("app        success: purchased Season Pass, transaction "))
        let transaction = try #require(lines[crash - 1].split(separator: " ").first { $0.hasPrefix("2000") }).dropLast()
        expectEqual(lines[crash + 2], "stream     purchased Season Pass, transaction \(transaction)")
        expectEqual(Array(lines.suffix(2)), ["app        is launched once more", "app        unfinished: nothing"])
    }

    @Test func `the same file gives the same story, however busy the machine is`() async {
        let first = await CommandRun.of("demo")
        await withTaskGroup(of: CommandRun.self) { group in
            for _ in 0..<20 { group.addTask { await CommandRun.of("demo") } }
            for await run in group { expectEqual(run, first) }
        }
    }

    @Test func `colors change nothing but the colors`() async {
        let colored = await CommandRun.of("demo", isColored: true)
        #expect(colored.output.contains("\u{1B}[36m"))
        var plain = colored.output
        for code in ["0", "1", "2", "31", "32", "36"] {
            plain = plain.split(separator: "\u{1B}[\(code)m", omittingEmptySubsequences: false).joined()
        }
        expectEqual(plain, (await CommandRun.of("demo")).output)
    }

    @Test func `a catalog without products gets one line`() async throws {
        let file = try TemporaryFile(products: [])
        let run = await CommandRun.of("demo", "--configuration", file.path)
        let line = "Nothing is for sale in Test.storekit: it has no products, and so there is no story to play.\n"
        expectEqual(run, CommandRun(code: .success, output: line, errors: ""))
    }

    @Test(arguments: ["Consumable", "NonRenewingSubscription"])
    func `without anything to restore the restores are skipped, and say why`(type: String) async throws {
        let file = try TemporaryFile(products: [TemporaryFile.product("only", type)])
        let run = await CommandRun.of("demo", "--configuration", file.path)
        expectEqual(run.code, .success)
        expectEqual(run.act(6), ["skipped: the file has no non-consumable, and no subscription."])
        #expect(run.output.hasSuffix("The end: 8 acts played, 2 skipped.\n"))
    }

    @Test(arguments: ["NonConsumable", "RecurringSubscription"])
    func `one product is enough for the whole story, told by several customers`(type: String) async throws {
        let file =
            try type == "NonConsumable"
            ? TemporaryFile(products: [TemporaryFile.product("only", type)])
            : TemporaryFile(subscriptions: [TemporaryFile.subscription("only")])
        let run = await CommandRun.of("demo", "--configuration", file.path)
        expectEqual(run.code, .success)
        expectEqual(run.act(3).first, "customer   has everything by now: another customer signs in")
        #expect(run.act(6).contains("app        the first restore brings 1 purchase"))
        #expect(run.output.hasSuffix("The end: 9 acts played, 1 skipped.\n"))
    }

    @Test func `switches of the file do not spoil the story`() async throws {
        let settings = #"{"_askToBuyEnabled": true, "_failTransactionsEnabled": true, "_interruptedPurchasesEnabled": true}"#
        let file = try TemporaryFile(products: [TemporaryFile.product("pro", "NonConsumable")], settings: settings)
        let run = await CommandRun.of("demo", "--configuration", file.path)
        #expect(run.output.hasSuffix("The end: 9 acts played, 1 skipped.\n"))
    }

    @Test func `names that would command the terminal, and very many products, are printed all the same`() async throws {
        let hostile = TemporaryFile.product("evil", "Consumable", name: #"\u001b[2J\nGotcha"#)
        let many = (0..<2000).map { TemporaryFile.product("product.\($0)", "NonConsumable", price: "\($0).99") }
        let file = try TemporaryFile(products: [hostile] + many)
        let run = await CommandRun.of("demo", "--configuration", file.path)
        expectEqual(run.code, .success)
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.output.contains("�[2J�Gotcha"))
        #expect(run.act(1).contains("… and 1951 more"))
    }
}

extension String {
    /// The two engines number their transactions in their own steps.
    fileprivate var withoutNumbers: String { filter { !$0.isNumber } }
}
