import Foundation
import TestHarness

/// Independent implementations for comparison, if the machine has them.
enum Interpreter {
    static let hasPython = (try? python("print('yes')")) == "yes\n"
    static let hasPythonCryptography = (try? python("import cryptography; print('yes')")) == "yes\n"

    /// Runs a Python program and returns what it prints.
    static func python(_ program: String) throws -> String {
        try ChildProcess.output(of: URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", program])
    }
}

extension Collection<UInt8> {
    /// Pairs of hexadecimal digits.
    var hexadecimal: String {
        map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}
