import Foundation

/// The machine of the measurements.
enum Machine {
    static var description: String {
        let process = ProcessInfo.processInfo
        return "\(processor), \(process.activeProcessorCount) cores, \(process.physicalMemory >> 30) GiB, "
            + process.operatingSystemVersionString
    }

    /// The processor time of this process in seconds. POSIX defines a million clock ticks per second.
    static var processorSeconds: Double { Double(clock()) / 1e6 }

    private static var processor: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }
}
