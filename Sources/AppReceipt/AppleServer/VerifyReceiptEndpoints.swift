public import Foundation

/// Where `verifyReceipt` is asked.
public struct VerifyReceiptEndpoints: Sendable, Hashable {
    /// Asked first.
    public var production: URL
    /// Asked when production says that the receipt is from the sandbox.
    public var sandbox: URL

    /// Creates a pair, for a server of one's own that answers like Apple's.
    public init(production: URL, sandbox: URL) {
        self.production = production
        self.sandbox = sandbox
    }

    /// Apple's servers.
    public static let apple = VerifyReceiptEndpoints(
        production: url("https://buy.itunes.apple.com/verifyReceipt"), sandbox: url("https://sandbox.itunes.apple.com/verifyReceipt"))

    private static func url(_ text: String) -> URL {
        // Both texts are well-formed; an address without a host, which every request fails for, stands in for a trap.
        URL(string: text) ?? URL(fileURLWithPath: "/")
    }

    func url(for environment: VerifyReceiptAttempts.Server) -> URL {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }
}
