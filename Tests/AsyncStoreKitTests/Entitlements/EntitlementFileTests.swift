import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct EntitlementFileTests {
    private let folder = TemporaryFolder()

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func `a file is created, replaced and read, and a file that is too large isn't read`() throws {
        let file = EntitlementFile(url: folder.file("inner/entitlements"))
        expectEqual(try file.load(), nil)
        try file.save(Data("one".utf8))
        expectEqual(try file.load(), Data("one".utf8))
        try file.save(Data("two".utf8))
        expectEqual(try file.load(), Data("two".utf8))
        try file.save(Data(repeating: 0, count: StoredFile.largestSize))
        expectEqual(try file.load()?.count, StoredFile.largestSize)
        try file.save(Data(repeating: 0, count: StoredFile.largestSize + 1))
        #expect(throws: StoreError.self) { try file.load() }
        expectEqual(EntitlementFile().url.lastPathComponent, "Entitlements")
        expectEqual(
            try FileManager.default.contentsOfDirectory(atPath: file.url.deletingLastPathComponent().path),
            ["entitlements"])
    }

    @Test func `only the user of the process can read and write the file`() throws {
        let file = EntitlementFile(url: folder.file("entitlements"))
        try file.save(Data("one".utf8))
        expectEqual(try mode(file.url), 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.url.path)
        try file.save(Data("two".utf8))
        expectEqual(try mode(file.url), 0o600)
    }

    @Test func `anything but a regular file is refused without waiting`() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let (pipe, link, target) = (folder.file("pipe"), folder.file("link"), folder.file("a"))
        expectEqual(mkfifo(pipe.path, 0o600), 0)
        try Data("one".utf8).write(to: target)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        for url in [pipe, link, folder.url] {
            let error = #expect(throws: StoreError.self) { try EntitlementFile(url: url).load() }
            #expect(error?.message.contains("isn't a regular file") == true, "\(url)")
        }
        try EntitlementFile(url: link).save(Data("two".utf8))
        expectEqual(try Data(contentsOf: target), Data("one".utf8), "a link is replaced, not followed")
        expectEqual(try EntitlementFile(url: link).load(), Data("two".utf8))
        try EntitlementFile(url: pipe).save(Data("three".utf8))
        expectEqual(try EntitlementFile(url: pipe).load(), Data("three".utf8))
        #expect(throws: StoreError.self) { try EntitlementFile(url: folder.url).save(Data()) }
        #expect(throws: (any Error).self) { try EntitlementFile(url: target.appendingPathComponent("inner")).load() }
    }

    @Test func `an app group has its own file, and a missing group has none`() throws {
        let group = "group.com.example.\(UUID().uuidString)"
        let file = EntitlementFile(appGroup: group)
        #expect(
            file.url.path.contains(group)
                && file.url.path.hasSuffix("Library/Application Support/AsyncStoreKit/Entitlements"))
        expectEqual(try file.load(), nil)
        expectEqual(file, EntitlementFile(appGroup: group))
        for use in [
            { _ = try EntitlementFile(appGroup: "").load() }, { try EntitlementFile(appGroup: "").save(Data()) },
        ] {
            let error = #expect(throws: StoreError.self) { try use() }
            #expect(error?.message.contains("App Groups") == true)
        }
    }
}
