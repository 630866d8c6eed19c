/// The arguments of a command, sorted out.
package struct ParsedArguments: Sendable, Hashable {
    /// Those that are told by their place, in order.
    package var operands: [String] = []
    /// The values of options, by the options' names.
    package var values: [String: String] = [:]
    /// The flags that are there.
    package var flags: Set<String> = []

    package init(operands: [String] = [], values: [String: String] = [:], flags: Set<String> = []) {
        self.operands = operands
        self.values = values
        self.flags = flags
    }

    /// The value of an option.
    package subscript(name: String) -> String? { values[name] }

    /// Whether a flag is there.
    package func has(_ flag: String) -> Bool { flags.contains(flag) }
}
