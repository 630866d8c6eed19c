import AppReceipt
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Genuine receipts from the App Store in the directory `GENUINE_RECEIPTS`, binary or in Base64.
///
/// This repository doesn't contain any, because they are personal data.
@Suite(.bounded, .enabled(if: GenuineReceipts.directory != nil)) struct GenuineReceiptTests {
    @Test func `genuine receipts are valid under Apple's root, and invalid with a flipped bit`() throws {
        let directory = URL(fileURLWithPath: try #require(GenuineReceipts.directory))
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        try #require(!files.isEmpty)
        let verifier = LocalReceiptVerifier(bundleID: .any, environment: nil, device: nil)
        for file in files {
            let data = try Data(contentsOf: file)
            let text = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
            let receipt = Data(base64Encoded: text) ?? data
            expectEqual(verifier.report(on: receipt).failures, [:], "\(file.lastPathComponent)")
            let content = try CMSSignedData(Array(receipt)[...]).content
            var flipped = receipt
            flipped[flipped.startIndex + content.endIndex - 1] ^= 1
            #expect(!verifier.report(on: flipped).isVerified, "\(file.lastPathComponent)")
        }
    }
}

enum GenuineReceipts {
    static let directory = ProcessInfo.processInfo.environment["GENUINE_RECEIPTS"]
}
