public import Foundation

/// The way to a server that answers like Apple's `verifyReceipt`; `URLSession` unless a client brings its own.
public protocol ReceiptTransport: Sendable {
    /// Sends `body` as JSON with POST, and waits for the response.
    ///
    /// Redirections are not to be followed: the body holds a secret meant for `url`. The body is not to be logged.
    ///
    /// - Parameters:
    ///   - body: the request's body.
    ///   - url: where to.
    ///   - limit: the number of bytes of a response after which to give up.
    /// - Throws: a ``VerifyReceiptError`` with ``VerifyReceiptError/Code/responseTooLarge`` beyond the limit,
    ///   `CancellationError` when the task is cancelled, and any other error when there was no response: those are
    ///   taken for passing, and tried again.
    func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse
}
