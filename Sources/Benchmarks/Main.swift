import Foundation

/// Runs all benchmarks, or the named parts: `Benchmarks tokens 1000000` verifies a million tokens to measure memory.
@main
enum Benchmarks {
    private enum Part: String, CaseIterable {
        case purchases, engines, entitlements, receipts, legacy, calls, hostile, tokens, signatures
    }

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Hostile input is read in separate processes of this program, which have other arguments.
        if HostileInputBenchmarks.run(arguments) { return }
        let named = Part.allCases.filter { arguments.contains($0.rawValue) }
        print(Machine.description)
        for part in named.isEmpty ? Part.allCases : named {
            print("")
            switch part {
            case .purchases: await PurchaseBenchmarks.run()
            case .engines: await EngineBenchmarks.run()
            case .entitlements: await EntitlementBenchmarks.run()
            case .receipts: ReceiptBenchmarks.run()
            case .legacy: LegacyReceiptBenchmarks.run()
            case .calls: await LegacyFlowBenchmarks.run()
            case .hostile: HostileInputBenchmarks.run()
            case .tokens: TokenBenchmarks.run(count: arguments.lazy.compactMap { Int($0) }.first ?? 20_000)
            case .signatures: SignatureBenchmarks.run()
            }
        }
    }
}
