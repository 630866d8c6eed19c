public import Foundation

/// The texts that customers read, in one language.
///
/// ``current`` has the language of the app: the first of the customer's preferred languages for which the app is
/// localized. The texts are English if this package doesn't have that language.
///
/// An app can replace every text, see ``setReplacement(_:)``, and choose the language itself, see ``setLanguages(_:)``.
public struct CustomerTexts: Sendable {
    /// Returns an app's own text, or `nil` for the text of this package.
    ///
    /// The text has the same placeholders in braces as the text that it replaces. If a text has a count, the count
    /// selects the plural form.
    public typealias Replacement = @Sendable (_ text: CustomerText, _ count: Int?) -> String?

    /// The tag of the language, such as `en` or `pt-BR`.
    public let language: String
    /// The locale for numbers and dates in the texts: the customer's own if it has the same language.
    public let locale: Locale
    private let table: [String: String]
    private let replacement: Replacement?

    init(_ language: String, _ table: [String: String], _ replacement: Replacement? = nil) {
        self.language = language
        self.table = table
        self.replacement = replacement
        let own = Locale.current
        locale = CustomerLanguage.language(of: own.identifier) == language ? own : Locale(identifier: language)
    }

    /// Creates the texts in the first of some languages that this package has, or else in English.
    /// - Parameter languages: Language tags such as `pt-BR`, or identifiers of locales, in order of preference.
    public init(languages: [String]) {
        self = CustomerTextSettings.shared.texts(in: languages)
    }
}

// Settings of the app.
extension CustomerTexts {
    /// The texts in the app's language.
    public static var current: CustomerTexts { CustomerTextSettings.shared.current }

    /// Replaces texts with the app's own, from now on and everywhere.
    ///
    /// Call the method when the app launches. A text that is on screen already changes when the view is updated.
    /// - Parameter replacement: Returns the app's text, or `nil` for the text of this package. Called from any thread
    ///   each time a text is needed, so it must return quickly. `nil` removes an earlier replacement.
    public static func setReplacement(_ replacement: Replacement?) {
        CustomerTextSettings.shared.state.withLock { $0.replacement = replacement }
    }

    /// Chooses the language, for an app in which customers choose it.
    ///
    /// - Parameter languages: Language tags such as `pt-BR`, in order of preference. The texts are English if this
    ///   package has none of the languages. `nil`, the default, means the language in which the app runs.
    public static func setLanguages(_ languages: [String]?) {
        CustomerTextSettings.shared.state.withLock { $0.languages = languages }
    }
}

// Reading a text.
extension CustomerTexts {
    /// Returns a text with values in place of its placeholders.
    ///
    /// A placeholder without a value stays in the text. A value is isolated with U+2068 and U+2069 if the language or
    /// the value is written from right to left, so that the value doesn't change the order of the words around it.
    /// - Parameters:
    ///   - text: The text.
    ///   - values: The values of the placeholders, except for the count.
    ///   - count: The count of a text that has one, which also selects the plural form; 1 if it's `nil`.
    @inline(never)  // An app's code would grow with each of the functions that call this one.
    public func text(
        _ text: CustomerText, _ values: [CustomerText.Placeholder: String] = [:], count: Int? = nil
    ) -> String {
        let count = text.hasCount ? count ?? 1 : nil
        return filled(replacement?(text, count) ?? template(of: text, count), values, count)
    }

    private func template(of text: CustomerText, _ count: Int?) -> String {
        func key(in language: String) -> String {
            count.map { "\(text.rawValue).\(PluralCategory(of: $0, in: language).rawValue)" } ?? text.rawValue
        }
        return table[key(in: language)] ?? EnglishTexts.table[key(in: CustomerLanguage.english)] ?? ""
    }

    // The values are inserted in one pass, so that braces in a product's name stay as they are.
    private func filled(_ template: String, _ values: [CustomerText.Placeholder: String], _ count: Int?) -> String {
        var (result, rest) = ("", template[...])
        while let opening = rest.firstIndex(of: "{"), let closing = rest[opening...].firstIndex(of: "}") {
            let name = rest[rest.index(after: opening)..<closing]
            let end = rest.index(after: closing)
            result += rest[..<opening]
            if let value = value(of: name, values, count) {
                result += isolated(value)
            } else {
                result += rest[opening..<end]
            }
            rest = rest[end...]
        }
        return result + rest
    }

    private func value(of name: Substring, _ values: [CustomerText.Placeholder: String], _ count: Int?) -> String? {
        guard let placeholder = CustomerText.Placeholder(rawValue: String(name)) else { return nil }
        if placeholder == .count, let count { return count.formatted(.number.locale(locale)) }
        return values[placeholder]
    }

    private func isolated(_ value: String) -> String {
        // The blocks of Hebrew, Arabic and the scripts between them, and Arabic's presentation forms.
        let needsIsolation =
            CustomerLanguage.isRightToLeft(language)
            || value.unicodeScalars.contains {
                (0x590...0x8FF).contains($0.value) || (0xFB1D...0xFEFC).contains($0.value)
            }
        return needsIsolation ? "\u{2068}\(value)\u{2069}" : value
    }
}
