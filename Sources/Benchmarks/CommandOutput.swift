#if os(macOS) || !canImport(Darwin)
    import Foundation

    /// The output of other commands.
    enum CommandOutput {
        /// Runs a command with additional environment variables and returns its output; `nil` if the command doesn't
        /// exist or fails.
        static func text(of command: [String], environment: [String: String]) -> String? {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            guard (try? withoutBlockedSignals { try process.run() }) != nil else { return nil }
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
        }

        /// Runs a closure while this thread blocks no signals.
        ///
        /// A process inherits the blocked signals of the thread that starts it. Threads of Dispatch block SIGALRM, by
        /// which `openssl speed` ends.
        private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
            var (none, blocked) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &blocked)
            defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
            try body()
        }
    }
#else
    /// Apps can't run commands, so the output is always `nil`.
    enum CommandOutput {
        static func text(of command: [String], environment: [String: String]) -> String? { nil }
    }
#endif
