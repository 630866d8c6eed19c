import Foundation

/// The results as a text for the issue form *Seen on a device*.
///
/// A report contains the names of the checks, the results, and kinds of events. It contains nothing that StoreKit or a
/// person wrote: no receipt, token, name, or product.
struct ChecklistReport: Sendable {
    let run: ChecklistRun

    var markdown: String {
        var lines = ["# Seen on a device", "", "\(run.device), \(run.environment)", ""]
        for section in ChecklistSection.all {
            let checks = section.checks.filter { run[$0].result != .notRun }
            guard !checks.isEmpty else { continue }
            lines += ["## \(section.number). \(section.title)", "", "| Check | Result | Events |", "|---|---|---|"]
            for check in checks {
                let entry = run[check]
                let events = entry.observations.map { "\($0.signal.rawValue), after \($0.seconds) s" }
                let result = entry.result.rawValue + (entry.wasSeenByApp ? ", seen by the app" : "")
                lines.append("| \(check.name) | \(result) | \(events.joined(separator: "; ")) |")
            }
            lines.append("")
        }
        let count = ChecklistRun.checks.count { run[$0].result != .notRun }
        lines.append("\(count) of \(ChecklistRun.checks.count) checks were run.")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The results by the name of the check, with sorted keys.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(run)
    }
}
