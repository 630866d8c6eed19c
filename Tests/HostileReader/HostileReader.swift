import AppReceipt
import AppStoreServer
import Foundation

/// Reads a file as each format, verifies it, and prints by how many bytes the memory of the process grew at most.
@main
enum HostileReader {
    static func main() {
        let data = CommandLine.arguments.last.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
        // The first reading also builds tables.
        read(Data("{}".utf8))
        resetPeak()
        let before = peak
        read(data)
        print(peak - before)
    }

    private static func read(_ data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        _ = LocalReceiptVerifier(bundleID: .any, environment: nil, device: nil).report(on: data)
        _ = try? Receipt.unverified(pkcs7: data)
        _ = SignedTransactionVerifier(bundleID: .any, environment: nil).report(on: text)
        _ = try? SignedPayload.unverified(jws: text)
        _ = try? VerifyReceiptResponse.unverified(json: data)
    }

    /// The peak of the resident bytes.
    private static var peak: Int {
        #if canImport(Darwin)
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1_024
        #endif
    }

    /// Sets the peak to the resident bytes of now. On Linux, a new process begins with the peak of its parent.
    private static func resetPeak() {
        #if !canImport(Darwin)
            FileHandle(forWritingAtPath: "/proc/self/clear_refs")?.write(Data("5".utf8))
        #endif
    }
}
