#if !os(macOS) && !os(Linux)
    package import Foundation

    extension ChildProcess {
        /// There are no other programs on this platform.
        package static func run(_ executable: URL, _ arguments: [String], in directory: URL? = nil) throws -> Result {
            throw Failure(description: "\(executable.lastPathComponent) cannot be run on this platform")
        }
    }
#endif
