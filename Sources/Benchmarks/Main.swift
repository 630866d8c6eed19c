import Foundation

/// Runs benchmarks, or compares ratios with recorded ones. `Benchmarks --help` lists the arguments.
@main
enum Benchmarks {
    /// A group of benchmarks.
    private enum Part: String, CaseIterable {
        case purchases, calls, entitlements, receipts, dictionaries, tokens
        // These take minutes, and run only by name.
        case hundredThousand = "100000"
        case years, growth

        /// Whether the part runs only by name.
        var isLong: Bool {
            switch self {
            case .purchases, .calls, .entitlements, .receipts, .dictionaries, .tokens: false
            case .hundredThousand, .years, .growth: true
            }
        }

        var summary: String {
            switch self {
            case .purchases: "purchases over a backend that answers immediately"
            case .calls: "SwiftyStoreKit's calls over a simulated App Store"
            case .entitlements: "entitlements from 10 000 transactions"
            case .receipts: "reading and verifying receipts"
            case .dictionaries: "SwiftyStoreKit's questions to a receipt dictionary"
            case .tokens:
                "verifying signed transactions. A number after it is the number of transactions, 20000 by default"
            case .hundredThousand: "100 000 purchases over a backend that answers immediately"
            case .years: "weekly subscriptions over two years of renewals"
            case .growth: "100 000 purchases of one customer, and 20 000 owned products"
            }
        }
    }

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--help"] || arguments == ["-h"] { return print(help) }
        if arguments == ["--check"] { return await check() }
        var parts: [Part] = []
        var count: Int?
        for argument in arguments {
            if let part = Part(rawValue: argument) {
                parts.append(part)
            } else if let number = Int(argument), number > 0, parts.last == .tokens {
                count = number
            } else {
                print("\"\(argument)\" isn't an argument.\n\n" + help)
                exit(1)
            }
        }
        print(Machine.description)
        for part in parts.isEmpty ? Part.allCases.filter({ !$0.isLong }) : parts {
            print("")
            await run(part, count: count)
        }
    }

    private static func run(_ part: Part, count: Int?) async {
        switch part {
        case .purchases: await PurchaseBenchmarks.run()
        case .calls: await LegacyFlowBenchmarks.run()
        case .entitlements: await EntitlementBenchmarks.run()
        case .receipts: ReceiptBenchmarks.run()
        case .dictionaries: LegacyReceiptBenchmarks.run()
        case .tokens: TokenBenchmarks.run(count: count ?? 20_000)
        case .hundredThousand: await PurchaseBenchmarks.runMany()
        case .years: await EntitlementBenchmarks.runYears()
        case .growth: await GrowthBenchmarks.run()
        }
    }

    /// Compares the ratios, and exits with 1 if one of them is too large.
    private static func check() async {
        print(Machine.description)
        guard await RatioCheck.run() else { exit(1) }
    }

    private static var help: String {
        func lines(_ parts: [Part]) -> String {
            parts.map { "  " + $0.rawValue.padding(toLength: 14, withPad: " ", startingAt: 0) + $0.summary }.joined(
                separator: "\n")
        }
        return """
            Usage: Benchmarks [PART]...
                   Benchmarks --check

            Without arguments, runs these parts, in less than three minutes:
            \(lines(Part.allCases.filter { !$0.isLong }))

            Runs these parts only if you name them:
            \(lines(Part.allCases.filter(\.isLong)))

            With --check, compares ratios of costs with recorded ones, in less than 30 seconds. Exits with 1 if a ratio is
            more than double.
            """
    }
}

/// Prints a line, and flushes it, so that a pipe also gets each line as soon as it's known.
func print(_ line: String) {
    Swift.print(line)
    fflush(nil)
}
