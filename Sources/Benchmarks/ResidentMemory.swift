import Foundation

/// How much memory this process has, where the system says so in `/proc`; `nil` elsewhere.
enum ResidentMemory {
    /// The bytes that are resident now.
    static var current: Int? { bytes("VmRSS:") }

    /// The most bytes that have been resident so far.
    static var peak: Int? { bytes("VmHWM:") }

    private static func bytes(_ name: String) -> Int? {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let fields = lines.first { $0.hasPrefix(name) }?.split(whereSeparator: { $0 == "\t" || $0 == " " }) ?? []
        return fields.count == 3 ? Int(fields[1]).map { $0 * 1_024 } : nil
    }
}
