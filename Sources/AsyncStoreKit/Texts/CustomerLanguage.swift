/// The languages of the texts, and which of them a customer reads.
enum CustomerLanguage {
    static let english = "en"

    /// All languages. Each one except English has a file in the folder `Localizations`.
    static let all = [
        english, "ar", "cs", "da", "de", "es", "fi", "fr", "he", "hi", "id", "it", "ja", "ko", "nb", "nl", "pl",
        "pt-BR", "ru", "sv", "th", "tr", "uk", "vi", "zh-Hans", "zh-Hant",
    ]

    /// Returns the first of the preferred languages that has texts, or else English.
    /// - Parameter preferences: Language tags such as `pt-BR` or identifiers of locales such as `pt_BR`.
    static func best(for preferences: [String]) -> String {
        preferences.lazy.compactMap(language(of:)).first ?? english
    }

    /// Returns the language whose texts a customer with a language tag reads; `nil` if there are none.
    static func language(of tag: String) -> String? {
        let parts = tag.lowercased().split { $0 == "-" || $0 == "_" || $0 == "@" }
        guard let first = parts.first else { return nil }
        switch first {
        case "zh", "yue":
            // A script in the tag outweighs the region.
            if parts.contains("hans") { return "zh-Hans" }
            if parts.contains("hant") { return "zh-Hant" }
            let isTraditional =
                parts.contains { ["tw", "hk", "mo"].contains($0) } || first == "yue" && !parts.contains("cn")
            return isTraditional ? "zh-Hant" : "zh-Hans"
        case "pt": return "pt-BR"
        // The names that these languages have in older projects.
        case "no", "nn": return "nb"
        case "iw": return "he"
        case "in": return "id"
        default: return all.first { $0 == first }
        }
    }

    static func isRightToLeft(_ language: String) -> Bool {
        language == "ar" || language == "he"
    }
}

/// The plural categories of the Unicode Common Locale Data Repository (CLDR), for whole numbers.
enum PluralCategory: String {
    case zero, one, two, few, many, other

    /// Returns the category of a number in a language.
    ///
    /// French, Italian, Portuguese and Spanish have one more category, for whole millions. The texts don't have such
    /// numbers.
    init(of number: Int, in language: String) {
        let number = number.magnitude
        let (ones, hundredth) = (number % 10, number % 100)
        switch language {
        case "id", "ja", "ko", "th", "vi", "zh-Hans", "zh-Hant":
            self = .other
        case "fr", "hi", "pt-BR":
            self = number <= 1 ? .one : .other
        case "ru", "uk":
            self = ones == 1 && hundredth != 11 ? .one : Self.isFew(ones, hundredth) ? .few : .many
        case "pl":
            self = number == 1 ? .one : Self.isFew(ones, hundredth) ? .few : .many
        case "cs":
            self = number == 1 ? .one : (2...4).contains(number) ? .few : .other
        case "he":
            self = number == 1 ? .one : number == 2 ? .two : .other
        case "ar":
            switch number {
            case 0: self = .zero
            case 1: self = .one
            case 2: self = .two
            default: self = (3...10).contains(hundredth) ? .few : hundredth > 10 ? .many : .other
            }
        default:
            self = number == 1 ? .one : .other
        }
    }

    private static func isFew(_ ones: UInt, _ hundredth: UInt) -> Bool {
        (2...4).contains(ones) && !(12...14).contains(hundredth)
    }
}
