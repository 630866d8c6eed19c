import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Everything that can happen to a customer with one subscription and one product owned for good, in every order.
@Suite(.bounded) struct EntitlementExplorationTests {
    @Test func `what was signed and has not lapsed, been revoked or gone for good is never reported as lost`() async {
        await explore("entitlements", EntitlementModel(), depth: 4)
    }
}

/// The customer's true history, and a device that shows it, or less of it.
private struct EntitlementModel: ExploredModel {
    enum Input: CaseIterable {
        case buyPro, renew, refundPro
        /// The device shows everything, nothing, all but the newest, or fails; or is found to lack a status.
        case read, readNothing, readWithoutNewest, readFails, readIncompletely
        case second, period
    }

    private(set) var machine = EntitlementStateMachine()
    private var now = Date(timeIntervalSince1970: 1_767_225_600)
    private var rows: [ReceiptTransaction] = []
    /// What the machine has been shown, and not been refuted since.
    private var shown: [String: ReceiptTransaction] = [:]
    /// Since when reads that were complete lacked a transaction, and whether for so long that it is gone.
    private var missing: [String: Date] = [:]

    var inputs: [Input] { Input.allCases }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .buyPro: add("pro", ends: nil)
        case .renew: add("basic", ends: now.addingTimeInterval(60))
        case .refundPro: refund()
        case .read: read(rows)
        case .readNothing: read([], isEvidence: shown.isEmpty)
        case .readWithoutNewest: read(Array(rows.dropLast()), isEvidence: rows.count > 1)
        case .readFails: machine.take(StoreError(.timedOut, ""), begun: now, at: now)
        case .readIncompletely: read(Array(rows.prefix(1)), isEvidence: false, failure: StoreError(.networkError, ""))
        case .second: now.addTimeInterval(1.5)
        case .period: now.addTimeInterval(70)
        }
        try check()
    }

    private mutating func add(_ product: String, ends: Date?) {
        let number = rows.count + 1
        var row = ReceiptTransaction(
            productID: product, transactionID: "\(number)", purchaseDate: now, originalTransactionID: product, expirationDate: ends,
            productKind: ends == nil ? .nonConsumable : .autoRenewableSubscription)
        row.signedDate = now
        rows.append(row)
    }

    private mutating func refund() {
        for index in rows.indices where rows[index].productID == "pro" {
            rows[index].revocationDate = now
            rows[index].signedDate = now
        }
    }

    private mutating func read(_ listed: [ReceiptTransaction], isEvidence: Bool = true, failure: StoreError? = nil) {
        machine.take(
            EntitlementHistory(SignedPurchaseHistory(transactions: listed.map { SignedStatement($0, text: nil) }, failure: failure)),
            begun: now, at: now)
        for row in listed { shown[row.transactionID] = row }
        for id in listed.map(\.transactionID) { missing[id] = nil }
        guard isEvidence else { return }
        for (id, _) in shown where !listed.contains(where: { $0.transactionID == id }) {
            let since = missing[id] ?? now
            missing[id] = since
            if now >= since.addingTimeInterval(2) { shown[id] = nil }
        }
    }

    private func check() throws(BrokenPromise) {
        for row in shown.values where row.revocationDate == nil && (row.expirationDate ?? .distantFuture) > now {
            try promise(machine.entitlements.contains(anyOf: [row.productID]), "\(row.productID) is lost")
        }
        for entitlement in machine.entitlements.active {
            try promise(rows.contains { $0.productID == entitlement.productID }, "\(entitlement.productID) was never bought")
        }
        try promise(machine.nextRead.map { $0 > .distantPast } ?? true, "it looks again in the past")
    }

    /// In the end the device shows everything, for long enough.
    mutating func conclude() throws(BrokenPromise) {
        for _ in 0..<3 {
            read(rows)
            now.addTimeInterval(1_000)
        }
        read(rows)
        let pro = rows.last { $0.productID == "pro" }
        let ownsPro = rows.contains { $0.productID == "pro" && $0.revocationDate == nil }
        try promise(machine.entitlements.contains(anyOf: ["pro"]) == ownsPro, "pro \(String(describing: pro))")
        try promise(!machine.entitlements.contains(anyOf: ["basic"]), "a period does not end")
        try promise(machine.nextRead == nil || rows.isEmpty, "it looks again for no reason")
        // What it remembers are the customer's purchases: they are to be kept.
        machine = EntitlementStateMachine()
    }
}
