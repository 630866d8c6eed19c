import Foundation
import TestHarness
import Testing

/// Compares the Swift code on Markdown pages with the compiled code.
@Suite(.bounded) struct DocumentedCodeTests {
    private static let documented = DocumentedCode()
    private static let sources = Result { try documented.sources() }

    @Test(arguments: documented.pages) func `every Swift block of a page occurs in compiled code`(page: String) throws {
        let sources = try Self.sources.get()
        for block in try Self.documented.blocks(of: page) where !block.isManifest {
            #expect(!block.code.isEmpty && sources.contains { $0.contains(block) }, "\(block)")
        }
    }

    @Test(arguments: documented.pages.filter { $0.contains(".docc/") })
    func `code on a page fits beside the sidebar`(page: String) throws {
        let columns = 78
        var isCode = page.hasSuffix(".txt")
        for line in try Self.documented.text(of: page).components(separatedBy: "\n") {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
                isCode.toggle()
            } else {
                #expect(!isCode || line.count <= columns, "\(line)")
            }
        }
    }

    @Test func `the products and traits that a page names are in the manifest`() throws {
        let manifest = try Self.documented.text(of: "Package.swift")
        var products: Set<String> = []
        for block in try Self.documented.pages.flatMap({ try Self.documented.blocks(of: $0) }) where block.isManifest {
            for line in block.code {
                if let product = line.firstMatch(of: #/\.product\(name: "(\w+)", package: "AsyncStoreKit"\)/#) {
                    products.insert(String(product.1))
                } else {
                    let package = try #require(
                        line.wholeMatch(of: #/\.package\(url: "https:\/\/[^"]+\/AsyncStoreKit", .*\),?/#), "\(block)")
                    #expect(!package.0.contains("traits:") || manifest.contains(#".trait(name: "QuietLegacy""#))
                }
            }
        }
        #expect(products.contains("SwiftyStoreKit"), "a missing product would be found")
        for product in products { #expect(manifest.contains(#".library(name: "\#(product)""#), "\(product)") }
    }

    @Test func `blocks are found with their lines, and a change of a block is noticed`() throws {
        let blocks = try Self.documented.blocks(of: "README.md")
        let block = try #require(blocks.first { $0.code.count > 2 && !$0.isManifest })
        let sources = try Self.sources.get()
        let changed = block.code.dropLast() + [(block.code.last ?? "") + ";"]
        #expect(!sources.contains { $0.contains(Array(changed)) })
        #expect(!DocumentedCode.Source(lines: block.code).contains([]))
        let source = DocumentedCode.Source(lines: ["let id = try await sign(", "offer)"])
        #expect(source.contains(["let id = try await sign(offer)"]), "a line break at punctuation makes no difference")
        #expect(!source.contains(["let id = try awaitsign(offer)"]), "a space between two words makes a difference")
        let tutorial = try #require(Self.documented.pages.first { $0.hasSuffix(".txt") })
        let step = try #require(Self.documented.blocks(of: tutorial).first)
        #expect(
            !step.imports.isEmpty && !DocumentedCode.Source(lines: step.code).contains(step),
            "a block needs its imports")
        #expect(Self.documented.pages.count > 10 && blocks.count > 5)
        let lines = try Self.documented.text(of: "README.md").components(separatedBy: "\n")
        #expect(lines[block.line - 1].trimmingCharacters(in: .whitespaces) == block.code.first)
    }
}
