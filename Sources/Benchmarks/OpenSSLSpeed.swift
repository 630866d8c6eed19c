import Foundation

/// The results of `openssl speed` on this machine, if the command is installed.
struct OpenSSLSpeed {
    /// Seconds per verification or hashed message, by openssl's names: "rsa2048", "ecdsap256", "sha256 64".
    private(set) var seconds: [String: Double] = [:]

    /// Runs the command for a second per figure. The results are empty if the command is missing or prints another
    /// format.
    init(_ algorithms: [String], byteCount: Int? = nil, withoutHashInstructions: Bool = false) {
        let size = byteCount.map { ["-bytes", String($0)] } ?? []
        // Bit 29 of the second vector is the SHA extensions of x86 (OPENSSL_ia32cap(3)).
        let environment = withoutHashInstructions ? ["OPENSSL_ia32cap": ":~0x20000000"] : [:]
        let text = CommandOutput.text(
            of: ["openssl", "speed", "-mr", "-seconds", "1"] + size + algorithms, environment: environment)
        for line in (text ?? "").split(separator: "\n") {
            let fields = line.split(separator: ":").map(String.init)
            guard fields.count >= 4, let last = fields.last.flatMap({ Double($0) }), last > 0 else { continue }
            switch fields[0] {
            case "+F": seconds["\(fields[2]) \(byteCount ?? 0)"] = Double(byteCount ?? 0) / last
            case "+F2": seconds["rsa\(fields[2])"] = 1 / last
            case "+F4": seconds["ecdsap\(fields[2])"] = 1 / last
            default: continue
            }
        }
    }

    /// Whether the processor has instructions for SHA-1 and SHA-256, which Swift code can't use.
    static let hasHashInstructions: Bool = {
        let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        return information.split(separator: "\n").contains { line in
            (line.hasPrefix("flags") && line.contains(" sha_ni"))
                || (line.hasPrefix("Features") && line.contains(" sha2"))
        }
    }()
}
