import AsyncStoreKit
import Foundation

/// The difference between the simulated App Store and Apple's StoreKit, step by step.
struct Conformance: Sendable {
    struct Row: Sendable {
        let scene: Scene
        let simulated: SceneTranscript
        /// `nil` if the scene was skipped.
        let apple: SceneTranscript?
        let faults: [SessionFault]

        /// A step in which the two App Stores differ.
        struct Difference: Sendable, Hashable {
            let step: String
            let simulated: String
            let apple: String
        }

        var differences: [Difference] {
            guard let apple else { return [] }
            var differences: [Difference] = []
            for (index, step) in scene.steps.enumerated() {
                let events = (Self.events(of: index, in: simulated), Self.events(of: index, in: apple))
                if events.0 != events.1 {
                    differences.append(
                        Difference(step: "\(index + 1). \(step)", simulated: events.0, apple: events.1))
                }
            }
            return differences
        }

        private static func events(of step: Int, in transcript: SceneTranscript) -> String {
            guard step < transcript.steps.count else { return "not played" }
            var parts = transcript.steps[step].map(\.description)
            if step == transcript.steps.count - 1, let failure = transcript.failure {
                parts.append("error: \(failure)")
            }
            return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
        }
    }

    let engine: StoreEngine
    /// The system and its version, such as `iOS 26.2, simulator`.
    let system: String
    var rows: [Row] = []

    /// The tables of results and differences, for `Conformance.md`.
    var markdown: String {
        var lines = [
            "# Conformance", "",
            "The same scenes over the simulated App Store and over StoreKit, with \(engine) on \(system).", "",
            "| Scene | Result |", "|---|---|",
        ]
        for row in rows {
            lines.append("| \(row.scene) | \(result(of: row)) |")
        }
        let differing = rows.filter { !$0.differences.isEmpty }
        if !differing.isEmpty {
            lines += [
                "", "## Differences", "", "| Scene | Step | Simulated App Store | StoreKit |", "|---|---|---|---|",
            ]
        }
        for row in differing {
            for difference in row.differences {
                let cells = [row.scene.name, difference.step, difference.simulated, difference.apple]
                lines.append("| " + cells.map(Self.cell).joined(separator: " | ") + " |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func result(of row: Row) -> String {
        guard row.apple != nil else {
            return "skipped: " + row.faults.map(\.description).map(Self.cell).joined(separator: "; ")
        }
        let count = row.differences.count
        return count == 0 ? "equal" : count == 1 ? "differs in 1 step" : "differs in \(count) steps"
    }

    /// Keeps a text inside its cell.
    private static func cell(_ text: String) -> String {
        text.replacingOccurrences(of: "|", with: "\\|").replacingOccurrences(of: "\n", with: " ")
    }
}
