package import Foundation

extension ChildProcess {
    /// Returns the path of an executable of this package, beside the tests; `nil` if it isn't built.
    package static func builtExecutable(named name: String) -> URL? {
        var folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        // On macOS the tests are deep inside a bundle.
        for _ in 0..<4 {
            let candidate = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
