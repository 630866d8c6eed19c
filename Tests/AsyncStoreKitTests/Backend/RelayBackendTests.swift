import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct RelayBackendTests {
    /// Implements nothing itself.
    private struct PlainRelay: RelayBackend {
        let next: any StoreBackend
    }

    @Test func `a relay forwards every requirement`() async throws {
        let recording = RecordingBackend()
        let relay = PlainRelay(next: PlainRelay(next: recording))
        try await Self.callEverything(of: relay)
        let source = try SourceTree.sources.get()
        let counts = try ["StoreBackend", "HostedContentBackend", "SystemSheetBackend"].map {
            try Self.requirements(of: $0, in: source)
        }
        #expect(counts.allSatisfy { $0 > 0 })
        expectEqual(recording.calls.elements.count, counts.reduce(0, +))
        expectEqual(Set(recording.calls.elements).count, recording.calls.elements.count, "each is used once")
    }

    /// Uses every requirement once. A requirement that isn't used here is missing from the recording.
    private static func callEverything(of backend: some StoreBackend) async throws {
        backend.apply(PaymentQueuePolicies())
        backend.activate { _ in }
        _ = backend.clock
        _ = backend.usualPaymentResponseTimeout
        _ = backend.canMakePayments
        _ = backend.storefront
        _ = backend.newestToken()
        try backend.submit(PaymentRequest(productID: "coins"), as: CallID())
        backend.release(CallID())
        backend.forget([])
        try backend.restoreCompletedTransactions(applicationUsername: nil)
        backend.finish(TransactionToken(source: 0, serial: 1)) {}
        _ = backend.finishesImmediately
        backend.refreshPendingState()
        _ = try await backend.products(for: ["coins"])
        _ = try backend.receiptData()
        try await backend.refreshReceipt()
        _ = try await backend.purchaseHistory(groups: ["club"])
        _ = try await backend.completePurchaseHistory()
        _ = try await backend.appTransaction()
        _ = await backend.historyTrust
        _ = await backend.isEligibleForIntroductoryOffer(inGroup: "club")
        try #require(backend.hostedContent).control(.start, [])
        let sheets = try #require(backend.sheets)
        _ = try await sheets.present(.codeRedemption, in: nil)
        sheets.startObservingMessages()
        backend.deactivate()
    }

    /// The number of a protocol's requirements.
    private static func requirements(of name: String, in source: SourceTree) throws -> Int {
        let declaration = "package protocol \(name): "
        let file = try #require(source.files.first { $0.lines.contains { $0.hasPrefix(declaration) } })
        let start = try #require(file.lines.firstIndex { $0.hasPrefix(declaration) })
        return file.lines[(start + 1)...].prefix { $0 != "}" }.count { line in
            ["    var ", "    func "].contains { line.hasPrefix($0) }
        }
    }
}

/// Records which requirements are used.
private final class RecordingBackend: StoreBackend, HostedContentBackend, SystemSheetBackend {
    let calls = Recorder<String>()

    private func record(_ name: String = #function) { calls.record(name) }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) { record() }
    func deactivate() { record() }
    var clock: any StoreClock {
        record()
        return SystemStoreClock()
    }
    var usualPaymentResponseTimeout: TimeInterval {
        record()
        return 30
    }
    var canMakePayments: Bool {
        record()
        return true
    }
    var storefront: AppStorefront? {
        record()
        return nil
    }
    var hostedContent: (any HostedContentBackend)? {
        record()
        return self
    }
    var sheets: (any SystemSheetBackend)? {
        record()
        return self
    }
    func newestToken() -> TransactionToken? {
        record()
        return TransactionToken(source: 0, serial: 0)
    }
    func submit(_ payment: PaymentRequest, as id: CallID) { record() }
    func release(_ id: CallID) { record() }
    func forget(_ tokens: [TransactionToken]) { record() }
    func apply(_ policies: PaymentQueuePolicies) { record() }
    func restoreCompletedTransactions(applicationUsername: String?) { record() }
    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) { record() }
    var finishesImmediately: Bool {
        record()
        return false
    }
    func refreshPendingState() { record() }
    func products(for productIDs: Set<String>) async -> ProductsResponse {
        record()
        return ProductsResponse(products: [], invalidProductIDs: productIDs)
    }
    func receiptData() -> Data {
        record()
        return Data()
    }
    func refreshReceipt() async { record() }
    func purchaseHistory(groups: Set<String>) async -> PurchaseHistory {
        record()
        return .receipt(Data())
    }
    func completePurchaseHistory() async -> PurchaseHistory {
        record()
        return .receipt(Data())
    }
    func appTransaction() async -> String? {
        record()
        return nil
    }
    var historyTrust: HistoryTrust {
        get async {
            record()
            return HistoryTrust(bundleID: nil, environment: nil)
        }
    }
    func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? {
        record()
        return nil
    }
    func control(_ command: DownloadCommand, _ downloads: [StoreDownload.ID]) { record() }
    func present(_ sheet: StoreSheet, in anchor: PresentationAnchor?) async -> StoreTransaction? {
        record()
        return nil
    }
    func startObservingMessages() { record() }
}
