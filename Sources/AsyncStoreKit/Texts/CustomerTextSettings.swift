import Foundation

/// Which language the texts have, and which texts an app replaces. The file of a language is read when it's needed.
final class CustomerTextSettings: Sendable {
    static let shared = CustomerTextSettings()

    struct State {
        /// Language tags in order of preference; `nil` for the language in which the app runs.
        var languages: [String]?
        var replacement: CustomerTexts.Replacement?
        fileprivate var tables = [String: [String: String]]()
    }

    let state = Locked(State())
    private let appLanguages: @Sendable () -> [String]
    private let load: @Sendable (String) -> [String: String]?

    /// - Parameter appLanguages: The customer's preferred languages among those for which the app is localized.
    init(
        appLanguages: @escaping @Sendable () -> [String] = { Bundle.main.preferredLocalizations },
        load: @escaping @Sendable (String) -> [String: String]? = { TextFile.table(of: $0) }
    ) {
        self.appLanguages = appLanguages
        self.load = load
    }

    var current: CustomerTexts {
        texts(in: state.withLock { $0.languages } ?? appLanguages())
    }

    func texts(in languages: [String]) -> CustomerTexts {
        let language = CustomerLanguage.best(for: languages)
        let replacement = state.withLock { $0.replacement }
        // Without its file, a language is English: a plural form, a number and a date have to fit the text.
        guard language != CustomerLanguage.english, let table = table(of: language) else {
            return CustomerTexts(CustomerLanguage.english, EnglishTexts.table, replacement)
        }
        return CustomerTexts(language, table, replacement)
    }

    private func table(of language: String) -> [String: String]? {
        let known = state.withLock { $0.tables[language] }
        // A missing file is kept as an empty table, so that it's looked for once.
        let table = known ?? load(language) ?? [:]
        if known == nil { state.withLock { $0.tables[language] = table } }
        return table.isEmpty ? nil : table
    }
}
