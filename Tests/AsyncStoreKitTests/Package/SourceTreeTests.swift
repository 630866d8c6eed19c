import Foundation
import Testing

@Suite struct SourceTreeTests {
    private static let importsStoreKit =
        #"^\s*(@[A-Za-z_()]+\s+)*([a-z]+\s+)?import\s+([a-z]+\s+)?StoreKit\b"#

    @Test func `the sources are found`() throws {
        let paths = try SourceTree().files.map(\.path)
        for expected in ["AsyncStoreKit/Store/Store.swift", "StoreKit/Queue/SKPaymentQueue.swift", "AppReceipt/Receipt/Receipt.swift"] {
            #expect(paths.contains(expected))
        }
    }

    @Test func `StoreKit is imported in two folders only`() throws {
        let tree = try SourceTree()
        let elsewhere = try tree.places(of: Self.importsStoreKit) {
            !$0.hasPrefix("AsyncStoreKit/Backend/StoreKit/") && !$0.hasPrefix("SwiftyStoreKit/")
        }
        #expect(elsewhere == [])
        let backend = try tree.places(of: Self.importsStoreKit) { $0.hasPrefix("AsyncStoreKit/Backend/StoreKit/") }
        #expect(!backend.isEmpty, "what is looked for would be found")
    }

    @Test func `libraries print nothing`() throws {
        let tree = try SourceTree()
        let executables = ["store/", "Benchmarks/"]
        let libraries: (String) -> Bool = { path in !executables.contains { path.hasPrefix($0) } }
        #expect(try tree.places(of: #"(^|[^A-Za-z0-9_.])(print|debugPrint|dump|NSLog)\("#, in: libraries) == [])
        #expect(try !tree.places(of: #"(^|[^A-Za-z0-9_.])print\("#).isEmpty, "what is looked for would be found")
    }

    @Test func `sources contain nothing that traps`() throws {
        let traps = [
            #"(^|[^A-Za-z0-9_.])(fatalError|preconditionFailure|precondition|assertionFailure|assert)\("#,
            #"\btry!"#, #"\bas!"#, #"nonisolated\(unsafe\)"#,
        ]
        let tree = try SourceTree()
        for trap in traps { #expect(try tree.places(of: trap) == []) }
    }

    @Test func `an unchecked conformance says directly above why it holds`() throws {
        let tree = try SourceTree()
        let places = try tree.places(of: #"^[^/]*@unchecked\s+Sendable"#)
        #expect(!places.isEmpty, "what is looked for would be found")
        for file in tree.files {
            for (index, line) in file.lines.enumerated() where places.contains("\(file.path):\(index + 1)") {
                // What is declared unavailable claims nothing.
                let above = index > 0 ? file.lines[index - 1].trimmingCharacters(in: .whitespaces) : ""
                if above.hasPrefix("@available(*, unavailable") { continue }
                #expect(
                    Self.comment(endingAbove: index, in: file.lines).contains("@unchecked because: "),
                    "\(file.path):\(index + 1): \(line)")
            }
        }
    }

    /// The lines of the `//` comment that ends directly above a line.
    private static func comment(endingAbove index: Int, in lines: [String]) -> String {
        let above = lines[..<index].reversed().prefix { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            return line.hasPrefix("//") && !line.hasPrefix("///")
        }
        return above.reversed().joined(separator: "\n")
    }
}

// Names.
extension SourceTreeTests {
    /// The types of SwiftyStoreKit's API and of StoreKit 2, which users have in scope beside ours and could not qualify.
    private static let taken: Set<String> = [
        "SwiftyStoreKit", "AppleReceiptValidator", "InAppRequest", "TransactionResult", "PaymentQueue", "PaymentDiscount",
        "Purchased", "Purchase", "PurchaseDetails", "ReceiptValidator", "PaymentTransaction", "RetrieveResults", "PurchaseResult",
        "RestoreResults", "ShouldAddStorePaymentHandler", "UpdatedDownloadsHandler", "ReceiptInfo", "FetchReceiptResult",
        "VerifyReceiptResult", "VerifyPurchaseResult", "VerifySubscriptionResult", "SubscriptionType", "ReceiptItem",
        "ReceiptError", "ReceiptStatus", "ReceiptInfoField", "ReceiptExitCode",
        "Product", "Transaction", "Storefront", "PurchaseIntent", "Message", "AppStore", "AppTransaction", "VerificationResult",
        "ExternalPurchase", "SubscriptionInfo", "RenewalInfo", "StoreKitError", "BackingValue",
    ]

    @Test func `no public type bears a name that is taken`() throws {
        let own = ["AsyncStoreKit/", "AsyncStoreKitTesting/", "AppReceipt/", "AppStoreSimulator/", "ReceiptCryptography/"]
        let isOwn: (String) -> Bool = { path in own.contains { path.hasPrefix($0) } }
        let tree = try SourceTree()
        // A type inside another one is qualified by it: only those at the beginning of a line matter.
        let declaration = "^public (final )?(class|struct|enum|protocol|actor|typealias) "
        #expect(try tree.places(of: declaration + "Store\\b", in: isOwn).count == 1, "what is looked for would be found")
        for name in Self.taken.sorted() {
            #expect(try tree.places(of: declaration + name + "\\b", in: isOwn) == [])
        }
    }
}
