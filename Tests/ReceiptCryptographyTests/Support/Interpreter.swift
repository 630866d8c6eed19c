import Foundation

/// Independent implementations to compare with, where the machine has them.
enum Interpreter {
    static let hasPython = (try? python("print('yes')")) == "yes\n"
    static let hasPythonCryptography = (try? python("import cryptography; print('yes')")) == "yes\n"

    struct Failure: Error {
        var status: Int32
        var message: String
    }

    /// Runs a Python program and returns what it prints.
    static func python(_ program: String) throws -> String {
        try run("/usr/bin/env", ["python3", "-c", program])
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus, message: String(decoding: message, as: UTF8.self))
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Collection<UInt8> {
    /// Pairs of hexadecimal digits.
    var hexadecimal: String {
        map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}
