#if os(macOS) || os(Linux)
    import Dispatch
    package import Foundation

    extension ChildProcess {
        /// How long a program may take, in seconds. Then it is ended.
        private static let limit: TimeInterval = 40

        /// Runs a program, with nothing on its standard input, and waits for its end.
        /// - Throws: when there is no such program, or it has not ended after 40 seconds.
        package static func run(_ executable: URL, _ arguments: [String], in directory: URL? = nil) throws -> Result {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("process-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.currentDirectoryURL = directory ?? folder
            process.standardInput = FileHandle.nullDevice
            // Into files, as pipes are full at some size, and whoever reads one would have to read the other at the same time.
            let (output, errors) = (folder.appendingPathComponent("output"), folder.appendingPathComponent("errors"))
            for file in [output, errors] { try Data().write(to: file) }
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            try process.run()
            guard ended.wait(timeout: .now() + limit) == .success else {
                process.terminate()
                throw Failure(description: "\(executable.lastPathComponent) \(arguments) had not ended after \(Int(limit)) s")
            }
            return Result(
                status: process.terminationStatus, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
                errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
        }
    }
#endif
