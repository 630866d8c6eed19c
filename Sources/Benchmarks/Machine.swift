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

/// The resident memory of this process, on systems with `/proc`; `nil` on other systems.
enum ResidentMemory {
    /// The current resident bytes.
    static var current: Int? {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let fields = lines.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: { $0 == "\t" || $0 == " " }) ?? []
        return fields.count == 3 ? Int(fields[1]).map { $0 * 1_024 } : nil
    }
}
