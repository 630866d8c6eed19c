import Foundation

extension Console {
    /// The process's own standard output and standard error.
    static func process() -> Console {
        let isTerminal = isatty(FileHandle.standardOutput.fileDescriptor) == 1
        return Console(
            isColored: wantsColors(isTerminal: isTerminal, environment: ProcessInfo.processInfo.environment),
            // Nobody can be told that nobody listens.
            write: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
            writeError: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })
    }

    /// Whether to use colors: on a terminal that knows them, unless `NO_COLOR` is set to anything (no-color.org).
    package static func wantsColors(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}
