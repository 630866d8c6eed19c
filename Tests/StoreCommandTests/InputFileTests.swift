import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct InputFileTests {
    private func failure(_ path: String) throws -> CommandFailure {
        try #require(#expect(throws: CommandFailure.self) { try InputFile.read(path, as: "a receipt") })
    }

    @Test func `a regular file is read, also through a symbolic link`() throws {
        let file = try TemporaryFile("contents")
        expectEqual(try InputFile.read(file.path, as: "a receipt"), Data("contents".utf8))
        let link = file.url.deletingLastPathComponent().appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
        expectEqual(try InputFile.read(link.path, as: "a receipt"), Data("contents".utf8))
    }

    @Test func `the largest file is read, and a larger file is refused with the limit`() throws {
        let file = try TemporaryFile("")
        let handle = try FileHandle(forWritingTo: file.url)
        defer { try? handle.close() }
        // The file is sparse: it needs no space on disk.
        try handle.truncate(atOffset: UInt64(InputFile.largestSize))
        expectEqual(try InputFile.read(file.path, as: "a receipt").count, Int(InputFile.largestSize))
        try handle.truncate(atOffset: UInt64(InputFile.largestSize) + 1)
        let refused = try failure(file.path)
        expectEqual(refused, CommandFailure(.noInput, "\(file.path) is larger than 64 MB, the maximum."))
    }

    @Test func `a folder, a device and a missing file are named`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        expectEqual(try failure(folder), CommandFailure(.noInput, "\(folder) is a folder, not a receipt."))
        expectEqual(
            try failure("/dev/zero"),
            CommandFailure(
                .noInput, "/dev/zero is a pipe or a device, not a receipt. Save its contents to a file first."))
        for path in ["/no/such/file", "", "a\u{0}b"] {
            expectEqual(try failure(path).exitCode, .noInput)
        }
        expectEqual(
            try failure("/no/such/file"), CommandFailure(.noInput, "/no/such/file cannot be read: no such file."))
        expectEqual(
            try failure("/dev/null/x"),
            CommandFailure(.noInput, "/dev/null/x cannot be read: a part of the path is not a folder."))
    }

    @Test(arguments: [["receipt", "/dev/zero"], ["check", "/dev/zero"]])
    func `no command reads a device`(arguments: [String]) async {
        let run = await CommandRun.of(arguments)
        expectEqual(run.code, .noInput)
        #expect(run.errors.hasPrefix("store \(arguments[0]): /dev/zero is a pipe or a device"))
    }

    @Test func `a pipe without a writer is refused without waiting`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try failure(path).message.hasPrefix("\(path) is a pipe or a device"))
    }

    @Test func `standard input is read up to the limit`() throws {
        let read = try InputFile.read("-", as: "a receipt") { count in Data(repeating: 7, count: min(count, 3)) }
        expectEqual(read, Data([7, 7, 7]))
        #expect(throws: CommandFailure(.noInput, "standard input is larger than 64 MB, the maximum.")) {
            try InputFile.read("-", as: "a receipt") { Data(count: $0) }
        }
        #expect(throws: CommandFailure(.noInput, "standard input cannot be read: permission denied.")) {
            try InputFile.read("-", as: "a receipt") { _ in throw POSIXError(.EACCES) }
        }
        expectEqual(
            try failure("-"), CommandFailure(.noInput, "- cannot be read: no such file."),
            "a command without standard input")
    }
}
