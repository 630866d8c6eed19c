import AppReceipt
import AppStoreServer
import Foundation

/// Prints an inspection as tables, with a line for each check.
struct ReceiptTextReport {
    // Identifiers of usual length are printed in full.
    private static let widest = 100

    private let inspection: ReceiptInspection

    init(_ inspection: ReceiptInspection) {
        self.inspection = inspection
    }

    func print(to console: Console) {
        console.line(.init("\(inspection.form.rawValue), \(inspection.size) bytes", .heading))
        if let notification = inspection.notification { printNotification(notification, console) }
        if let receipt = inspection.receipt {
            printApplication(receipt, console)
            printTransactions(receipt, console)
            printRenewals(receipt, console)
            printSubscriptions(console)
        }
        printVerification(console)
    }

    private func printApplication(_ receipt: Receipt, _ console: Console) {
        let contents = receipt.contents
        let facts: [(String, String?)] = [
            ("app", contents.bundleID), ("environment", contents.environment?.rawValue),
            ("volume purchase", contents.isVolumePurchase ? "yes" : nil), ("version", contents.applicationVersion),
            ("first version", contents.originalApplicationVersion),
            ("first bought", contents.originalPurchaseDate.map(Self.date)),
            ("created", contents.creationDate.map(Self.date)), ("requested", contents.requestDate.map(Self.date)),
            ("expires", contents.expirationDate.map(Self.date)), ("App Store id", contents.appStoreID.map { "\($0)" }),
            ("age rating", contents.ageRating), ("unknown fields", Self.names(contents.unknownFields)),
        ]
        let rows = facts.compactMap { name, value in value.map { [name, $0] } }
        guard !rows.isEmpty else { return }
        printTable("Application", ConsoleTable(rows: rows, indent: 2), console)
    }

    private func printNotification(_ notification: AppStoreServerNotification, _ console: Console) {
        let facts: [(String, String?)] = [
            ("type", notification.type.rawValue), ("subtype", notification.subtype?.rawValue),
            ("id", notification.id.uuidString),
            ("status", notification.status.map { "\($0.rawValue)" }),
            ("reason", notification.consumptionRequestReason?.rawValue),
            ("unknown fields", Self.names(notification.unknownFields)),
        ]
        printTable(
            "Notification",
            ConsoleTable(rows: facts.compactMap { name, value in value.map { [name, $0] } }, indent: 2), console)
    }

    private func printTransactions(_ receipt: Receipt, _ console: Console) {
        let rows = receipt.transactions.map { row in
            [
                row.productID, "\(row.quantity)", row.transactionID, row.originalTransactionID,
                Self.date(row.purchaseDate),
                row.expirationDate.map(Self.date) ?? "", notes(row),
            ]
        }
        guard !rows.isEmpty else {
            console.line()
            console.line(.init("No transactions", .heading))
            return
        }
        let columns: [ConsoleTable.Column] = [
            .init("product"), .init("quantity", isTrailing: true), .init("transaction"), .init("original"),
            .init("bought"),
            .init("expires"), .init("notes"),
        ]
        printTable(
            "Transactions (\(rows.count))", ConsoleTable(columns: columns, rows: rows, indent: 2, widest: Self.widest),
            console)
    }

    private func note(_ offer: TransactionOffer) -> String {
        let name = offer.id.map { " \($0)" } ?? ""
        switch offer.kind {
        case .introductory: return offer.isTrial ? "free trial" : "introductory offer"
        case .offerCode: return "offer code\(name)"
        case .winBack: return "win-back offer\(name)"
        default: return "offer\(name)"
        }
    }

    private func notes(_ row: ReceiptTransaction) -> String {
        var notes: [String] = []
        if row.isUpgraded { notes.append("upgraded") }
        if let date = row.revocationDate { notes.append("revoked \(Self.date(date))") }
        if let offer = row.offer { notes.append(note(offer)) }
        if row.isFamilyShared { notes.append("family sharing") }
        if let names = Self.names(row.unknownFields) { notes.append("unknown: \(names)") }
        return notes.joined(separator: ", ")
    }

    private func printRenewals(_ receipt: Receipt, _ console: Console) {
        let rows = receipt.renewals.map { renewal -> [String] in
            [
                renewal.productID, renewal.originalTransactionID ?? "",
                renewal.willAutoRenew.map { $0 ? "yes" : "no" } ?? "",
                renewal.autoRenewPreference ?? "", renewal.isInBillingRetry ? "yes" : "",
                renewal.gracePeriodExpirationDate.map(Self.date) ?? "",
                renewal.expirationReason.map { "\($0.rawValue)" } ?? "",
            ]
        }
        guard !rows.isEmpty else { return }
        let columns: [ConsoleTable.Column] = [
            .init("product"), .init("original"), .init("renews"), .init("next product"), .init("billing retry"),
            .init("grace period until"),
            .init("expiration reason"),
        ]
        printTable(
            "Renewals (\(rows.count))", ConsoleTable(columns: columns, rows: rows, indent: 2, widest: Self.widest),
            console)
    }

    private func printSubscriptions(_ console: Console) {
        let rows = inspection.subscriptions.map { status in
            [
                status.productIDs.sorted().joined(separator: " "), status.state.rawValue,
                status.accessEndDate.map(Self.date) ?? "",
                status.willAutoRenew.map { $0 ? "yes" : "no" } ?? "",
            ]
        }
        guard !rows.isEmpty else { return }
        let columns: [ConsoleTable.Column] = [.init("products"), .init("state"), .init("until"), .init("renews")]
        let table = ConsoleTable(columns: columns, rows: rows, indent: 2, widest: Self.widest)
        printTable("Subscriptions at \(Self.date(inspection.now))", table, console)
    }

    private func printTable(_ title: String, _ table: ConsoleTable, _ console: Console) {
        console.line()
        console.line(.init(title, .heading))
        console.lines(table.lines(width: console.columns))
    }

    private func printVerification(_ console: Console) {
        console.line()
        console.line(.init("Verification", .heading))
        let width = inspection.steps.map(\.name.count).max() ?? 0
        for step in inspection.steps {
            let (mark, style): (String, Console.Style) =
                switch step.hasPassed {
                case true?: ("✓", .good)
                case false?: ("✗", .bad)
                case nil: ("–", .quiet)
                }
            let name = step.name.padding(toLength: width, withPad: " ", startingAt: 0)
            console.line([.init("  "), .init(mark, style), .init(" \(name)  \(step.detail)")], indent: width + 6)
        }
        console.line()
        console.line(inspection.isVerified ? .init("Verified.", .good) : .init("Not verified.", .bad))
    }

    private static func names(_ fields: [String: ReceiptValue]) -> String? {
        // Names of attributes are numbers: 9 is before 10.
        let names = fields.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    private static func date(_ date: Date) -> String {
        date.ISO8601Format()
    }
}
