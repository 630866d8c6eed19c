import AsyncStoreKit
import Foundation

/// The difference between the expected events and those over StoreKit, step by step.
///
/// On Linux, the same scenes are played over this package's StoreKit Test, so the expected events are also those of the
/// simulated App Store.
struct Conformance: Sendable {
    struct Row: Sendable {
        let scene: Scene
        /// `nil` if the scene was skipped.
        let transcript: SceneTranscript?
        let faults: [SessionFault]

        /// A step with other events than the expected ones.
        struct Difference: Sendable, Hashable {
            let step: String
            let expected: String
            let seen: String
        }

        /// Whether a known fault excuses every difference.
        var isExcused: Bool { faults.contains { $0.effect == .mayDiffer } }

        func differences(over engine: StoreEngine) -> [Difference] {
            guard let transcript else { return [] }
            var differences: [Difference] = []
            for (index, step) in scene.steps.enumerated() {
                let expected = Self.list(step.expected(over: engine).map(\.description).sorted())
                let seen = Self.events(of: index, in: transcript)
                if expected != seen {
                    differences.append(
                        Difference(step: "\(index + 1). \(step)", expected: expected, seen: seen))
                }
            }
            return differences
        }

        private static func events(of step: Int, in transcript: SceneTranscript) -> String {
            let failure = step == max(transcript.steps.count - 1, 0) ? transcript.failure : nil
            guard step < transcript.steps.count || failure != nil else { return "not played" }
            let events = step < transcript.steps.count ? transcript.steps[step].map(\.description) : []
            return list(events + (failure.map { ["error: \($0)"] } ?? []))
        }

        private static func list(_ events: [String]) -> String {
            events.isEmpty ? "nothing" : events.joined(separator: "; ")
        }
    }

    let environment: SceneEnvironment
    var rows: [Row] = []

    /// Why the run isn't accepted: each difference without a known cause, and a run that played nothing.
    var failures: [String] {
        var failures = rows.filter { !$0.isExcused }.flatMap { row in
            row.differences(over: environment.engine).map { difference in
                "\(row.scene), \(difference.step): \(difference.seen); expected: \(difference.expected)"
            }
        }
        if rows.allSatisfy({ $0.transcript == nil }) { failures.append("No scene was played. \(summary)") }
        return failures
    }

    /// The number of played scenes, and why others were skipped.
    var summary: String {
        let skipped = rows.filter { $0.transcript == nil }
        let played = "played \(rows.count - skipped.count) of \(rows.count)"
        guard !skipped.isEmpty else { return played }
        var reasons: [String] = []
        for fault in skipped.flatMap(\.faults).map(\.description) where !reasons.contains(fault) {
            reasons.append(fault)
        }
        return "\(played), skipped \(skipped.count) (\(reasons.joined(separator: "; ")))"
    }

    /// The tables of results and differences, for `Conformance.md`.
    var markdown: String {
        var lines = [
            "# Conformance", "", "The scenes over \(environment).", "", "| Scene | Result |", "|---|---|",
        ]
        for row in rows { lines.append("| \(row.scene) | \(result(of: row)) |") }
        let differing = rows.filter { !$0.differences(over: environment.engine).isEmpty }
        if !differing.isEmpty {
            lines += ["", "## Differences", "", "| Scene | Step | Expected | StoreKit |", "|---|---|---|---|"]
        }
        for row in differing {
            for difference in row.differences(over: environment.engine) {
                let cells = [row.scene.name, difference.step, difference.expected, difference.seen]
                lines.append("| " + cells.map(Self.cell).joined(separator: " | ") + " |")
            }
        }
        return (lines + ["", summary]).joined(separator: "\n") + "\n"
    }

    private func result(of row: Row) -> String {
        let faults = row.faults.map(\.description).map(Self.cell).joined(separator: "; ")
        guard row.transcript != nil else { return "skipped: " + faults }
        let count = row.differences(over: environment.engine).count
        guard count > 0 else { return "equal" }
        let result = count == 1 ? "differs in 1 step" : "differs in \(count) steps"
        return row.faults.isEmpty ? result : "\(result), perhaps because of: \(faults)"
    }

    /// Keeps a text inside its cell.
    private static func cell(_ text: String) -> String {
        text.replacingOccurrences(of: "|", with: "\\|").replacingOccurrences(of: "\n", with: " ")
    }
}
