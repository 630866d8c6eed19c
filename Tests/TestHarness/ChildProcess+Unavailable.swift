#if !os(macOS) && !os(Linux)
    package import Foundation

    extension ChildProcess {
        /// This platform can't run other programs.
        package static func run(
            _ executable: URL, _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:]
        ) throws -> Result {
            throw Failure(description: "\(executable.lastPathComponent) cannot be run on this platform")
        }
    }
#endif
