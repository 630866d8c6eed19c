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
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss * 1_024
        #endif
    }
}
