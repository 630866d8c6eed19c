import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Compares the texts of every language with the English ones.
@Suite(.bounded) struct LocalizationTests {
    private static func table(of language: String) throws -> [String: String] {
        language == "en" ? EnglishTexts.table : try #require(TextFile.table(of: language), "\(language)")
    }

    private static func placeholders(in text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w*)\}/).map { String($0.output.1) })
    }

    @Test func `every language has a file, and every file is of a language`() throws {
        let folder = try #require(TextFile.bundle?.resourceURL).appendingPathComponent("Localizations")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.allSatisfy { $0.hasSuffix(".json") })
        let names = files.map { $0.dropLast(".json".count) }.map(String.init)
        expectEqual(Set(names), Set(CustomerLanguage.all).subtracting(["en"]))
        expectEqual(CustomerLanguage.all.count, 26)
    }

    @Test(arguments: CustomerLanguage.all)
    func `a language has every text in each of its plural forms, and no other text`(language: String) throws {
        let keys = CustomerText.allCases.flatMap { text in
            text.hasCount ? PluralCategory.categories(of: language).map { "\(text.rawValue).\($0)" } : [text.rawValue]
        }
        let table = try Self.table(of: language)
        expectEqual(Set(table.keys), Set(keys))
        let isClean = { (text: String) in
            text == text.trimmingCharacters(in: .whitespacesAndNewlines) && !text.isEmpty && !text.contains("  ")
        }
        expectEqual(table.filter { !isClean($0.value) }, [:])
    }

    @Test(arguments: CustomerLanguage.all)
    func `a text has the placeholders of the English text`(language: String) throws {
        let table = try Self.table(of: language)
        for text in CustomerText.allCases {
            let forms = table.filter {
                $0.key == text.rawValue || $0.key.hasPrefix("\(text.rawValue).") && text.hasCount
            }
            #expect(forms.count == (text.hasCount ? PluralCategory.categories(of: language).count : 1))
            for (key, form) in forms {
                let english = EnglishTexts.table[text.hasCount ? "\(text.rawValue).other" : key]
                // Some languages have a word for one or two of something, and none for the number.
                let isWord = ["zero", "one", "two"].contains { key.hasSuffix(".\($0)") }
                let expected = Self.placeholders(in: try #require(english, "\(key)"))
                let found = Self.placeholders(in: form)
                #expect(found == expected || isWord && found.union(["count"]) == expected, "\(key): \(form)")
                #expect(found.allSatisfy { CustomerText.Placeholder(rawValue: $0) != nil }, "\(key)")
                // No part of a malformed placeholder is left.
                expectEqual(form.filter { "{}".contains($0) }.count, form.matches(of: /\{\w+\}/).count * 2, "\(key)")
            }
        }
    }

    @Test(arguments: CustomerLanguage.all) func `customers read no developer's terms`(language: String) throws {
        let terms = [
            "storekit", "transaction", "transaktion", "identifier", "receipt", "backend", "server", "serveur", "token",
            "api",
            "null", "nil", "unknown", "invalid", "payload", "jws", "json", "http", "product id", "entitlement", "%",
            "@", "\\",
        ]
        for (key, text) in try Self.table(of: language) {
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            let found = terms.filter {
                words.contains($0) || $0.count > 6 && text.lowercased().contains($0)
                    || text.contains($0) && $0.count == 1
            }
            expectEqual(found, [], "\(key): \(text)")
            #expect(!text.contains { ("0"..."9").contains($0) }, "\(key): \(text)")
        }
    }

    @Test(arguments: CustomerLanguage.all) func `the text of an error is a sentence`(language: String) throws {
        let table = try Self.table(of: language)
        for text in CustomerText.allCases where text.rawValue.hasPrefix("error.") {
            let sentence = try #require(table[text.rawValue])
            // Thai has no full stop.
            #expect(language == "th" || sentence.last.map { ".。।".contains($0) } == true, "\(sentence)")
            #expect(sentence.count >= 5, "\(sentence)")
        }
    }

    @Test(
        arguments: [
            ("ru", 0x400...0x4FF), ("uk", 0x400...0x4FF), ("ar", 0x600...0x6FF), ("he", 0x590...0x5FF),
            ("hi", 0x900...0x97F),
            ("th", 0xE00...0xE7F), ("ja", 0x3040...0x9FFF), ("ko", 0xAC00...0xD7AF), ("zh-Hans", 0x4E00...0x9FFF),
            ("zh-Hant", 0x4E00...0x9FFF),
        ] as [(String, ClosedRange<UInt32>)])
    func `a text is written in the script of its language`(language: String, script: ClosedRange<UInt32>) throws {
        for (key, text) in try Self.table(of: language) where key.hasPrefix("error.") || key.hasPrefix("alert.") {
            #expect(text.unicodeScalars.contains { script.contains($0.value) }, "\(key): \(text)")
        }
    }

    @Test(arguments: CustomerLanguage.all.filter { $0 != "en" })
    func `sentences are translated, and not copied from another language`(language: String) throws {
        let table = try Self.table(of: language)
        let isSentence = { (key: String) in ["error.", "hint.", "approval.message"].contains { key.hasPrefix($0) } }
        expectEqual(table.filter { isSentence($0.key) && $0.value == EnglishTexts.table[$0.key] }, [:])
        let errors = table.filter { $0.key.hasPrefix("error.") }.map(\.value)
        expectEqual(Set(errors).count, errors.count)
    }

    @Test func `every text is shown by the package, or is meant for an app's own screens`() throws {
        let code = try SourceTree.sources.get().files.filter { !$0.path.hasPrefix("AsyncStoreKit/Texts/") }
            .flatMap(\.lines).joined(separator: "\n")
        let words = Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "." }.map(String.init))
        let unused = CustomerText.allCases.filter { !words.contains(".\($0)") }
        expectEqual(
            Set(unused),
            [
                .priceOneTime, .statusRenews, .statusExpires, .statusExpired, .statusChanges, .statusTrialEndsToday,
                .statusTrialEnds,
                .statusPaymentProblem, .statusFamilyShared, .statusRefunded, .buttonBuy, .buttonCancel,
            ])
    }

    private static let later = [
        "en": "later", "ar": "لاحقًا", "cs": "později", "da": "senere", "de": "später", "es": "más tarde",
        "fi": "myöhemmin",
        "fr": "plus tard", "he": "מאוחר יותר", "hi": "बाद में", "id": "nanti", "it": "più tardi", "ja": "後で", "ko": "나중에",
        "nb": "senere", "nl": "later", "pl": "później", "pt-BR": "mais tarde", "ru": "позже", "sv": "senare",
        "th": "ภายหลัง",
        "tr": "daha sonra", "uk": "пізніше", "vi": "sau.", "zh-Hans": "稍后再试", "zh-Hant": "稍後再試",
    ]

    @Test(arguments: CustomerLanguage.all)
    func `customers are asked to try again later only where a later attempt may succeed`(language: String) throws {
        let later = try #require(Self.later[language])
        let texts = try Self.table(of: language).filter { $0.value.lowercased().contains(later) }
        expectEqual(
            Set(texts.keys),
            [
                "error.noResponse", "error.appStoreProblem", "error.refundNotRequested", "error.purchasesNotChecked",
            ])
    }
}
