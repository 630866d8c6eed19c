import Foundation

/// The resident memory of this process, on systems with `/proc`; `nil` on other systems.
enum ResidentMemory {
    /// The current resident bytes.
    static var current: Int? {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let fields = lines.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: { $0 == "\t" || $0 == " " }) ?? []
        return fields.count == 3 ? Int(fields[1]).map { $0 * 1_024 } : nil
    }
}
