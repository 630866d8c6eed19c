import Foundation

/// Measures everything, or the parts that are named: `Benchmarks tokens 1000000` verifies a million tokens for the memory.
@main
enum Benchmarks {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Hostile input is read by processes of their own, which are called with what to do.
        if HostileInputBenchmarks.run(arguments) { return }
        let tokens = arguments.lazy.compactMap { Int($0) }.first ?? 20_000
        let parts: [(name: String, run: () async -> Void)] = [
            ("purchases", PurchaseBenchmarks.run), ("receipts", ReceiptBenchmarks.run), ("legacy", LegacyReceiptBenchmarks.run),
            ("hostile", HostileInputBenchmarks.run), ("tokens", { TokenBenchmarks.run(count: tokens) }),
            ("signatures", SignatureBenchmarks.run),
        ]
        let named = parts.filter { arguments.contains($0.name) }
        print(Machine.description)
        for part in named.isEmpty ? parts : named {
            print("")
            await part.run()
        }
    }
}
