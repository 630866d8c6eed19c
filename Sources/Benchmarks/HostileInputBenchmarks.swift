import AppReceipt
import AppStoreServer
import Foundation

/// Measures the processor time and memory of reading and verifying hostile input. Each input is read in a separate
/// process, so that no process reuses another's memory.
enum HostileInputBenchmarks {
    /// Measures and prints.
    static func run() {
        print("Hostile input of 1 MB, read and verified (goal: at most 100 ms and 64 MB)")
        for input in HostileInput.pkcs7(1_000_000) + HostileInput.tokens(1_000_000) {
            report(input, goal: (100, 64_000_000))
        }
        print("\nResponses of verifyReceipt of 1 MB, read (goal: at most 100 ms and 10 times their size)")
        for input in HostileInput.json(1_000_000) { report(input, goal: (100, 10 * input.bytes.count)) }
        print("\nPKCS#7 of 16 MB, read and verified (goal: at most 1 s and 8 times its size)")
        for input in HostileInput.pkcs7(16_000_000) { report(input, goal: (1_000, 8 * input.bytes.count)) }
    }

    /// The action for an input.
    private enum Action: String, CaseIterable {
        /// Verifies the input, as a server does.
        case verify
        /// Reads the input without verification.
        case read
    }

    private static func report(_ input: HostileInput, goal: (milliseconds: Double, bytes: Int)) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "hostile-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard (try? Data(input.bytes).write(to: file)) != nil else { return print("  \(input.name): not measured") }
        let figures = Action.allCases.map { action -> String in
            guard let (milliseconds, bytes) = measure(action, input.format, file.path) else {
                return "\(action): -".padded(to: 32)
            }
            let isMet = milliseconds <= goal.milliseconds && bytes <= Double(goal.bytes)
            let figures = String(format: "%7.1f ms %6.1f MB", milliseconds, bytes / 1e6)
            return "\(action) \(figures)\(isMet ? "" : " (!)")".padded(to: 32)
        }
        print("  \(input.name)".padded(to: 66) + figures.joined())
    }

    /// Returns the milliseconds and the bytes that another process of this program needs.
    private static func measure(_ action: Action, _ format: HostileInput.Format, _ path: String) -> (
        milliseconds: Double, bytes: Double
    )? {
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let output = CommandOutput.text(of: [program, action.rawValue, format.rawValue, path], environment: [:]) ?? ""
        let figures = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        return figures.count == 2 ? (figures[0], figures[1]) : nil
    }

    /// Performs the action of the arguments on a file five times, and prints the median of the processor milliseconds
    /// and the peak of the bytes. Returns `false` for other arguments.
    static func run(_ arguments: [String]) -> Bool {
        guard arguments.count == 3, let action = Action(rawValue: arguments[0]),
            let format = HostileInput.Format(rawValue: arguments[1]),
            let data = FileManager.default.contents(atPath: arguments[2])
        else { return false }
        let text = format == .token ? String(decoding: data, as: UTF8.self) : ""
        // The first reading also builds tables, so it isn't measured.
        for warmUp in [Action.verify, .read] { work(warmUp, format, Data("{}".utf8), "e30.e30.")?() }
        _ = try? VerifyReceiptResponse.unverified(json: ReceiptBenchmarks.verifyReceiptJSON(rows: 10))
        guard let before = ResidentMemory.current, let work = work(action, format, data, text) else { return true }
        var peak = before
        let milliseconds = (0..<5).map { round in
            let start = Machine.processorSeconds
            work()
            if round == 0 { peak = ResidentMemory.peak ?? before }
            return (Machine.processorSeconds - start) * 1e3
        }
        print(milliseconds.sorted()[2], peak - before)
        return true
    }

    private static func work(_ action: Action, _ format: HostileInput.Format, _ data: Data, _ text: String) -> (
        () -> Void
    )? {
        let receipts = LocalReceiptVerifier(
            bundleID: "com.example.app", environment: .xcode, device: nil, trustAnchors: [.appStore, .localTesting])
        let payloads = SignedTransactionVerifier(
            bundleID: "com.example.app", environment: .xcode, trustAnchors: [.appStoreG3, .localTesting])
        switch (format, action) {
        case (.pkcs7, .verify): return { _ = receipts.report(on: data) }
        case (.pkcs7, .read): return { _ = try? Receipt.unverified(pkcs7: data) }
        case (.token, .verify): return { _ = payloads.report(on: text) }
        case (.token, .read): return { _ = try? SignedPayload.unverified(jws: text) }
        case (.json, .verify): return nil
        case (.json, .read): return { _ = try? VerifyReceiptResponse.unverified(json: data) }
        }
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String { padding(toLength: length, withPad: " ", startingAt: 0) }
}
