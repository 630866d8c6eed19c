import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SourceTreeTests {
    private static let importsStoreKit =
        #"^\s*(@[A-Za-z_()]+\s+)*([a-z]+\s+)?import\s+([a-z]+\s+)?StoreKit\b"#

    @Test func `the sources are found`() throws {
        let paths = try SourceTree.sources.get().files.map(\.path)
        for expected in [
            "AsyncStoreKit/Store/PurchaseStore.swift", "StoreKit/Queue/SKPaymentQueue.swift",
            "AppReceipt/Receipt/Receipt.swift",
        ] {
            #expect(paths.contains(expected))
        }
    }

    @Test func `only the backends over StoreKit, the views and the old API import StoreKit`() throws {
        let tree = try SourceTree.sources.get()
        // The benchmark compares the old API with a payment queue alone.
        let over = [
            "AsyncStoreKit/Backend/StoreKit", "AsyncStoreKitUI/", "SwiftyStoreKit/", "DemoApp/App/Examples/",
            "DemoApp/HostedTests/Session/", "StoreKitTest/",
            "Benchmarks/LegacyFlowBenchmarks.swift",
        ]
        let elsewhere = try tree.places(of: Self.importsStoreKit) { path in !over.contains { path.hasPrefix($0) } }
        expectEqual(elsewhere, [])
        let backend = try tree.places(of: Self.importsStoreKit) { $0.hasPrefix("AsyncStoreKit/Backend/StoreKit") }
        #expect(!backend.isEmpty, "an import would be found")
    }

    @Test func `the code that only servers need isn't linked by an app that buys`() throws {
        let tree = try SourceTree.sources.get()
        let importsServer = #"\bimport AppStoreServer\b"#
        let linked = [
            "AsyncStoreKit/", "AsyncStoreKitHTTP/", "AsyncStoreKitUI/", "AppReceipt/", "ReceiptCryptography/",
        ]
        expectEqual(try tree.places(of: importsServer) { path in linked.contains { path.hasPrefix($0) } }, [])
        #expect(try !tree.places(of: importsServer).isEmpty, "an import would be found")
    }

    @Test func `the StoreKit 2 engine decides on values, and only the conversions import StoreKit`() throws {
        let tree = try SourceTree.sources.get()
        let folder = "AsyncStoreKit/Backend/StoreKit2/"
        let imports = try Set(
            tree.places(of: Self.importsStoreKit) { $0.hasPrefix(folder) }.map { place in
                String(place.dropFirst(folder.count).prefix { $0 != ":" })
            })
        expectEqual(
            imports,
            [
                "StoreKit2+Seats.swift", "PurchaseOption+SignedOffers.swift", "StoreKit2+SDK26_5.swift",
                "StoreKit2+SDK27.swift", "StoreKit2Presentation+OfferCodes.swift", "RefundRequest+StoreKit2.swift",
                "StoreError+StoreKit2.swift",
                "SystemStoreKit2+Darwin.swift", "SystemStoreKit2+Linux.swift",
                "StoreKit2Presentation+AppKit.swift", "StoreKit2Presentation+TV.swift",
                "StoreKit2Presentation+UIKit.swift",
                "StoreKit2SignedTransaction+StoreKit.swift", "StoreProduct+StoreKit2.swift",
            ])
    }

    /// Words that make a sentence hard to follow, with the largest number of lines that may have one. Lower the number
    /// when you've rewritten such lines.
    @Test(arguments: [("Sources", 4), ("Tests", 0)])
    func `sentences name things instead of paraphrasing them`(folder: String, ceiling: Int) throws {
        let words =
            #"(?i)(^|[^.])\b(somebody|nobody|whoever|anybody)\b|\b(hears? of|is told|comes? of|lets? go|all the same)\b"#
            + #"|\bwhat (is|was|has)\b"#
        let tree = try (folder == "Tests" ? SourceTree.tests : SourceTree.sources).get()
        let places = try tree.places(of: words) { !$0.hasSuffix("SourceTreeTests.swift") }
        #expect(places.count <= ceiling, "\(places.count) lines, such as \(places.suffix(5))")
    }

    /// Phrases that read as translated, each with a better one.
    private static let translated: [(phrase: String, instead: String)] = [
        (#"decid(e|es|ed|ing) about"#, "check, review, settle"),
        (#"(?<!reference )counts( (as|at|for|from|once|only|until|again|when|too|like)\b|\.(\s|$)|`)"#, "is used"),
        (#"(doesn't|don't|does not|do not) count([.,;`]|$| (as|at|for|from|until|when)\b)"#, "is ignored"),
        (#"(took|takes?|taken) ((it|them|the \w+|\w+) )?back"#, "revoked"),
        (#"of (which|whom)|to whom"#, "whose, or a shorter sentence"),
        (#"for how long|until when|since when"#, "how long, the date until which"),
        (#"seen to"#, "sometimes"),
        (#"as far as"#, "if known"),
        (#"how often"#, "the number of times"),
        (#"(the|this|these|those|that) very"#, "the same"),
        (#"(is|are|was|were) over([.,:;`"]|$| (and|but)\b)"#, "has ended"),
        (#"(goes|went) on"#, "continues"),
        (#"also (if|when|while|without|after|in a|offline|from|with an?)"#, "even"),
        (#"each once"#, "without duplicates"),
        (#"one( \w+)? after the other"#, "in order, serially"),
        (#"stands? for"#, "represents"),
        (#"(hands?|handed) (back|over)"#, "returns, gives"),
        (#"says? more"#, "takes precedence"),
        (#"put right"#, "corrected"),
        (#"from (iOS|macOS|tvOS|watchOS|visionOS|the \d+ SDK)( [\d.]+)?[^.]* on"#, "in … and later"),
    ]

    /// The largest number of lines that may have such a phrase. Lower a number when you've rewritten lines.
    @Test(arguments: [("Sources", 0), ("Tests", 0), ("pages", 0)])
    func `sentences don't read as translated`(place: String, ceiling: Int) throws {
        let phrases = #"(?i)(?<![\w.])("# + Self.translated.map(\.phrase).joined(separator: "|") + #")(?!\w)"#
        let places: [String]
        switch place {
        case "Sources": places = try SourceTree.sources.get().places(of: phrases)
        case "Tests":
            places = try SourceTree.tests.get().places(of: phrases) { !$0.hasSuffix("SourceTreeTests.swift") }
        default:
            let expression = try NSRegularExpression(pattern: phrases)
            let documented = DocumentedCode()
            places = try documented.pages.flatMap { page in
                try documented.text(of: page).components(separatedBy: "\n").filter { line in
                    expression.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) != nil
                }.map { "\(page): \($0)" }
            }
        }
        #expect(places.count <= ceiling, "\(places.count) lines, such as \(places.suffix(5)): see `translated`")
    }

    @Test func `each row of a table in a doc comment is one line`() throws {
        let tree = try SourceTree.sources.get()
        expectEqual(try tree.places(of: #"^\s*/// \|.*[^|]$"#), [])
        #expect(try !tree.places(of: #"^\s*/// \|.*\|$"#).isEmpty, "a row would be found")
    }

    /// The formatter breaks lines of code at 120 columns, and no comments.
    @Test func `a comment is at most 120 columns wide, except rows of tables and long names`() throws {
        for tree in [try SourceTree.sources.get(), try SourceTree.tests.get()] {
            for file in tree.files {
                for (index, line) in file.lines.enumerated() where line.count > 120 {
                    let words = line.split(separator: " ")
                    guard words[0].hasPrefix("//"), words.count > 1, words[1] != "|" else { continue }
                    #expect(words.contains { $0.count > 80 }, "\(file.path):\(index + 1)")
                }
            }
        }
    }

    @Test func `libraries print nothing`() throws {
        let tree = try SourceTree.sources.get()
        let executables = ["store/", "Benchmarks/", "DemoApp/"]
        let libraries: (String) -> Bool = { path in !executables.contains { path.hasPrefix($0) } }
        let printing = #"(^|[^A-Za-z0-9_.])(print|debugPrint|dump|NSLog)\("#
        let places = try tree.places(of: printing, in: libraries)
        expectEqual(places, [])
        let everywhere = try tree.places(of: printing)
        #expect(!everywhere.isEmpty, "a call would be found")
    }

    @Test func `sources contain nothing that traps`() throws {
        let traps = [
            #"(^|[^A-Za-z0-9_.])(fatalError|preconditionFailure|precondition|assertionFailure|assert)\("#,
            #"\btry!"#, #"\bas!"#, #"nonisolated\(unsafe\)"#,
        ]
        let tree = try SourceTree.sources.get()
        let places = try traps.flatMap { try tree.places(of: $0) }
        expectEqual(places, [])
    }

    @Test func `an unchecked conformance has its reason directly above`() throws {
        let tree = try SourceTree.sources.get()
        let places = try tree.places(of: #"^[^/]*@unchecked\s+Sendable"#)
        #expect(!places.isEmpty, "a conformance would be found")
        for file in tree.files {
            for (index, line) in file.lines.enumerated() where places.contains("\(file.path):\(index + 1)") {
                // An unavailable declaration claims nothing.
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
    /// The types of SwiftyStoreKit's API, which users have in scope beside this package's types and can't qualify.
    private static let old: Set<String> = [
        "SwiftyStoreKit", "AppleReceiptValidator", "InAppRequest", "TransactionResult", "PaymentQueue",
        "PaymentDiscount",
        "Purchased", "Purchase", "PurchaseDetails", "ReceiptValidator", "PaymentTransaction", "RetrieveResults",
        "PurchaseResult",
        "RestoreResults", "ShouldAddStorePaymentHandler", "UpdatedDownloadsHandler", "ReceiptInfo",
        "FetchReceiptResult",
        "VerifyReceiptResult", "VerifyPurchaseResult", "VerifySubscriptionResult", "SubscriptionType", "ReceiptItem",
        "ReceiptError", "ReceiptStatus", "ReceiptInfoField", "ReceiptExitCode",
    ]

    /// The types of StoreKit 2.
    private static let storeKit2: Set<String> = [
        "Product", "Transaction", "Storefront", "PurchaseIntent", "Message", "AppStore", "AppTransaction",
        "VerificationResult",
        "ExternalPurchase", "ExternalPurchaseLink", "ExternalPurchaseCustomLink", "ExternalLinkAccount",
        "SubscriptionInfo",
        "RenewalInfo", "StoreKitError", "BackingValue", "PurchaseAction", "RefundRequestAction", "RequestReviewAction",
        "DisplayMessageAction", "EntitlementTaskState", "ProductView", "ProductViewStyle", "StoreView",
        "SubscriptionStoreView",
        "StoreButtonKind", "StoreContent", "AppDistributor", "AppTransactionError", "AdvancedCommerceProduct",
        "PaymentMethodBinding",
    ]

    @Test func `no public type has a name of StoreKit or of the old API`() throws {
        let own = [
            "AsyncStoreKit/", "AsyncStoreKitTesting/", "AppReceipt/", "AppStoreServer/", "AppStoreSimulator/",
            "ReceiptCryptography/",
        ]
        let isOwn: (String) -> Bool = { path in own.contains { path.hasPrefix($0) } }
        let tree = try SourceTree.sources.get()
        // A nested type is qualified by its outer type, so only declarations at the beginning of a line are searched.
        let declaration = "^public (final )?(class|struct|enum|protocol|actor|typealias) "
        let stores = try tree.places(of: declaration + "PurchaseStore\\b", in: isOwn)
        expectEqual(stores.count, 1, "a declaration would be found")
        let names = Self.old.union(Self.storeKit2).sorted().joined(separator: "|")
        let places = try tree.places(of: declaration + "(" + names + ")\\b", in: isOwn)
        expectEqual(places, [])
    }

    @Test func `the module of the old API declares its types and no others`() throws {
        let tree = try SourceTree.sources.get()
        let isOld: (String) -> Bool = { $0.hasPrefix("SwiftyStoreKit/") }
        // Types that some platform lacks are indented inside a condition.
        let declaration = "^( {4})?public (final )?(class|struct|enum|protocol|actor|typealias) (?!func |var )"
        let names = Self.old.sorted().joined(separator: "|")
        let known = try tree.places(of: declaration + "(" + names + ")\\b", in: isOld)
        let nested = try tree.places(of: declaration + "(InApp|VerifyReceiptURLType)\\b", in: isOld)
        #expect(known.count >= Self.old.count)
        expectEqual(try Set(tree.places(of: declaration, in: isOld)), Set(known + nested))
    }

    private static var deprecation: Regex<Substring> {
        get throws {
            try Regex(
                #"#if !QuietLegacy@available\( ?\*, ?deprecated, ?message: ?"Use [^"]+"\)#endif(?:@discardableResult)?"#,
                as: Substring.self)
        }
    }

    @Test func `every function of the old API is deprecated, unless the trait silences the warnings`() throws {
        let tree = try SourceTree.sources.get()
        let files = tree.files.filter { $0.path.hasPrefix("SwiftyStoreKit/") && $0.path.contains("SwiftyStoreKit+") }
        var count = 0
        for file in files {
            let lines = file.lines.map { $0.trimmingCharacters(in: .whitespaces) }
            for (index, line) in lines.enumerated()
            where line.hasPrefix("public class ") || line.hasPrefix("public static ") {
                // The attributes of the function, without line breaks.
                let start = lines[..<index].lastIndex { $0 == "#if !QuietLegacy" } ?? index
                let above = lines[start..<index].joined()
                let isDeprecated = try above.wholeMatch(of: Self.deprecation) != nil
                #expect(isDeprecated, "\(file.path):\(index + 1): \(line)")
                count += 1
            }
        }
        expectEqual(count, 21)
    }
}
