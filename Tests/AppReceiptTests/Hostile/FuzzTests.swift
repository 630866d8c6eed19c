import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt

/// Mutates inputs of every kind at random and passes them to every reader: `RECEIPT_FUZZ_EXECUTIONS=100000
/// TEST_TIME_LIMIT=3600 swift test --filter FuzzTests`.
///
/// `RECEIPT_TEST_SEED` repeats a run. Inputs with a new result of a reader are kept and mutated further.
@Suite(.bounded, .enabled(if: Fuzzing.executions > 0)) struct FuzzTests {
    @Test func `no mutated input is valid, and none traps`() throws {
        print("RECEIPT_TEST_SEED=\(MutationGenerator.seed)")
        var generator = MutationGenerator(seed: MutationGenerator.seed)
        var corpus = try ReaderSeeds.all().map(\.bytes)
        var answers: Set<String> = []
        for execution in 0..<Fuzzing.executions {
            guard let original = corpus.randomElement(using: &generator) else { return }
            var bytes = generator.mutate(original)
            if Int.random(in: 0..<8, using: &generator) == 0, let other = corpus.randomElement(using: &generator),
                !bytes.isEmpty,
                !other.isEmpty
            {
                let cut = Int.random(in: 0..<bytes.count, using: &generator)
                bytes = Array(bytes[..<cut] + other[Int.random(in: 0..<other.count, using: &generator)...])
            }
            let findings = Readers.read(bytes)
            #expect(
                findings.complaints.isEmpty,
                "seed \(MutationGenerator.seed), execution \(execution): \(findings.complaints) for \(Data(bytes).base64EncodedString())"
            )
            let known = answers.count
            answers.formUnion(findings.answers)
            if answers.count > known, bytes.count < 20_000, corpus.count < Fuzzing.largestCorpus {
                corpus.append(bytes)
            }
        }
        print("\(Fuzzing.executions) executions, \(answers.count) different answers, \(corpus.count) inputs kept")
    }
}

enum Fuzzing {
    static let largestCorpus = 2_000
    static let executions = ProcessInfo.processInfo.environment["RECEIPT_FUZZ_EXECUTIONS"].flatMap { Int($0) } ?? 0
}
