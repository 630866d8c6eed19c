extension StoreCore {
    /// What the store holds and waits for, as soon as that is as wanted. Not cancellable.
    package func diagnostics(
        _ isWanted: @escaping @Sendable (StoreDiagnostics) -> Bool
    ) async throws(StoreError) -> StoreDiagnostics {
        try await ask { .awaitDiagnostics(DiagnosticsWaiter(isWanted: isWanted, reply: $0)) }
    }
}

/// Somebody who waits until the store is in a certain state.
package struct DiagnosticsWaiter: Sendable {
    let isWanted: @Sendable (StoreDiagnostics) -> Bool
    let reply: Reply<StoreDiagnostics>
}
