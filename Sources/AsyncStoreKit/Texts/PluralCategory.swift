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
