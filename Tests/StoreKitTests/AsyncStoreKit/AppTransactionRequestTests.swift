import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct AppTransactionRequestTests {
    /// A request whose response arrives when the gate opens.
    private struct Asked {
        let gate = Gate()
        let asks = Recorder<Void>()
        let request: AppTransactionRequest

        /// - Parameter responses: The responses, one after another. The last one is repeated.
        init(_ responses: AppTransactionRequest.Response...) {
            request = AppTransactionRequest(
                StoreFunction { [gate, asks] () async throws(StoreError) -> String? in
                    asks.record(())
                    let number = asks.elements.count
                    await gate.pass()
                    return try responses[min(number, responses.count) - 1].get()
                })
        }
    }

    private static let failure = StoreError(.networkError, "There is no network.")

    @Test func `concurrent calls share one request, and its result is kept`() async throws {
        let asked = Asked(.success("text"))
        async let first = asked.request.text()
        try await asked.gate.arrivals(1)
        let others = (0..<10).map { _ in Task.immediate { try await asked.request.text() } }
        asked.gate.open()
        expectEqual(try await first, "text")
        for other in others { expectEqual(try await other.value, "text") }
        expectEqual(try await asked.request.text(), "text")
        expectEqual(asked.asks.elements.count, 1)
    }

    @Test func `a canceled call ends, and its request completes for the calls after it`() async throws {
        let asked = Asked(.success("text"))
        let call = Task.immediate { try await asked.request.text() }
        try await asked.gate.arrivals(1)
        call.cancel()
        await expectError(\StoreError.code, .taskCancelled) { try await call.value }
        let next = Task.immediate { try await asked.request.text() }
        asked.gate.open()
        expectEqual(try await next.value, "text")
        expectEqual(asked.asks.elements.count, 1)
    }

    @Test func `a request continues without callers`() async throws {
        let asked = Asked(.success("text"))
        let call = Task.immediate { try await asked.request.text() }
        try await asked.gate.arrivals(1)
        call.cancel()
        _ = try? await call.value
        asked.gate.open()
        while try await asked.request.text() != "text" {}
        expectEqual(asked.asks.elements.count, 1)
    }

    @Test func `a call of an already canceled task sends no request`() async throws {
        let asked = Asked(.success("text"))
        asked.gate.open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await asked.request.text()
        }
        await #expect(throws: StoreError.self) { try await task.value }
        #expect(asked.asks.elements.isEmpty)
    }

    @Test func `a failure reaches every caller, and the next call sends a new request`() async throws {
        let asked = Asked(.failure(Self.failure), .success(nil), .success("text"))
        let calls = (0..<3).map { _ in Task.immediate { try await asked.request.text() } }
        try await asked.gate.arrivals(1)
        asked.gate.open()
        for call in calls { expectEqual(await call.result.failure?.code, .networkError) }
        expectEqual(asked.asks.elements.count, 1)
        expectEqual(try await asked.request.text(), nil)
        expectEqual(try await asked.request.text(), "text")
        expectEqual(try await asked.request.text(), "text")
        expectEqual(asked.asks.elements.count, 3)
    }
}

extension Result where Failure == any Error {
    fileprivate var failure: StoreError? {
        if case .failure(let error) = self { error as? StoreError } else { nil }
    }
}
