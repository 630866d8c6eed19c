import Foundation

/// Keeps the results between launches, because some checks end in another launch than they began.
struct ChecklistStorage {
    let file: URL

    /// The results of an earlier launch, if they are of this device and environment.
    func run(device: String, environment: String) -> ChecklistRun {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let data = try? Data(contentsOf: file), let run = try? decoder.decode(ChecklistRun.self, from: data),
            run.device == device, run.environment == environment
        else { return ChecklistRun(device: device, environment: environment) }
        return run
    }

    func save(_ run: ChecklistRun) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try ChecklistReport(run: run).json().write(to: file, options: .atomic)
    }
}
