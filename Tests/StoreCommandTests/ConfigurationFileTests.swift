import Foundation
import TestHarness
import Testing
import store

@Suite(.bounded) struct ConfigurationFileTests {
    private static let commands = [["entitlements"], ["purchase", "pro"]]

    private func run(_ command: [String], _ path: String) async -> CommandRun {
        await CommandRun.of(command + ["--configuration", path])
    }

    @Test(arguments: commands)
    func `a missing file is named`(command: [String]) async {
        let run = await run(command, "/no/such/File.storekit")
        expectEqual(run.code, .noInput)
        #expect(run.output.isEmpty)
        expectEqual(run.errors, "store \(command[0]): /no/such/File.storekit cannot be read: no such file.\n")
    }

    @Test(arguments: commands)
    func `a folder is not a configuration file`(command: [String]) async {
        let folder = FileManager.default.temporaryDirectory.path
        let run = await run(command, folder)
        let line = "store \(command[0]): \(folder) is a folder, not a StoreKit configuration file.\n"
        expectEqual(run, CommandRun(code: .noInput, output: "", errors: line))
    }

    @Test(
        arguments: commands,
        [
            (
                #"{"version": {"major": 2}, "products": [{"productID": "a", "type": "Consumable", "displayPrice": "free"}]}"#,
                #"products[0].displayPrice: "free" is not a price"#
            ),
            (#"{"version": {"major": 99}}"#, "version.major: 99 is not a known version, 1 to 6"),
            ("{}", "version: the key is missing"),
            ("[]", "an array is not an object"),
        ])
    func `a malformed file is named, with the place and the reason`(
        command: [String], file: (text: String, reason: String)
    ) async throws {
        let temporary = try TemporaryFile(file.text)
        let run = await run(command, temporary.path)
        let line = "store \(command[0]): \(temporary.path): \(file.reason).\n"
        expectEqual(run, CommandRun(code: .noInput, output: "", errors: line))
    }

    @Test(arguments: ["", "{", "not JSON\n at all", "\u{0}\u{1}\u{2}"])
    func `a file that is not JSON is one line of error`(text: String) async throws {
        let file = try TemporaryFile(text)
        let run = await run(["entitlements"], file.path)
        expectEqual(run.code, .noInput)
        #expect(run.errors.hasPrefix("store entitlements: \(file.path): The file is not JSON. "))
        expectEqual(run.errors.count { $0 == "\n" }, 1)
    }
}
