#if os(macOS) || os(Linux)
    import Dispatch
    package import Foundation

    extension ChildProcess {
        /// The timeout of a program in seconds, after which it's terminated.
        private static let limit: TimeInterval = 40

        /// Runs a program with an empty standard input and waits for its end.
        /// - Throws: An error if the program doesn't exist or hasn't ended after 40 seconds.
        /// - Parameter environment: Values that the program has beyond those of this process.
        package static func run(
            _ executable: URL, _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:]
        ) throws -> Result {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("process-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.currentDirectoryURL = directory ?? folder
            process.standardInput = FileHandle.nullDevice
            // The output goes to files, because a full pipe would block the program until both pipes are read at the
            // same time.
            let (output, errors) = (folder.appendingPathComponent("output"), folder.appendingPathComponent("errors"))
            for file in [output, errors] { try Data().write(to: file) }
            // Closed here, because Foundation keeps the process, and crashes beyond a thousand open files.
            let handles = try [output, errors].map { try FileHandle(forWritingTo: $0) }
            defer { for handle in handles { try? handle.close() } }
            (process.standardOutput, process.standardError) = (handles[0], handles[1])
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            try process.run()
            guard ended.wait(timeout: .now() + limit) == .success else {
                process.terminate()
                throw Failure(
                    description: "\(executable.lastPathComponent) \(arguments) had not ended after \(Int(limit)) s")
            }
            return Result(
                status: process.terminationStatus,
                output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
                errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
        }
    }
#endif
