#if canImport(Darwin) && !os(macOS)
    /// What other commands print: nothing where an app runs no other.
    enum CommandOutput {
        static func text(of command: [String], environment: [String: String]) -> String? { nil }
    }
#endif
