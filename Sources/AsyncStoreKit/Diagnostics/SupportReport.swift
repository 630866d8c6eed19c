import Foundation

/// The text that a customer can send to the app's support.
///
/// It has products, transactions, dates, states and the recent log. It has no receipt, no signed text, no token, no
/// header field, no account, and no name of a person or a path.
struct SupportReport: Sendable {
    let now: Date
    let engine: String
    let mode: String
    let canMakePayments: Bool
    let storefront: String?
    let diagnostics: StoreDiagnostics
    let entitlements: any CustomStringConvertible & Sendable

    var text: String {
        let facts = [
            "Support report, \(now.formatted(.iso8601))",
            "engine: \(engine), mode: \(mode), storefront: \(storefront ?? "unknown"), payments \(canMakePayments ? "are" : "aren't") allowed",
        ]
        let recent = diagnostics.recentEvents
        return
            (facts + section("Unfinished", diagnostics.description.components(separatedBy: "\n"))
            + section("Entitlements", [entitlements.description])
            + section("Recent events", recent.isEmpty ? ["none"] : recent)).joined(separator: "\n")
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        ["", "\(title):"] + lines.map { "- \($0.escapedForLog)" }
    }
}
