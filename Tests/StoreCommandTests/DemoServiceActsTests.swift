import TestHarness
import Testing
import store

/// The acts in which more than a payment happens: downloads, purchases begun in the App Store, a server.
@Suite(.bounded) struct DemoServiceActsTests {
    @Test func `hosted content is downloaded before the transaction is finished`() async {
        expectEqual(
            await CommandRun.of("demo").act(8),
            [
                "customer   buys Film Grain",
                "app        store.hostedContent.content(of: purchase): 18 MB to download",
                "app         25 % of 18 MB",
                "app         50 % of 18 MB",
                "app         75 % of 18 MB",
                "app        100 % of 18 MB",
                "app        keeps film-grain 1.2 from file:///…/content-1, 18000000 bytes",
                "app        the transaction is not finished yet",
                "app        success: the closure has returned, the transaction is finished",
                "app        unfinished: nothing",
            ])
    }

    @Test func `on a terminal the download is one line that is drawn again and again`() async throws {
        let run = await CommandRun.of("demo", redraws: true)
        let line = try #require(run.lines.first { $0.contains("\r") })
        expectEqual(run.lines.filter { $0.contains("\r") }.count, 1)
        #expect(line.hasPrefix("\r   app        ░░░░░░░░░░░░░░░░░░░░   0 % of 18 MB\r"))
        #expect(line.hasSuffix("\r   app        ████████████████████ 100 % of 18 MB"))
        expectEqual(run, await CommandRun.of("demo", redraws: true))
        // But for the bar it is the same story.
        let plain = await CommandRun.of("demo").lines.filter { !$0.contains(" % of 18 MB") }
        expectEqual(run.lines.filter { !$0.contains(" % of 18 MB") }, plain)
    }

    @Test func `a promoted purchase is held, and continues once`() async {
        let lines = await CommandRun.of("demo").act(9)
        let expected = [
            "customer   finds 10 Credits on the app's page in the App Store, and taps Buy there",
            "App Store  asks the app whether to continue with 10 Credits",
            "app        is busy with its introduction, and holds it",
            "App Store  has sold nothing yet",
            "app        is done, and listens to store.purchaseIntents",
            "stream     10 Credits, begun in the App Store, waits for purchase()",
        ]
        expectEqual(Array(lines.prefix(expected.count)), expected)
        expectEqual(lines.filter { $0.hasPrefix("app        continues, and delivers purchased 10 Credits, transaction 2000") }.count, 1)
        expectEqual(lines.dropLast().last?.hasPrefix("app        purchase() once more throws purchaseIntentAlreadyUsed: "), true)
        expectEqual(lines.last, "app        unfinished: nothing")
    }

    @Test func `a purchase is owed while the server is down, and finished when it has accepted`() async throws {
        let lines = await CommandRun.of("demo").act(10)
        expectEqual(lines.first, "app        store.setDelivery(HTTPPurchaseDelivery(url: its server on 127.0.0.1))")
        let down = try #require(lines.firstIndex(of: "server     is down: it refuses every connection"))
        let owed = try #require(lines.firstIndex(of: "app        has 1 purchase to deliver, and finishes nothing"))
        let up = try #require(lines.firstIndex(of: "server     comes up"))
        let got = try #require(
            lines.firstIndex(
                of: #"server     gets 100 Credits and the receipt that holds it, attempt 2, and responds {"decision": "accepted"}"#))
        expectEqual([down, owed, up, got], [down, owed, up, got].sorted())
        #expect(lines[down...owed].contains { $0.hasPrefix("app        The delivery server could not be asked: ") })
        #expect(lines[down...owed].contains { $0.hasPrefix("app        throws deliveryPending: ") })
        #expect(lines[got...].contains { $0.hasPrefix("stream     purchased 100 Credits, ") && $0.hasSuffix(", delivered by the server") })
        expectEqual(lines.last, "app        unfinished: nothing")
    }

    @Test func `where everything has hosted content, every act downloads it, and the server's is skipped`() async throws {
        let contents = #"[{"contentIdentifier": "a", "contentLength": 2500}, {"contentIdentifier": "b", "contentLength": 0}]"#
        let hosted = TemporaryFile.product("map", "NonConsumable", more: #", "_hostedContent": \#(contents)"#)
        let file = try TemporaryFile(products: [hosted])
        let run = await CommandRun.of("demo", "--configuration", file.path)
        expectEqual(run.code, .success)
        #expect(run.output.hasSuffix("The end: 9 acts played, 1 skipped.\n"))
        for number in [2, 4, 5, 6, 7, 9] { #expect(run.act(number).contains("app        downloads what is hosted for it, 2.5 kB")) }
        for number in 2...9 { expectEqual(run.act(number).last, "app        unfinished: nothing") }
        #expect(run.act(8).contains("app        keeps b 1.0 from file:///…/content-2, 0 bytes"))
        let reason = "the App Store hosts content for every product that would fit, and only the app can fetch it."
        expectEqual(run.act(10), ["skipped: \(reason)"])
        expectEqual(run, await CommandRun.of("demo", "--configuration", file.path))
    }

    @Test func `without hosted content there is nothing to download, and that is said`() async throws {
        let file = try TemporaryFile(products: [TemporaryFile.product("coins", "Consumable")])
        let run = await CommandRun.of("demo", "--configuration", file.path)
        expectEqual(run.act(8), ["skipped: the file has no product with hosted content."])
    }

    @Test(arguments: [10_000_000_001, Int64.max])
    func `content that is too large is not downloaded`(length: Int64) async throws {
        let hosted = TemporaryFile.product("globe", "NonConsumable", more: #", "_hostedContent": [{"contentLength": \#(length)}]"#)
        let file = try TemporaryFile(products: [hosted])
        let run = await CommandRun.of("demo", "--configuration", file.path)
        expectEqual(run.code, .success)
        expectEqual(run.act(8), ["skipped: the App Store hosts more than 10000 MB for every product that would fit."])
        #expect(run.output.hasSuffix("The end: 1 acts played, 9 skipped.\n"))
    }
}
