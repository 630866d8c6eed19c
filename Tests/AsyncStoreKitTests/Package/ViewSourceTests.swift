import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ViewSourceTests {
    /// A lazy container of iOS 26 calls the closure of a `ForEach` off the main actor if nothing is between them.
    @Test func `every ForEach of a view is inside a container of the view`() throws {
        let files = try SourceTree.sources.get().files.filter { $0.path.hasPrefix("AsyncStoreKitUI/") }
        #expect(files.contains { $0.lines.contains { $0.contains("ForEach(") } }, "a loop would be found")
        expectEqual(files.flatMap { file in Self.bare(in: file.lines).map { "\(file.path):\($0)" } }, [])
    }

    @Test func `a ForEach without a container is found`() {
        let bare = [
            "var body: some View {", "    VStack {", "        Text(title)", "    }", "    if isShown {",
            "        ForEach(items) { Row($0) }", "    }", "}",
        ]
        expectEqual(Self.bare(in: bare), [6])
        let contained = [
            "var body: some View {", "    VStack(spacing: 2) {", "        switch phase {",
            "        case .ready: ForEach(items) { item in", "                Row(item)", "            }", "        }",
            "    }", "}",
        ]
        expectEqual(Self.bare(in: contained), [])
    }

    @Test func `each public view is shown in a hosting controller by a test`() throws {
        let declaration = /^ *public struct (?<name>\w+)(<.*>)?: View \{/
        let files = try SourceTree.sources.get().files.filter { $0.path.hasPrefix("AsyncStoreKitUI/") }
        let views = files.flatMap { $0.lines.compactMap { try? declaration.firstMatch(in: $0)?.output.name } }
        #expect(views.contains("PurchaseButton") && views.contains("EntitledView"), "a view would be found")
        let tests = try SourceTree.tests.get().files.first { $0.path.hasSuffix("/HostedViewTests.swift") }
        let text = try #require(tests).lines.joined(separator: "\n")
        for view in views { #expect(text.contains("\(view)(") || text.contains("\(view) {"), "\(view)") }
    }

    /// The numbers of the lines with a `ForEach` that isn't inside the braces of a stack.
    private static func bare(in lines: [String]) -> [Int] {
        var containers: [Bool] = []
        var places: [Int] = []
        for (index, line) in lines.enumerated() {
            let isContainer = line.range(of: #"\b[VHZ]Stack\b.*\{$"#, options: .regularExpression) != nil
            if line.contains("ForEach("), !containers.contains(true) { places.append(index + 1) }
            for character in line {
                if character == "{" { containers.append(isContainer) }
                if character == "}" { _ = containers.popLast() }
            }
        }
        return places
    }
}
