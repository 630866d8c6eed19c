package import AsyncStoreKit
package import AsyncStoreKitTesting

// What scenarios expect.
extension StoreWorld {
    /// Waits until a store is in a state.
    package func until(
        _ event: String, _ store: PurchaseStore, _ isExpected: @escaping @Sendable (StoreDiagnostics) -> Bool
    ) async throws {
        _ = try await withDeadline(event) { try await store.core.diagnostics(isExpected) }
    }

    package func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) throws {
        guard condition else { throw BehaviorViolation(description: message(), line: line) }
    }

    package func expect<Value: Equatable>(_ value: Value, is expected: Value, _ name: String, line: UInt = #line) throws
    {
        try expect(value == expected, "\(name): \(value) instead of \(expected)", line: line)
    }

    package func expectError(
        _ code: StoreError.Code, line: UInt = #line, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as StoreError {
            return try expect(error.code, is: code, "the code of \"\(error.message)\"", line: line)
        }
        throw BehaviorViolation(description: "no error instead of \(code)", line: line)
    }

    package func success(_ outcome: PurchaseOutcome, line: UInt = #line) throws -> StorePurchase {
        guard case .success(let purchase) = outcome else {
            throw BehaviorViolation(description: "\(outcome) instead of success", line: line)
        }
        return purchase
    }

    /// Waits for the next element, and throws if the stream ends.
    package func next<Element>(of listener: StreamListener<Element>, line: UInt = #line) async throws -> Element {
        guard let element = try await listener.next() else {
            throw BehaviorViolation(description: "the stream ended", line: line)
        }
        return element
    }

    package func expectFinished(_ store: PurchaseStore, line: UInt = #line) async throws {
        try await until("the running deliveries to end", store) { !$0.held.contains { $0.reason == .delivering } }
        try await settle(store)
        // Not `unfinishedTransactions`, which waits two seconds of the clock for StoreKit 1's first report.
        let unfinished = try await store.diagnostics().held
        try expect(unfinished.isEmpty, "unfinished: \(unfinished)", line: line)
    }
}
