import Foundation

/// Checks that a build contains no simulated App Store.
struct BinaryCheck {
    /// The path of an executable, or of the folder of an app.
    let path: String

    func run(on console: Console) throws(CommandFailure) -> ExitCode {
        let files = try Self.files(at: path)
        var hasTraces = false
        for file in files {
            for trace in try SimulatorTrace.traces(in: file) {
                hasTraces = true
                console.lines(["\(file.path.printable) contains \(trace.name)."])
            }
        }
        let count = files.count == 1 ? "1 file" : "\(files.count) files"
        guard !hasTraces else {
            throw CommandFailure(
                .failure,
                "customers could buy for free. Remove AsyncStoreKitTesting and AppStoreSimulator from the target of the app."
            )
        }
        console.lines(["\(path.printable): \(count), no simulated App Store."])
        return .success
    }

    /// Returns the file at a path, or all regular files of a folder.
    private static func files(at path: String) throws(CommandFailure) -> [URL] {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let type = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
        switch type {
        case .typeRegular?: return [url]
        case .typeDirectory?: break
        case nil: throw CommandFailure(.noInput, "\(path) cannot be read: no such file or folder.")
        default: throw CommandFailure(.noInput, "\(path) is a pipe or a device, not an app.")
        }
        let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isRegularFileKey])?.compactMap {
            $0 as? URL
        }
        let files = (all ?? []).filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false }
        guard !files.isEmpty else { throw CommandFailure(.noInput, "\(path) contains no files.") }
        return files.sorted { $0.path < $1.path }
    }
}

/// A text that every build with a simulated App Store contains, even without symbols.
private struct SimulatorTrace {
    let name: String
    let bytes: Data

    /// The metadata of types contains module names. The constants contain the name of the certificate.
    private static let all = [
        SimulatorTrace(name: "the module AppStoreSimulator", bytes: Data("AppStoreSimulator\0".utf8)),
        SimulatorTrace(name: "the module AsyncStoreKitTesting", bytes: Data("AsyncStoreKitTesting\0".utf8)),
        SimulatorTrace(
            name: "the simulator's certificates and keys", bytes: Data("Simulated App Store Test Root".utf8)),
    ]

    private static let chunkSize = 4_000_000

    /// Reads a file in parts and returns the traces in the file.
    static func traces(in url: URL) throws(CommandFailure) -> [SimulatorTrace] {
        let overlap = all.map(\.bytes.count).max() ?? 0
        var found: Set<String> = []
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            var part = Data()
            while let next = try file.read(upToCount: chunkSize), !next.isEmpty {
                part = part.suffix(overlap) + next
                for trace in all where part.range(of: trace.bytes) != nil { found.insert(trace.name) }
            }
        } catch {
            throw InputFile.unreadable(url.path, error)
        }
        return all.filter { found.contains($0.name) }
    }
}
