import AppReceipt
public import Foundation

/// The addresses of `verifyReceipt`.
public struct VerifyReceiptEndpoints: Sendable, Hashable {
    /// The production server, which gets the first request.
    public var production: URL
    /// The sandbox server, for sandbox receipts.
    public var sandbox: URL

    /// Creates the addresses of a compatible server.
    public init(production: URL, sandbox: URL) {
        self.production = production
        self.sandbox = sandbox
    }

    /// Apple's servers.
    public static let apple = VerifyReceiptEndpoints(
        production: url("https://buy.itunes.apple.com/verifyReceipt"),
        sandbox: url("https://sandbox.itunes.apple.com/verifyReceipt"))

    private static func url(_ text: String) -> URL {
        // Both strings are valid URLs. The fallback has no host, so a request would fail instead of trapping.
        URL(string: text) ?? URL(fileURLWithPath: "/")
    }

    func url(for environment: VerifyReceiptAttempts.Server) -> URL {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }
}
