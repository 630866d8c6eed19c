#if os(macOS) || os(Linux)
    import Foundation

    /// The executable as a process of its own.
    enum BuiltExecutable {
        struct Run {
            let code: Int32
            let output: String
            let errors: String
        }

        /// Where it lies, beside the tests; `nil` when it has not been built.
        static let url: URL? = {
            var folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
            // On macOS the tests are deep inside a bundle.
            for _ in 0..<4 {
                let candidate = folder.appendingPathComponent("store")
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
            return nil
        }()

        /// Runs it to its end. What it says must fit into a pipe, 64 kB.
        static func run(_ arguments: String...) async throws -> Run {
            let process = Process()
            process.executableURL = url
            process.arguments = arguments
            let (output, errors) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = errors
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                process.terminationHandler = { _ in continuation.resume() }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
            let text = [output, errors].map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
            return Run(code: process.terminationStatus, output: text[0], errors: text[1])
        }
    }
#endif
