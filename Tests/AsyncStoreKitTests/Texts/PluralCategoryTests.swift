import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PluralCategoryTests {
    /// Numbers with their categories, as the rules of CLDR list them for each language.
    @Test(
        arguments: [
            (
                ["en", "da", "de", "es", "fi", "it", "nb", "nl", "sv", "tr"],
                [.one: [1], .other: [0, 2, 11, 21, 100, 101]]
            ),
            (["fr", "hi", "pt-BR"], [.one: [0, 1], .other: [2, 11, 21, 100, 101]]),
            (
                ["ru", "uk"],
                [
                    .one: [1, 21, 31, 101, 1_001], .few: [2, 3, 4, 22, 24, 102],
                    .many: [0, 5, 11, 12, 14, 19, 20, 25, 100, 111, 112],
                ]
            ),
            (["pl"], [.one: [1], .few: [2, 3, 4, 22, 24, 102], .many: [0, 5, 11, 12, 14, 21, 25, 100, 101, 112]]),
            (["cs"], [.one: [1], .few: [2, 3, 4], .other: [0, 5, 11, 22, 100, 102]]),
            (["he"], [.one: [1], .two: [2], .other: [0, 3, 11, 20, 100, 102]]),
            (
                ["ar"],
                [
                    .zero: [0], .one: [1], .two: [2], .few: [3, 10, 103, 110, 1_003], .many: [11, 26, 99, 111, 199],
                    .other: [100, 101, 102, 200, 1_000],
                ]
            ),
            (["id", "ja", "ko", "th", "vi", "zh-Hans", "zh-Hant"], [.other: [0, 1, 2, 5, 11, 21, 100]]),
        ] as [([String], [PluralCategory: [Int]])])
    func `a number has the plural category of its language`(languages: [String], numbers: [PluralCategory: [Int]]) {
        for language in languages {
            for (category, numbers) in numbers {
                let found = numbers.map { PluralCategory(of: $0, in: language) }
                expectEqual(found, numbers.map { _ in category }, "\(language)")
                expectEqual(numbers.map { PluralCategory(of: -$0, in: language) }, found, "\(language)")
            }
            expectEqual(Set(PluralCategory.categories(of: language)), Set(numbers.keys), "\(language)")
        }
    }

    @Test(arguments: CustomerLanguage.all) func `every number has a category of the language`(language: String) {
        let found = Set(([Int.min, .max] + Array(0...1_200)).map { PluralCategory(of: $0, in: language) })
        expectEqual(found, Set(PluralCategory.categories(of: language)))
    }
}

extension PluralCategory {
    /// Returns the categories that whole numbers have in a language.
    static func categories(of language: String) -> [PluralCategory] {
        switch language {
        case "id", "ja", "ko", "th", "vi", "zh-Hans", "zh-Hant": [.other]
        case "ru", "uk", "pl": [.one, .few, .many]
        case "cs": [.one, .few, .other]
        case "he": [.one, .two, .other]
        case "ar": [.zero, .one, .two, .few, .many, .other]
        default: [.one, .other]
        }
    }
}
