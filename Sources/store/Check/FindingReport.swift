import AppStoreSimulator
import CatalogReview
import Foundation

/// The findings of a review, as text, as JSON, or as annotations of GitHub.
struct FindingReport {
    enum Format: String {
        case text, json, github
    }

    let file: String
    let productCount: Int
    let findings: [CatalogFinding]

    var hasErrors: Bool { errorCount > 0 }
    private var errorCount: Int { findings.count { $0.severity == .error } }

    func print(_ format: Format, on console: Console) {
        switch format {
        case .text: console.verbatim(findings.map(\.description) + [summary])
        case .json: console.verbatim(json)
        case .github: console.verbatim(findings.map(Self.annotation) + [summary])
        }
    }

    private var summary: String {
        let products = Self.count(productCount, "product")
        let warnings = Self.count(findings.count - errorCount, "warning")
        return "\(file): \(products), \(Self.count(errorCount, "error")), \(warnings)."
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number == 0 ? "no" : "\(number)") \(noun)\(number == 1 ? "" : "s")"
    }

    private static func annotation(_ finding: CatalogFinding) -> String {
        let place = [finding.file.map { "file=\(escaped($0, inProperty: true))" }, finding.line.map { "line=\($0)" }]
        let title = "title=\(escaped(finding.rule.rawValue, inProperty: true))"
        let properties = (place.compactMap(\.self) + [title]).joined(separator: ",")
        let place2 = finding.keyPath.isEmpty ? "" : " (\(finding.keyPath))"
        return "::\(finding.severity.rawValue) \(properties)::\(escaped(finding.message + place2, inProperty: false))"
    }

    /// Escapes a text as GitHub's workflow commands require.
    private static func escaped(_ text: String, inProperty: Bool) -> String {
        let text = text.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "\r", with: "%0D")
            .replacingOccurrences(of: "\n", with: "%0A")
        guard inProperty else { return text }
        return text.replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: ",", with: "%2C")
    }

    private struct Object: Encodable {
        struct Finding: Encodable {
            let rule: String
            let severity: String
            let file: String?
            let line: Int?
            let keyPath: String?
            let message: String
            let customers: [String]?
        }

        let file: String
        let products: Int
        let errors: Int
        let warnings: Int
        let findings: [Finding]
    }

    private var json: [String] {
        let object = Object(
            file: file, products: productCount, errors: errorCount, warnings: findings.count - errorCount,
            findings: findings.map { finding in
                Object.Finding(
                    rule: finding.rule.rawValue, severity: finding.severity.rawValue, file: finding.file,
                    line: finding.line, keyPath: finding.keyPath.isEmpty ? nil : finding.keyPath,
                    message: finding.message,
                    customers: finding.customers.isEmpty ? nil : finding.customers.map(\.description))
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(object) else { return ["{}"] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0).escapedForJSON }
    }
}
