import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Input with the highest cost for a parser is read and verified in limited memory and time.
@Suite(.bounded, .enabled(if: HostileReader.url != nil, "build the executables first")) struct HostileInputTests {
    /// Returns the bytes by which the memory of a process grows that reads a file.
    private func growth(_ bytes: [UInt8]) throws -> Int {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        let output = try ChildProcess.output(of: try #require(HostileReader.url), [file.path])
        return try #require(Int(output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test(arguments: HostileInput.all(1_000_000)) func `a megabyte needs at most 20 MB`(input: HostileInput) throws {
        let growth = try growth(input.bytes)
        #expect((1...20_000_000).contains(growth), "\(growth)")
    }
}

/// The program that reads the input in a process of its own, so that the memory of other tests isn't counted.
private enum HostileReader {
    static let url = ChildProcess.builtExecutable(named: "HostileReader")
}
