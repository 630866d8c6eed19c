import Foundation
import TestHarness
import Testing

/// Checks the rules for tests.
@Suite(.bounded) struct TestSourcesTests {
    @Test func `every suite is bounded, and every test is in a suite`() throws {
        let tree = try SourceTree.tests.get()
        let suites = try tree.places(of: #"^\s*@Suite\b"#)
        #expect(suites.count > 100, "a suite would be found")
        expectEqual(suites, try tree.places(of: #"^\s*@Suite\(\.bounded\b"#))
        // The declaration is on the line of its attribute, so that the extensions of a suite are known by its name.
        let names = Set(tree.files.flatMap { $0.lines }.compactMap { Self.suite(declaredIn: $0) })
        expectEqual(names.count, suites.count)
        for file in tree.files where file.lines.contains(where: { $0.contains("    @Test") }) {
            let extended = file.lines.compactMap { $0.hasPrefix("extension ") ? $0.split(separator: " ")[1] : nil }
            let isInSuite =
                file.lines.contains { Self.suite(declaredIn: $0) != nil }
                || extended.contains { names.contains(String($0)) }
            #expect(isInSuite, "\(file.path) has tests outside a suite")
        }
    }

    /// Returns the name of the suite that a line declares.
    private static func suite(declaredIn line: String) -> String? {
        guard line.contains("@Suite") else { return nil }
        let words = line.split(separator: " ").map { $0.trimmingCharacters(in: .punctuationCharacters) }
        return words.firstIndex(of: "struct").flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }

    @Test func `a test's name is a sentence in its declaration`() throws {
        let tree = try SourceTree.tests.get()
        expectEqual(try tree.places(of: #"@(Test|Suite)\(\s*""#), [])
        let tests = try tree.places(of: #"^\s*@Test\b"#).count
        let names = try tree.places(of: #"\bfunc `[^`]+`\("#).count
        #expect(tests > 1_000, "a test would be found")
        expectEqual(tests, names)
    }

    @Test func `tests wait for signals, with a bound, under one lock`() throws {
        let tree = try SourceTree.tests.get()
        // The harness, which limits the waits of other tests; and an app's own tests, which use only public
        // declarations.
        let isTest: (String) -> Bool = { !$0.hasPrefix("TestHarness/") && !$0.hasPrefix("DocumentationTests/") }
        let waits = [
            #"\bTask\.sleep\b"#, #"(?<![.\w])u?sleep\(\d"#, #"\bwith(Checked|Unsafe)(Throwing)?Continuation\b"#,
            #"\.wait\(\)"#,
            #"\bNSRecursiveLock\b"#, #"\bpthread_mutex"#, #"\.timeLimit\("#,
        ]
        for wait in waits {
            // This file contains the names.
            expectEqual(
                try tree.places(of: wait) { isTest($0) && !$0.hasSuffix("TestSourcesTests.swift") }, [], "\(wait)")
        }
        #expect(try !tree.places(of: waits[2]).isEmpty, "a wait would be found")
        expectEqual(try tree.places(of: waits[0]) { !$0.hasSuffix("TestSourcesTests.swift") }, [], "no test sleeps")
        // The tests of the simulator and of receipts, and the HTTP server, don't use the core, whose lock the other
        // tests use.
        let locks = try tree.files(of: #"\bNSLock\("#).filter { !$0.hasSuffix("TestSourcesTests.swift") }
        expectEqual(
            locks,
            [
                "AppStoreSimulatorTests/Support/OrderLog.swift", "LoopbackHTTP/LoopbackService.swift",
                "ReceiptTestFixtures/SignatureMemo.swift",
            ])
    }

    /// Xcode's build system has no product for a test target that another target depends on.
    @Test func `no target depends on a test target`() throws {
        let manifest = try String(
            contentsOf: SourceTree.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        expectEqual(Self.dependenciesOnTests(in: manifest), [])
        let wrong = manifest.replacingOccurrences(of: #""TestHarness""#, with: #""AppReceiptTests""#)
        expectEqual(Self.dependenciesOnTests(in: wrong), ["AppReceiptTests"])
    }

    /// Returns the test targets that a list of dependencies in a manifest names.
    private static func dependenciesOnTests(in manifest: String) -> [String] {
        let tests = Set(manifest.matches(of: #/\.testTarget\(\s*name: "(\w+)"/#).map { String($0.1) })
        let lists = manifest.matches(of: #/dependencies:?(?:\.append\(| = | \+= | )\[?([^\]]*)[\])]/#).map { $0.1 }
        let named = lists.flatMap { $0.matches(of: #/"(\w+)"/#).map { String($0.1) } }
        return tests.intersection(named).sorted()
    }
}
