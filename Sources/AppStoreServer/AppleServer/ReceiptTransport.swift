import AppReceipt
public import Foundation

/// Sends requests to Apple's `verifyReceipt` or to a compatible server. The default transport uses `URLSession`.
public protocol ReceiptTransport: Sendable {
    /// Sends a JSON body with POST and returns the response.
    ///
    /// Don't follow redirections, because the body contains a secret for `url`. Don't log the body.
    ///
    /// - Parameters:
    ///   - body: the request's body.
    ///   - url: the address of the server.
    ///   - limit: the maximum number of bytes of a response.
    /// - Throws: a ``VerifyReceiptError`` with ``VerifyReceiptError/Code/responseTooLarge`` for a longer response,
    ///   `CancellationError` if the task is canceled, and any other error if there is no response. Other errors are
    ///   treated as temporary, and the request is retried.
    func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse
}
