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
        let keys = ["2000000123", "coins@1.5", "a b\n%20\t\"\\", "", "日本", "%", "x#y"]
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
        for key in ["1", "2"] {
            file.append([.delivered(Self.purchase(key))], now: Self.now)
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
            if step == .write, let descriptor = Self.inheritedDescriptor(of: path) { inherited.record(descriptor) }
            return .success(())
        }
        written(["1"], ledger)
        expectEqual(inherited.elements.count, 1)
        expectEqual(written(["2"]).failure, nil)
        expectEqual(keys(), ["1", "2"])
        inherited.elements.forEach { close($0) }
    }

    @Test func `a file that was cut, a huge one and a foreign one are set aside, and the ledger starts empty`() throws {
        written(["1", "2", "3"])
        let data = try Data(contentsOf: url)
        let others = [
            "SQLite format 3\0…", "AsyncStoreKit deliveries x\n", "AsyncStoreKit entitlements 3 e30=\n{}", "{}", "[]",
            #"{"version":2,"deliveries":{},"contexts":[]}"#, #"{"version":2,"deliveries":["1 2"],"contexts":[]}"#,
            #"{"version":99999999999999999999}"#, "\0\0\0\0\n\n",
        ]
        let huge = data + Data(repeating: 0x20, count: StoredFile.largestSize)
        let cut = stride(from: 1, to: data.count, by: 7).map { Data(data.prefix($0)) }
        for damaged in cut + others.map({ Data($0.utf8) }) + [huge] {
            try overwrite(damaged)
            let file = LedgerFile(DeliveryLedger(url: url))
            file.load()
            expectEqual(file.contents.deliveries, [:])
            #expect(file.failure?.message.contains("isn't a delivery ledger") == true, "\(damaged.count)")
            expectEqual(try Data(contentsOf: url), damaged, "it's set aside when there is something to write")
            file.append([.delivered(Self.purchase("4"))], now: Self.now)
            expectEqual(file.failure, nil)
            expectEqual(keys(), ["4"])
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: url.path + ".damaged")), damaged)
        }
    }

    @Test func `a file that is damaged while the app runs loses nothing`() throws {
        let file = written(["1", "2"])
        try overwrite(Data("damaged".utf8))
        file.append([.delivered(Self.purchase("3"))], now: Self.now)
        expectEqual(keys(), ["1", "2", "3"])
        expectEqual(try Data(contentsOf: URL(fileURLWithPath: url.path + ".damaged")), Data("damaged".utf8))
    }

    @Test func `a file of a version before 1.0 is read, and replaced by the next delivery`() throws {
        let id = "C0E7E87A-0000-8000-8000-000000000001"
        let lines = [
            "AsyncStoreKit deliveries 1 8A4F", "0 d 1800000000000 1799999999000 2000000123",
            "0 d 1800000000000 - a%20b%25",
            "0 c \(id) 1800000000000 coins =ann - Wzdd", "0 c 8\(id.dropFirst()) 1800000000000 coins - - WzFd",
            "0 a \(id) key%201", "0 e 8\(id.dropFirst())", "0 z what", "0 d - - 3", "0 d 1800000000000 - 20000",
        ]
        try overwrite(Data(lines.joined(separator: "\n").utf8))
        for keys in [["2000000123", "a b%"], ["2000000123", "4", "a b%"]] {
            let file = LedgerFile(DeliveryLedger(url: url))
            file.load()
            expectEqual(file.failure, nil)
            expectEqual(file.contents.deliveries.keys.sorted(), keys)
            expectEqual(file.contents.deliveries["2000000123"]?.purchaseDate, Self.now - 1)
            let context = try #require(file.contents.contexts.values.first)
            #expect(file.contents.contexts.count == 1 && context.value(as: Int.self) == 7)
            #expect(context.applicationUsername == "ann" && context.deliveryKey == "key 1")
            file.append([.delivered(Self.purchase("4"))], now: Self.now)
        }
        #expect(try Data(contentsOf: url).starts(with: "{".utf8))
    }

    @Test(arguments: [("[]", ["1", "2"]), ("7", ["1", "2"])])
    func `the known parts of a later version's file are read, and the file is left alone`(
        contexts: String, keys: [String]
    ) throws {
        let text =
            #"{"version":3,"deliveries":["1800000000000 1800000000000 1"],"contexts":\#(contexts),"more":{}}"#
        try overwrite(Data(text.utf8))
        let file = written(["2"])
        #expect(file.failure?.message.contains("version 3") == true)
        #expect(file.isLoaded)
        expectEqual(try Data(contentsOf: url), Data(text.utf8))
        expectEqual(file.contents.deliveries.keys.sorted(), keys, "the new one is valid in this launch")
        #expect(throws: StoreError.self) { try file.erase(account: nil, now: Self.now) }
        expectEqual(try Data(contentsOf: url), Data(text.utf8))
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
            expectEqual(file.failure?.message, step == .read ? nil : "The disk is full.")
            if step != .read, step != .written { expectEqual((try? Data(contentsOf: url)) ?? Data(), before ?? Data()) }
            isFailing.withLock { $0 = false }
            file.append([.delivered(Self.purchase("3"))], now: Self.now)
            expectEqual(file.failure, nil)
            expectEqual(keys(), earlier + ["2", "3"])
            try FileManager.default.removeItem(at: folder.url)
        }
    }

    @Test(arguments: [true, false])
    func `a file that another process has locked is written when the lock is gone, and reported after 30 milliseconds`(
        isBrief: Bool
    ) throws {
        written(["1"])
        let descriptor = open(url.path + ".lock", O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let attempts = Recorder<DeliveryLedger.Step>()
        var ledger = DeliveryLedger(url: url)
        ledger.willPerform = { step in
            guard step == .lock else { return .success(()) }
            attempts.record(step)
            if isBrief, attempts.elements.count == 31 { close(descriptor) }
            return .success(())
        }
        let file = written(["2"], ledger)
        expectEqual(attempts.elements.count, 31, "once, and again for 30 milliseconds")
        expectEqual(file.failure?.message.contains("another process"), isBrief ? nil : true)
        expectEqual(keys(), isBrief ? ["1", "2"] : ["1"])
        if !isBrief { close(descriptor) }
        file.append([.delivered(Self.purchase("3"))], now: Self.now)
        expectEqual(keys(), ["1", "2", "3"])
    }

    @Test func `two processes that write in turn, replace and delete the file lose none of each other's records`()
        throws
    {
        let (one, two) = (written(["1"]), written(["2"]))
        one.append([.delivered(Self.purchase("3"))], now: Self.now)
        expectEqual(one.contents.deliveries.keys.sorted(), ["1", "2", "3"])
        one.append([.delivered(Self.purchase("4"))], now: Self.now)
        two.append([.delivered(Self.purchase("5"))], now: Self.now)
        expectEqual(keys(), ["1", "2", "3", "4", "5"])
        try FileManager.default.removeItem(at: url)
        one.append([.delivered(Self.purchase("6"))], now: Self.now)
        two.append([.delivered(Self.purchase("7"))], now: Self.now)
        #expect(Set(["1", "2", "3", "4", "6", "7"]).isSubset(of: keys()))
    }

    @Test func `the newest two thousand purchases are kept`() throws {
        var contents = LedgerContents()
        for number in 0..<2_050 { contents.apply(.delivered(Self.purchase("\(number)", Double(number)))) }
        contents.prune(now: Self.now)
        expectEqual(contents.deliveries.count, LedgerContents.mostDeliveries)
        #expect(contents.deliveries["1999"] != nil && contents.deliveries["2000"] == nil)
        #expect(try JSONEncoder().encode(contents).count < 100_000)
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
        file.append([.requested(context)], now: Self.now)
        for now in [wrong, Self.now + 60] {
            let new = DeliveredPurchase(key: "new", purchaseDate: Self.now, deliveryDate: now)
            file.append([.delivered(new)], now: now)
            expectEqual(file.contents.deliveries.count, 301)
            expectEqual(file.contents.contexts.count, 1)
        }
        expectEqual(keys().count, 301)
    }
}
