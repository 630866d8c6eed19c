import AppReceipt
import Foundation

/// An inspection as text for a terminal.
struct ReceiptTextReport {
    private let inspection: ReceiptInspection

    init(_ inspection: ReceiptInspection) {
        self.inspection = inspection
    }

    var text: String {
        var lines = ["\(inspection.form.rawValue), \(inspection.size) bytes"]
        if let receipt = inspection.receipt {
            lines += application(receipt) + purchases(receipt) + subscriptions()
        }
        lines += verification()
        return lines.joined(separator: "\n")
    }

    private func application(_ receipt: Receipt) -> [String] {
        let contents = receipt.contents
        let facts: [(String, String?)] = [
            ("app", contents.bundleID), ("environment", contents.environment?.rawValue),
            ("volume purchase", contents.isVolumePurchase ? "yes" : nil), ("version", contents.applicationVersion),
            ("first version", contents.originalApplicationVersion), ("first bought", contents.originalPurchaseDate.map(Self.date)),
            ("made", contents.creationDate.map(Self.date)), ("asked", contents.requestDate.map(Self.date)),
            ("ends", contents.expirationDate.map(Self.date)), ("App Store id", contents.appStoreID.map { "\($0)" }),
            ("age rating", contents.ageRating), ("unknown fields", Self.names(contents.unknownFields)),
        ]
        let known = facts.compactMap { name, value in value.map { (name, TerminalText.plain($0)) } }
        let width = known.map(\.0.count).max() ?? 0
        let lines = known.map { name, value in "  \(name.padding(toLength: width, withPad: " ", startingAt: 0))  \(value)" }
        return lines.isEmpty ? [] : ["", "Application"] + lines
    }

    private func purchases(_ receipt: Receipt) -> [String] {
        guard !receipt.transactions.isEmpty else { return ["", "No purchases"] }
        let rows = receipt.transactions.map { row in
            [
                row.productID, "\(row.quantity)", row.transactionID, row.originalTransactionID, Self.date(row.purchaseDate),
                row.expirationDate.map(Self.date) ?? "", notes(row),
            ].map(TerminalText.plain)
        }
        let table = TextTable(["product", "quantity", "transaction", "original", "bought", "expires", "notes"], rows)
        return ["", "Purchases (\(rows.count))"] + table.lines
    }

    private func notes(_ row: ReceiptTransaction) -> String {
        var notes: [String] = []
        if row.isUpgraded { notes.append("upgraded") }
        if let date = row.revocationDate { notes.append("revoked \(Self.date(date))") }
        switch row.offer {
        case .freeTrial?: notes.append("free trial")
        case .introductory?: notes.append("introductory offer")
        case .promotional(let identifier)?: notes.append("offer \(identifier)")
        case .offerCode(let name)?: notes.append("offer code \(name)")
        case nil: break
        }
        if row.isFamilyShared { notes.append("family sharing") }
        if let names = Self.names(row.unknownFields) { notes.append("unknown: \(names)") }
        return notes.joined(separator: ", ")
    }

    private func subscriptions() -> [String] {
        let statuses = inspection.subscriptions
        guard !statuses.isEmpty else { return [] }
        let rows = statuses.map { status in
            [
                status.productIDs.sorted().joined(separator: " "), status.state.rawValue, status.accessEndDate.map(Self.date) ?? "",
                status.willAutoRenew.map { $0 ? "yes" : "no" } ?? "",
            ].map(TerminalText.plain)
        }
        return ["", "Subscriptions at \(Self.date(inspection.now))"] + TextTable(["products", "state", "until", "renews"], rows).lines
    }

    private func verification() -> [String] {
        let width = inspection.steps.map(\.name.count).max() ?? 0
        let steps = inspection.steps.map { step in
            let mark = step.holds.map { $0 ? "✓" : "✗" } ?? "–"
            return "  \(mark) \(step.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(TerminalText.plain(step.detail))"
        }
        return ["", "Verification"] + steps + ["", inspection.isVerified ? "Verified." : "Not verified."]
    }

    private static func names(_ fields: [String: ReceiptValue]) -> String? {
        // Attributes have numbers for names: 9 before 10.
        let names = fields.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    private static func date(_ date: Date) -> String {
        date.ISO8601Format()
    }
}
