import Foundation

@main
enum Benchmarks {
    static func main() async {
        print("\(Machine.description)\n")
        await PurchaseBenchmarks.run()
        print("")
        ReceiptBenchmarks.run()
        print("")
        LegacyReceiptBenchmarks.run()
        print("")
        SignatureBenchmarks.run()
    }
}
