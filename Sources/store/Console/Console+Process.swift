import Foundation

extension Console {
    /// Returns a console over the standard output and the standard error of the process.
    static func process() -> Console {
        let output = FileHandle.standardOutput.fileDescriptor
        let isTerminal = isatty(output) == 1
        let errors = FileHandle.standardError.fileDescriptor
        let environment = ProcessInfo.processInfo.environment
        return Console(
            columns: columns(ofTerminal: isTerminal ? terminalColumns(output) : nil, environment: environment),
            errorColumns: isatty(errors) == 1
                ? columns(ofTerminal: terminalColumns(errors), environment: environment) : nil,
            isColored: wantsColors(isTerminal: isTerminal, environment: environment),
            isInteractive: isInteractive(isTerminal: isTerminal, environment: environment),
            standardInput: { try FileHandle.standardInput.read(upToCount: $0) ?? Data() },
            // If the output is closed, there is no other place for a message.
            write: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
            writeError: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
            wait: { Thread.sleep(forTimeInterval: $0) })
    }

    /// Returns the width for the output: that of the terminal, or else the variable `COLUMNS`, or else 80.
    package static func columns(ofTerminal columns: Int?, environment: [String: String]) -> Int {
        if let columns, columns > 0 { return columns }
        guard let number = environment["COLUMNS"].flatMap({ Int($0) }), number > 0 else { return 80 }
        return number
    }

    /// Returns the width that the terminal reports.
    private static func terminalColumns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Returns whether to use colors: on a terminal that has colors, unless `NO_COLOR` is set (no-color.org).
    package static func wantsColors(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Returns whether a person reads the output while it's printed.
    package static func isInteractive(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && environment["TERM"] != "dumb"
    }
}
