package import Testing

/// A row of a table of tests: the steps of a test with their results, as text.
///
/// Steps are separated by a comma or a line break. A step is a verb with arguments. A step with a result is followed by
/// an arrow and the result:
///
///     Script("a payment that ends frees the slot", "enqueue a, start → a, end a, slot → none")
///
/// A script can't omit the result of a step that has one. Scripts compile faster than the same steps in Swift, because
/// a text needs no type checking.
package struct Script: Sendable, CustomTestStringConvertible {
    /// A step without its result.
    package struct Step: Sendable {
        private let words: [String]

        package init(_ text: String) {
            words = text.split(separator: " ").map(String.init)
        }

        /// The first word.
        package var verb: String { words.first ?? "" }

        /// The words after the verb.
        package var arguments: [String] { Array(words.dropFirst()) }

        /// Whether an argument is this word.
        package func has(_ word: String) -> Bool { arguments.contains(word) }

        /// The argument at a position; an empty string for a missing argument.
        package subscript(position: Int) -> String { words.indices.contains(position + 1) ? words[position + 1] : "" }

        /// The argument after a label.
        package subscript(label: String) -> String? {
            guard let place = words.dropFirst().firstIndex(of: label), place + 1 < words.count else { return nil }
            return words[place + 1]
        }

        /// The number after a label.
        package func number(_ label: String) -> Double? { self[label].flatMap { Double($0) } }

        /// The result of a step that no script may have.
        package var unknown: String { "an unknown step" }
    }

    private static let arrow = " → "

    package let testDescription: String
    private let steps: [String]
    private let sourceLocation: SourceLocation

    package init(_ name: String, _ steps: String, sourceLocation: SourceLocation = #_sourceLocation) {
        testDescription = name
        self.steps = steps.replacing("\n", with: ", ").split(separator: ", ").map(String.init)
        self.sourceLocation = sourceLocation
    }

    /// Performs the steps, and fails at the first one that has another result than expected. The closure returns the
    /// result of a step, or `nil` for a step without a result.
    package func play(_ perform: (Step) throws -> String?) rethrows {
        if let difference = try firstDifference(perform) {
            Issue.record("\(difference)", sourceLocation: sourceLocation)
        }
    }

    /// Performs the steps until one has another result than expected, and describes the difference.
    package func firstDifference(_ perform: (Step) throws -> String?) rethrows -> String? {
        guard steps.contains(where: { $0.contains(Self.arrow) }) else { return "no step with a result" }
        for (index, step) in steps.enumerated() {
            let call = step.split(separator: Self.arrow).first.map(String.init) ?? step
            let performed = try perform(Step(call)).map { call + Self.arrow + $0 } ?? call
            guard performed != step else { continue }
            let earlier = index == 0 ? "" : ", after: " + steps[..<index].joined(separator: ", ")
            return "“\(performed)” instead of “\(step)”\(earlier)"
        }
        return nil
    }
}

extension Script {
    /// Returns the text of a list in a result.
    package static func list(_ elements: some Sequence<String>) -> String {
        let text = elements.joined(separator: " + ")
        return text.isEmpty ? "none" : text
    }

    /// Returns the text of a number, without a fraction of zero.
    package static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// Returns the text of a Boolean result.
    package static func answer(_ isTrue: Bool) -> String { isTrue ? "yes" : "no" }
}
