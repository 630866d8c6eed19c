import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct InputFileTests {
    private func failure(_ path: String) throws -> CommandFailure {
        try #require(#expect(throws: CommandFailure.self) { try InputFile.read(path, as: "a receipt") })
    }

    @Test func `a regular file is read, also by a symbolic link`() throws {
        let file = try TemporaryFile("contents")
        expectEqual(try InputFile.read(file.path, as: "a receipt"), Data("contents".utf8))
        let link = file.url.deletingLastPathComponent().appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
        expectEqual(try InputFile.read(link.path, as: "a receipt"), Data("contents".utf8))
    }

    @Test func `the largest file is read, and a byte more is refused with its size and the limit`() throws {
        let file = try TemporaryFile("")
        let handle = try FileHandle(forWritingTo: file.url)
        defer { try? handle.close() }
        // Sparse: it takes no room on the disk.
        try handle.truncate(atOffset: UInt64(InputFile.largestSize))
        expectEqual(try InputFile.read(file.path, as: "a receipt").count, Int(InputFile.largestSize))
        try handle.truncate(atOffset: UInt64(InputFile.largestSize) + 1_000_000)
        let refused = try failure(file.path)
        expectEqual(refused, CommandFailure(.noInput, "\(file.path) has 65 MB; at most 64 MB are read."))
    }

    @Test func `a folder, a device and a file that is not there are named`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        expectEqual(try failure(folder), CommandFailure(.noInput, "\(folder) is a folder, not a receipt."))
        expectEqual(
            try failure("/dev/zero"),
            CommandFailure(.noInput, "/dev/zero is a pipe or a device, not a receipt: save what it gives to a file first."))
        let missing = try failure("/no/such/file")
        expectEqual(missing.exitCode, .noInput)
        #expect(missing.message.hasPrefix("/no/such/file cannot be read: "))
    }

    @Test(arguments: [["receipt", "/dev/zero"], ["demo", "--configuration", "/dev/zero"]])
    func `no command reads a device`(arguments: [String]) async {
        let run = await CommandRun.of(arguments)
        expectEqual(run.code, .noInput)
        #expect(run.errors.hasPrefix("store \(arguments[0]): /dev/zero is a pipe or a device"))
    }

    @Test func `a pipe that nobody writes to is refused, not waited for`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try failure(path).message.hasPrefix("\(path) is a pipe or a device"))
    }
}
