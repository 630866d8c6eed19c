import Foundation

/// `store check`: whether a build that ships contains a simulated App Store.
package enum CheckCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "check",
        summary: "Checks that a release build contains no simulated App Store and none of its keys.",
        options: [
            .init("--binary", value: "APP", isRequired: true, "An executable, or an app's folder with everything in it.")
        ],
        notes: [
            "The exit code is 0 for a build without a simulated App Store, and 1 for a build with one.",
            "Tests and previews link AppStoreSimulator and AsyncStoreKitTesting. An app that ships must not.",
        ])

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        let path = arguments["--binary"] ?? ""
        let files = try files(at: path)
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
                .failure, "a customer could buy for free. Remove AsyncStoreKitTesting and AppStoreSimulator from the app's target.")
        }
        console.lines(["\(path.printable): \(count), no simulated App Store."])
        return .success
    }

    /// Returns the file at a path, or the regular files of the folder there.
    private static func files(at path: String) throws(CommandFailure) -> [URL] {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let type = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
        switch type {
        case .typeRegular?: return [url]
        case .typeDirectory?: break
        case nil: throw CommandFailure(.noInput, "there is no file or folder \(path.shown)")
        default: throw CommandFailure(.noInput, "\(path.shown) is a pipe or a device.")
        }
        let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isRegularFileKey])?.compactMap { $0 as? URL }
        let files = (all ?? []).filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false }
        guard !files.isEmpty else { throw CommandFailure(.noInput, "there are no files in \(path.shown)") }
        return files.sorted { $0.path < $1.path }
    }
}

/// A text that every build with a simulated App Store contains, also when its symbols are stripped.
private struct SimulatorTrace {
    let name: String
    let bytes: Data

    /// Module names stand in the metadata of types, the certificate's name among the constants.
    private static let all = [
        SimulatorTrace(name: "the module AppStoreSimulator", bytes: Data("AppStoreSimulator\0".utf8)),
        SimulatorTrace(name: "the module AsyncStoreKitTesting", bytes: Data("AsyncStoreKitTesting\0".utf8)),
        SimulatorTrace(name: "the simulator's certificates and keys", bytes: Data("Simulated App Store Test Root".utf8)),
    ]

    private static let chunkSize = 4_000_000

    /// Returns the traces in a file, which is read in parts.
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
            throw CommandFailure(.noInput, "\(url.path.shown) cannot be read: \(error.localizedDescription)")
        }
        return all.filter { found.contains($0.name) }
    }
}
