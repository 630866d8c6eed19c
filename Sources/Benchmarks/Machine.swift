import Foundation

/// What the figures were taken on.
enum Machine {
    static var description: String {
        let process = ProcessInfo.processInfo
        return "\(processor), \(process.activeProcessorCount) cores, \(process.physicalMemory >> 30) GiB, "
            + process.operatingSystemVersionString
    }

    /// The processor's time that this process has used, in seconds: what else runs does not count. POSIX counts a million to the second.
    static var processorSeconds: Double { Double(clock()) / 1e6 }

    private static var processor: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }
}
