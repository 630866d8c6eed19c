import Foundation

extension Console {
    /// The process's own standard output and standard error.
    static func process() -> Console {
        let isTerminal = isatty(FileHandle.standardOutput.fileDescriptor) == 1
        let environment = ProcessInfo.processInfo.environment
        return Console(
            isColored: wantsColors(isTerminal: isTerminal, environment: environment),
            redraws: canRedraw(isTerminal: isTerminal, environment: environment),
            // Nobody can be told that nobody listens.
            write: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
            writeError: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
            wait: { Thread.sleep(forTimeInterval: $0) })
    }

    /// Whether to use colors: on a terminal that knows them, unless `NO_COLOR` is set to anything (no-color.org).
    package static func wantsColors(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Whether a line can be drawn in the place of another: on a terminal that is more than a typewriter.
    package static func canRedraw(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && environment["TERM"] != "dumb"
    }
}
