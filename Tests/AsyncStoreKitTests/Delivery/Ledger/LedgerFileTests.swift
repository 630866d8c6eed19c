import AppReceipt
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct LedgerFileTests {
    private let folder = TemporaryFolder()
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private var url: URL { folder.file("Some Folder/Deliveries") }

    private static func purchase(_ key: String, _ age: TimeInterval = 0) -> DeliveredPurchase {
        DeliveredPurchase(key: key, purchaseDate: now - age, deliveryDate: now - age)
    }

    private func keys(_ url: URL? = nil) -> [String] {
        let file = LedgerFile(DeliveryLedger(url: url ?? self.url))
        file.load()
        return file.contents.deliveries.keys.sorted()
    }

    /// Creates a file with these keys.
    @discardableResult
    private func written(_ keys: [String], _ ledger: DeliveryLedger? = nil) -> LedgerFile {
        let file = LedgerFile(ledger ?? DeliveryLedger(url: url))
        file.load()
        for key in keys { file.append([.delivered(Self.purchase(key))], now: Self.now) }
        return file
    }

    private func overwrite(_ data: Data) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    @Test func `recorded keys are read in the next launch, whatever they contain`() {
        let keys = ["2000000123", "coins@1.5", "a b\n%20\t", "", "日本", "%", "x#y"]
        let file = written(keys)
        expectEqual(file.failure, nil)
        expectEqual(self.keys(), keys.sorted())
        let again = LedgerFile(DeliveryLedger(url: url))
        again.load()
        expectEqual(again.contents.deliveries["2000000123"], Self.purchase("2000000123"))
    }

    @Test func `only the user of the process can read and write the ledger, its lock, and the file that replaces it`()
        throws
    {
        let file = written(["1"])
        for replaces in [false, true] {
            if replaces { file.append(Array(repeating: .delivered(Self.purchase("1")), count: 500), now: Self.now) }
            file.append([.delivered(Self.purchase("2"))], now: Self.now)
            let folder = url.deletingLastPathComponent().path
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            expectEqual(names, ["Deliveries", "Deliveries.lock"])
            for name in names {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                expectEqual(attributes[.posixPermissions] as? Int, 0o600, "\(name)")
            }
        }
    }

    /// Returns a copy of this process's descriptor of a file, like the one that a new process inherits.
    private static func inheritedDescriptor(of path: String) -> Int32? {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        for descriptor in Int32(3)..<1_024 {
            var other = stat()
            guard fstat(descriptor, &other) == 0, other.st_ino == file.st_ino, other.st_dev == file.st_dev else {
                continue
            }
            return dup(descriptor)
        }
        return nil
    }

    @Test func `the lock ends with the write, even if a new process has inherited the descriptor`() throws {
        let inherited = Recorder<Int32>()
        var ledger = DeliveryLedger(url: url)
        ledger.willPerform = { [path = url.path + ".lock"] step in
            if step == .open, let descriptor = Self.inheritedDescriptor(of: path) { inherited.record(descriptor) }
            return .success(())
        }
        written(["1"], ledger)
        expectEqual(inherited.elements.count, 1)
        expectEqual(written(["2"]).failure, nil)
        expectEqual(keys(), ["1", "2"])
        inherited.elements.forEach { close($0) }
    }

    @Test func `no line that differs by one byte is read`() {
        let line = Array(LedgerRecord.delivered(Self.purchase("2000000123")).line.utf8)
        #expect(LedgerRecord(line: line[...]) != nil)
        for place in line.indices {
            var other = line
            other[place] ^= 1
            #expect(LedgerRecord(line: other[...]) == nil, "\(String(decoding: other, as: UTF8.self))")
        }
    }

    @Test func `a file that was cut anywhere keeps its complete lines, and accepts the next one`() throws {
        written(["1", "2", "3"])
        let data = try Data(contentsOf: url)
        for length in 0..<data.count {
            try overwrite(data.prefix(length))
            let complete = data.prefix(length).count { $0 == UInt8(ascii: "\n") } - 1
            let isHeaderCut = complete < 0
            let file = written(["4"])
            expectEqual(file.failure, nil, "\(length) bytes")
            expectEqual(keys(), (isHeaderCut ? [] : ["1", "2", "3"].prefix(complete)) + ["4"], "\(length) bytes")
        }
    }

    @Test func `damaged lines are skipped and reported, and the next write repairs the file`() throws {
        written(["1", "2", "3"])
        var data = try Data(contentsOf: url)
        let place = try #require(data.firstIndex(of: UInt8(ascii: "\n")))
        data[place + 5] ^= 1
        try overwrite(data)
        let file = LedgerFile(DeliveryLedger(url: url))
        file.load()
        expectEqual(file.contents.deliveries.keys.sorted(), ["2", "3"])
        #expect(file.failure?.message.contains("1 lines") == true)
        file.append([.delivered(Self.purchase("4"))], now: Self.now)
        expectEqual(file.failure, nil)
        expectEqual(keys(), ["2", "3", "4"])
        expectEqual(try Data(contentsOf: URL(fileURLWithPath: url.path + ".damaged")), data)
    }

    @Test func `a foreign file is renamed, and the ledger starts empty`() throws {
        for text in [
            "SQLite format 3\0…", "AsyncStoreKit deliveries x\n", "AsyncStoreKit deliveries 1",
            "AsyncStoreKit entitlements 1\n",
            "\0\0\0\0\n\n",
        ] {
            try overwrite(Data(text.utf8))
            let file = LedgerFile(DeliveryLedger(url: url))
            file.load()
            #expect(file.failure?.message.contains("isn't a delivery ledger") == true, "\(text)")
            file.append([.delivered(Self.purchase("1"))], now: Self.now)
            expectEqual(keys(), ["1"])
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: url.path + ".damaged")), Data(text.utf8))
        }
    }

    @Test func `a later version's file is left alone`() throws {
        let data = Data("AsyncStoreKit deliveries 2\nsomething else\n".utf8)
        try overwrite(data)
        let file = written(["1"])
        #expect(file.failure?.message.contains("version 2") == true)
        #expect(file.isLoaded)
        expectEqual(try Data(contentsOf: url), data)
        expectEqual(file.contents.deliveries.keys.sorted(), ["1"], "it's valid in this launch")
    }

    @Test func `only the end of a huge file is read`() throws {
        written(["1", "2"])
        let written = try Data(contentsOf: url)
        let lines = written.dropFirst((written.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1)
        let filling = Data(repeating: UInt8(ascii: "x"), count: Int(LedgerFile.largestSize))
        try overwrite(Data(LedgerContents.header(generation: "1").utf8) + filling + Data("\n".utf8) + lines)
        let file = LedgerFile(DeliveryLedger(url: url))
        file.load()
        expectEqual(file.contents.deliveries.keys.sorted(), ["1", "2"])
        #expect(file.failure?.message.contains("Only its end") == true)
        file.append([.delivered(Self.purchase("3"))], now: Self.now)
        #expect(try Data(contentsOf: url).count < 1_000)
        expectEqual(keys(), ["1", "2", "3"])
    }

    @Test(arguments: ["a folder", "a pipe", "below a file"])
    func `anything but a regular file is reported, without waiting`(kind: String)
        throws
    {
        var url = url
        try overwrite(Data())
        switch kind {
        case "a folder": url.deleteLastPathComponent()
        case "a pipe":
            try FileManager.default.removeItem(at: url)
            #expect(mkfifo(url.path, 0o600) == 0)
        default: url.appendPathComponent("Deliveries")
        }
        let file = written(["1"], DeliveryLedger(url: url))
        #expect(file.failure != nil)
        expectEqual(file.contents.deliveries.keys.sorted(), ["1"], "it's valid in this launch")
    }

    @Test(arguments: DeliveryLedger.Step.allCases)
    func `records that couldn't be written are written with the next delivery`(step: DeliveryLedger.Step) throws {
        // A long file, so that both ways to write are taken.
        let isFailing = Locked(false)
        for earlier in [[], ["1"]] {
            var ledger = DeliveryLedger(url: url)
            ledger.willPerform = { reached in
                guard reached == step, isFailing.withLock({ $0 }) else { return .success(()) }
                return .failure(StoreError(.systemError, "The disk is full."))
            }
            written(earlier)
            let before = try? Data(contentsOf: url)
            isFailing.withLock { $0 = true }
            let file = written(["2"], ledger)
            let isReached = step != .read && step != (earlier.isEmpty ? .append : .replace)
            expectEqual(file.failure?.message, isReached ? "The disk is full." : nil)
            if isReached, step != .written { expectEqual((try? Data(contentsOf: url)) ?? Data(), before ?? Data()) }
            isFailing.withLock { $0 = false }
            file.append([.delivered(Self.purchase("3"))], now: Self.now)
            expectEqual(file.failure, nil)
            expectEqual(keys(), earlier + ["2", "3"])
            try FileManager.default.removeItem(at: folder.url)
        }
    }

    @Test func `a file that another process has locked is reported, and written when the lock is gone`() throws {
        written(["1"])
        let descriptor = open(url.path + ".lock", O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let attempts = Recorder<DeliveryLedger.Step>()
        var ledger = DeliveryLedger(url: url)
        ledger.willPerform = { step in
            if step == .lock { attempts.record(step) }
            return .success(())
        }
        let file = written(["2"], ledger)
        #expect(file.failure?.message.contains("Another process") == true)
        expectEqual(attempts.elements.count, 31, "once, and again for 30 milliseconds")
        expectEqual(keys(), ["1"])
        close(descriptor)
        file.append([.delivered(Self.purchase("3"))], now: Self.now)
        expectEqual(keys(), ["1", "2", "3"])
    }

    @Test func `a file that another process is writing is written when that process has ended`() throws {
        written(["1"])
        let descriptor = open(url.path + ".lock", O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let attempts = Recorder<DeliveryLedger.Step>()
        var ledger = DeliveryLedger(url: url)
        ledger.willPerform = { step in
            guard step == .lock else { return .success(()) }
            attempts.record(step)
            if attempts.elements.count == 31 { close(descriptor) }
            return .success(())
        }
        expectEqual(written(["2"], ledger).failure, nil)
        expectEqual(attempts.elements.count, 31)
        expectEqual(keys(), ["1", "2"])
    }

    @Test func `two processes that write in turn, replace and delete the file lose none of each other's records`()
        throws
    {
        let (one, two) = (written(["1"]), written(["2"]))
        one.append([.delivered(Self.purchase("3"))], now: Self.now)
        expectEqual(one.contents.deliveries.keys.sorted(), ["1", "2", "3"])
        // So many lines that the file is replaced.
        for _ in 0..<300 { one.append([.delivered(Self.purchase("4"))], now: Self.now) }
        #expect(try Data(contentsOf: url).count { $0 == UInt8(ascii: "\n") } < 250)
        two.append([.delivered(Self.purchase("5"))], now: Self.now)
        expectEqual(keys(), ["1", "2", "3", "4", "5"])
        try FileManager.default.removeItem(at: url)
        one.append([.delivered(Self.purchase("6"))], now: Self.now)
        two.append([.delivered(Self.purchase("7"))], now: Self.now)
        #expect(Set(["1", "2", "3", "4", "6", "7"]).isSubset(of: keys()))
    }

    @Test func `the newest ten thousand purchases of 400 days are kept, and a hundred at any age`() {
        func kept(_ ages: [TimeInterval], now: Date = Self.now) -> Int {
            var contents = LedgerContents()
            for (number, age) in ages.enumerated() { contents.apply(.delivered(Self.purchase("\(number)", age))) }
            contents.prune(now: now)
            return contents.deliveries.count
        }
        let day = 86_400.0
        expectEqual(kept((0..<10_050).map { Double($0) }), 10_000)
        expectEqual(kept(Array(repeating: 399 * day, count: 300)), 300)
        expectEqual(kept([0] + Array(repeating: 401 * day, count: 300)), 100)
        expectEqual(kept(Array(repeating: day, count: 300) + Array(repeating: 401 * day, count: 300)), 600)
        expectEqual(kept(Array(repeating: day, count: 300) + Array(repeating: 401 * day + 1, count: 300)), 300)
        expectEqual(kept([day, -500 * day] + Array(repeating: 401 * day, count: 300)), 100, "a purchase of the future")
        var contents = LedgerContents()
        for number in 0..<10_050 { contents.apply(.delivered(Self.purchase("\(number)", Double(number)))) }
        contents.prune(now: Self.now)
        #expect(contents.deliveries["9999"] != nil && contents.deliveries["10000"] == nil)
        #expect(contents.encoded(generation: "1").count < 700_000)
    }

    @Test(arguments: [500.0, -9_000])
    func `a clock that is wrong for one launch drops no purchase, neither in that launch nor later`(days: Double) {
        let wrong = Self.now + days * 86_400
        let file = LedgerFile(DeliveryLedger(url: url))
        file.load()
        file.append((0..<300).map { .delivered(Self.purchase("\($0)", Double($0) * 86_400)) }, now: Self.now)
        let context = PurchaseContext(
            id: UUID(), productID: "coins", requestDate: Self.now - 86_400, json: Array("[1]".utf8),
            applicationUsername: nil)
        file.append([.context(.requested(context))], now: Self.now)
        // So many lines that the file is replaced, in this launch and in the next one.
        for now in [wrong, Self.now + 60] {
            let new = DeliveredPurchase(key: "new", purchaseDate: Self.now, deliveryDate: now)
            file.append(Array(repeating: .delivered(new), count: 1_000), now: now)
            file.append([.delivered(new)], now: now)
            expectEqual(file.contents.lineCount, 302, "the file was replaced")
            expectEqual(file.contents.deliveries.count, 301)
            expectEqual(file.contents.contexts.count, 1)
        }
        expectEqual(keys().count, 301)
    }
}
