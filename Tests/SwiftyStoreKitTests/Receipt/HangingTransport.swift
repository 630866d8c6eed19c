import AppReceipt
import AppStoreServer
import Foundation
import Support

/// Waits until its task is canceled, and records the cancellation.
struct HangingTransport: ReceiptTransport {
    enum Event: Sendable {
        case begun, cancelled
    }

    let posts = Recorder<Event>()

    func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse {
        let (never, continuation) = AsyncStream<Void>.makeStream()
        posts.record(.begun)
        for await _ in never {}
        continuation.finish()
        posts.record(.cancelled)
        throw CancellationError()
    }
}
