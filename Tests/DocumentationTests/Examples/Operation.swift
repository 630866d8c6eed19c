import AsyncStoreKit
import Foundation

/// The code of the articles on accounts, on support, on files on the device, and on earlier code.
private struct OperationExamples {
    let store: PurchaseStore
    let server: Server

    func buyCoins(for account: UUID) async throws -> PurchaseOutcome {
        try await store.purchase("com.example.coins", options: [.appAccountToken(account)])
    }

    func restore(for account: UUID) async throws -> RestoreOutcome {
        try await store.restore(account: .token(account))
    }

    func deleteAccount(_ account: UUID) async throws {
        try await server.delete(account)
        try await store.eraseStoredData(of: .token(account))
    }

    func contactSupport() async {
        compose(to: "support@example.com", await store.supportReport())
    }

    private func compose(to address: String, _ text: String) {}

    func ledger(credited transactionIDs: Set<String>) -> DeliveryLedger {
        var ledger = DeliveryLedger()
        ledger.deliveredTransactionIDs = transactionIDs
        return ledger
    }

    @MainActor func storeAtLaunch() -> PurchaseStore? {
        let environment = ProcessInfo.processInfo.environment
        let isHosted = environment["XCTestConfigurationFilePath"] != nil
        let preview = "XCODE_RUNNING_FOR_PREVIEWS"
        return isHosted || environment[preview] == "1" ? nil : PurchaseStore()
    }
}

extension Server {
    fileprivate func delete(_ account: UUID) async throws {}
}
