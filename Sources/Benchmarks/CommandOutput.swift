#if os(macOS) || !canImport(Darwin)
    import Foundation

    /// What other commands print.
    enum CommandOutput {
        /// Runs a command, found by its name, with some more variables in its environment; `nil` when there is none.
        static func text(of command: [String], environment: [String: String]) -> String? {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return nil }
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
        }
    }
#else
    /// What other commands print: nothing where an app runs no other.
    enum CommandOutput {
        static func text(of command: [String], environment: [String: String]) -> String? { nil }
    }
#endif
