import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct CustomerTextsTests {
    private static func offer(_ mode: StoreOffer.PaymentMode, _ period: StoreSubscriptionPeriod, count: Int = 1)
        -> StoreOffer
    {
        StoreOffer(
            id: nil, kind: .introductory, price: 1, displayPrice: "€1", paymentMode: mode, period: period,
            periodCount: count)
    }

    /// The text without the characters that isolate its values.
    private static func plain(_ text: String) -> String {
        text.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }
    }

    @Test(arguments: [
        (["de-CH", "en"], "de"), (["pt-PT"], "pt-BR"), (["pt_BR"], "pt-BR"), (["zh"], "zh-Hans"),
        (["zh-CN"], "zh-Hans"),
        (["zh-TW"], "zh-Hant"), (["zh_HK"], "zh-Hant"), (["zh-Hant-CN"], "zh-Hant"), (["zh-Hans-TW"], "zh-Hans"),
        (["yue"], "zh-Hant"), (["yue-CN"], "zh-Hans"), (["no"], "nb"), (["nn-NO"], "nb"), (["iw"], "he"),
        (["in-ID"], "id"),
        (["EN-gb", "de"], "en"), (["hu", "el", "cs_CZ"], "cs"), (["hu"], "en"), ([], "en"),
        (["", "-", "xx", "Base"], "en"),
        (["fil"], "en"), (["ar_EG@calendar=gregorian"], "ar"),
    ])
    func `customers read the first of their languages that has texts`(preferences: [String], language: String) {
        expectEqual(CustomerLanguage.best(for: preferences), language)
        let texts = CustomerTexts(languages: preferences)
        expectEqual(texts.language, language)
        expectEqual(CustomerLanguage.language(of: texts.locale.identifier), language)
    }

    @Test func `a value is inserted once, and a placeholder without a value stays`() {
        let texts = CustomerTexts("en", EnglishTexts.table)
        expectEqual(
            texts.text(.statusChanges, [.product: "{date} {x} Club", .date: "May 1"]),
            "Changes to {date} {x} Club on May 1")
        expectEqual(texts.text(.statusChanges, [.date: "May 1"]), "Changes to {product} on May 1")
        expectEqual(texts.text(.buttonRestore, [.date: "May 1"]), "Restore Purchases")
        expectEqual(texts.text(.statusTrialEnds), "Your trial ends in 1 day")
        expectEqual(texts.text(.statusTrialEnds, [.count: "x"], count: 5), "Your trial ends in 5 days")
        expectEqual(texts.text(.statusRenews, count: 5), "Renews on {date}")
        expectEqual(texts.text(.alertRestoredMessage, count: 2), "2 purchases are available again.")
    }

    @Test(arguments: [
        ("{price} each", "$1 each"), ("}{ {price", "}{ {price"), ("{price", "{price"), ("{}{price}{price}", "{}$1$1"),
        ("{nothing} {price}", "{nothing} $1"), ("", ""),
    ])
    func `an app's text may have any braces`(template: String, text: String) {
        let texts = CustomerTexts("en", [:]) { _, _ in template }
        expectEqual(texts.text(.priceOneTime, [.price: "$1"]), text)
    }

    @Test func `values are isolated where text runs from right to left`() {
        expectEqual(
            CustomerTexts(languages: ["ar"]).text(.pricePerMonth, [.price: "US$4.99"]),
            "\u{2068}US$4.99\u{2069} في الشهر")
        expectEqual(
            CustomerTexts(languages: ["he"]).text(.approvalMessage, [.product: "Darkroom Pro"]).prefix(14),
            "\u{2068}Darkroom Pro\u{2069}")
        let english = CustomerTexts(languages: ["en"])
        for name in ["ד״ר", "نادي", "\u{FB2A}", "\u{FEFC}"] {
            expectEqual(
                english.text(.approvalMessage, [.product: name]),
                "You get \u{2068}\(name)\u{2069} when the request is approved.")
        }
        for name in ["Club", "クラブ", "€ 4,99", "Ω"] {
            expectEqual(
                english.text(.approvalMessage, [.product: name]), "You get \(name) when the request is approved.")
        }
    }

    @Test func `a text without a translation is English`() {
        let texts = CustomerTexts("ru", ["button.buy": "Купить"])
        expectEqual(texts.text(.buttonBuy), "Купить")
        expectEqual(texts.text(.buttonRestore), "Restore Purchases")
        expectEqual(texts.text(.periodDays, count: 21), "21 days")
    }

    @Test func `a missing file is looked for once, and its language is English`() {
        let loads = Locked<[String]>([])
        let settings = CustomerTextSettings(appLanguages: { ["de"] }) { language in
            loads.withLock { $0.append(language) }
            return language == "fr" ? ["button.buy": "Acheter"] : nil
        }
        for _ in 1...2 {
            expectEqual(settings.current.language, "en")
            expectEqual(settings.current.text(.buttonBuy), "Buy")
            expectEqual(settings.texts(in: ["fr"]).text(.buttonBuy), "Acheter")
            expectEqual(settings.texts(in: ["en"]).text(.buttonBuy), "Buy")
        }
        expectEqual(loads.withLock { $0 }, ["de", "fr"])
    }

    @Test func `an app can choose the language, and reset it`() {
        let settings = CustomerTextSettings(appLanguages: { ["hu", "sv-FI"] })
        expectEqual(settings.current.text(.buttonBuy), "Köp")
        settings.state.withLock { $0.languages = ["xx", "da"] }
        expectEqual(settings.current.text(.buttonRestore), "Gendan køb")
        settings.state.withLock { $0.languages = [] }
        expectEqual(settings.current.text(.buttonRestore), "Restore Purchases")
        settings.state.withLock { $0.languages = nil }
        expectEqual(settings.current.language, "sv")
    }

    @Test func `an app can replace a text in every language, by its count, and remove the replacement`() {
        let settings = CustomerTextSettings(appLanguages: { ["de"] })
        let replacement: CustomerTexts.Replacement = { text, count in
            switch text {
            case .buttonBuy: "Her damit"
            case .periodDays: count == 14 ? "zwei Wochen" : nil
            case .pricePerMonth: "mtl. {price}"
            default: nil
            }
        }
        settings.state.withLock { $0.replacement = replacement }
        let texts = settings.current
        expectEqual(texts.text(.buttonBuy), "Her damit")
        expectEqual(texts.text(.periodDays, count: 14), "zwei Wochen")
        expectEqual(texts.text(.periodDays, count: 13), "13 Tage")
        expectEqual(texts.text(.pricePerMonth, [.price: "5 €"]), "mtl. 5 €")
        expectEqual(settings.texts(in: ["fr"]).text(.buttonBuy), "Her damit")
        settings.state.withLock { $0.replacement = nil }
        expectEqual(settings.current.text(.buttonBuy), "Kaufen")
    }

    @Test func `missing files lead to English texts instead of a crash`() throws {
        let nowhere = URL(fileURLWithPath: "/nowhere")
        #expect(TextFile.firstBundle(in: [nowhere]) == nil)
        let bundle = try #require(TextFile.firstBundle(in: [nowhere, Bundle.main.bundleURL]))
        #expect(TextFile.table(of: "de", in: bundle) != nil)
        #expect(TextFile.table(of: "xx", in: bundle) == nil)
        for text in ["", "[]", "{\"a\": 1}", "{\"a\": \"b\"", "\u{0}"] {
            #expect(TextFile.table(Data(text.utf8)) == nil, "\(text)")
        }
        expectEqual(TextFile.table(Data(#"{"a": "b"}"#.utf8)), ["a": "b"])
    }

    @Test func `a preview of a package finds the texts among the products of its build`() throws {
        // Xcode's own app runs the code, which is in a framework of the products.
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let (agent, products) = (root.appendingPathComponent("Agent.app"), root.appendingPathComponent("Products"))
        let framework = products.appendingPathComponent("PackageFrameworks/Views.framework")
        let bundle = products.appendingPathComponent("AsyncStoreKit_AsyncStoreKit.bundle")
        for folder in [agent, framework, bundle] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        func found(_ own: URL, _ environment: [String: String] = [:]) -> String? {
            let folders = TextFile.folders(
                app: agent, appResources: agent, own: own, ownResources: own, environment: environment)
            return TextFile.firstBundle(in: folders)?.bundleURL.lastPathComponent
        }
        expectEqual(found(framework), bundle.lastPathComponent)
        expectEqual(found(framework.appendingPathComponent("Versions")), bundle.lastPathComponent)
        expectEqual(found(agent), nil)
        for name in ["PACKAGE_RESOURCE_BUNDLE_PATH", "PACKAGE_RESOURCE_BUNDLE_URL"] {
            expectEqual(found(agent, [name: products.path]), bundle.lastPathComponent)
        }
    }

    @Test(arguments: [
        ("en", "3 months", "$5 per month", "$5 every 3 months", "1 week free, then $5 per month"),
        ("de", "3 Monate", "$5 pro Monat", "$5 alle 3 Monate", "1 Woche kostenlos, danach $5 pro Monat"),
        ("ru", "3 месяца", "$5 в месяц", "$5 каждые 3 месяца", "1 неделя бесплатно, затем $5 в месяц"),
        ("pl", "3 miesiące", "$5 za miesiąc", "$5 co 3 miesiące", "1 tydzień za darmo, potem $5 za miesiąc"),
        ("ar", "3 أشهر", "$5 في الشهر", "$5 كل 3 أشهر", "أسبوع واحد مجانًا، ثم $5 في الشهر"),
        ("ja", "3か月", "$5/月", "$5/3か月", "1週間無料、その後$5/月"),
    ])
    func `a price has its period, and an offer comes first`(
        language: String, length: String, rate: String, everyThreeMonths: String, trial: String
    ) {
        let texts = CustomerTexts(languages: [language])
        let months = StoreSubscriptionPeriod(value: 3, unit: .month)
        expectEqual(Self.plain(texts.period(months)), length)
        let price = texts.price("$5", per: StoreSubscriptionPeriod(value: 1, unit: .month))
        expectEqual(Self.plain(price), rate)
        expectEqual(Self.plain(texts.price("$5", per: months)), everyThreeMonths)
        // StoreKit has a week in two forms.
        for week in [StoreSubscriptionPeriod(value: 7, unit: .day), StoreSubscriptionPeriod(value: 1, unit: .week)] {
            let offer = texts.offer(Self.offer(.freeTrial, week))
            expectEqual(Self.plain(texts.text(.priceAfterOffer, [.offer: offer, .price: price])), trial)
        }
    }

    @Test func `an offer is formatted by its payment mode`() {
        let month = StoreSubscriptionPeriod(value: 1, unit: .month)
        let offers = [
            Self.offer(.payAsYouGo, month, count: 3),
            Self.offer(.payUpFront, StoreSubscriptionPeriod(value: 6, unit: .month)),
            Self.offer(.freeTrial, StoreSubscriptionPeriod(value: 3, unit: .day)),
            Self.offer(.freeTrial, month, count: 2),
        ]
        expectEqual(
            offers.map(CustomerTexts(languages: ["en"]).offer),
            ["€1 per month for 3 months", "€1 for 6 months", "3 days free", "2 months free"])
        expectEqual(
            offers.map(CustomerTexts(languages: ["ja"]).offer),
            ["3か月間は€1/月", "6か月間で€1", "3日間無料", "2か月間無料"])
        let units = StoreSubscriptionPeriod.Unit.allCases.map { StoreSubscriptionPeriod(value: 1, unit: $0) }
        expectEqual(
            units.map { CustomerTexts(languages: ["fr"]).price("5 €", per: $0) },
            ["5 € par jour", "5 € par semaine", "5 € par mois", "5 € par an"])
        // An invalid period is formatted, too.
        for value in [Int.min, -7, 0, .max] {
            let offer = Self.offer(.payUpFront, StoreSubscriptionPeriod(value: value, unit: .day), count: value)
            for language in CustomerLanguage.all { #expect(!CustomerTexts(languages: [language]).offer(offer).isEmpty) }
        }
    }

    @Test func `numbers are in the language's format`() {
        expectEqual(CustomerTexts(languages: ["de"]).text(.periodDays, count: 1_234), "1.234 Tage")
        expectEqual(CustomerTexts(languages: ["en"]).text(.periodDays, count: 1_234), "1,234 days")
        expectEqual(CustomerTexts(languages: ["ar"]).text(.periodYears, count: 2), "سنتين")
    }
}
