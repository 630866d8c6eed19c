import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Prices with their periods in every language. No native speaker has read these texts.
///
/// The sources are those of the Unicode Common Locale Data Repository, version 47, in `common/main` for each language:
///
/// | Rule | Languages | Source, under `units/unitLength[long]` |
/// |---|---|---|
/// | the word for a number of units | all | `duration-day` to `duration-year`, `unitPattern` by plural category |
/// | the rate for one unit | ar, cs, de, fr, id, ja, nl, pt-BR, ru, th, tr, uk, zh-Hant | `perUnitPattern` of the same |
/// | the rate for several units | fi, tr | the same, with a slash |
/// | the accusative after *za*, *na*, *co*, *каждые*, *кожні* | cs, pl, ru, uk | `case=accusative`: as the nominative from 2 to 12 |
/// | *semaine* is feminine, so no word agrees with the unit | fr | `gender` of `duration-week` |
/// | a dual after a preposition ends in *-ayn* | ar | none: the repository has no cases for Arabic |
///
/// The words differ from that source for one of a unit in ar and he (with the word *one*), in hi (*माह*), for days in nb
/// and sv (*dag*), and in the spaces of ja and zh.
@Suite(.bounded) struct PeriodTextsTests {
    private static func plain(_ text: String) -> String {
        text.filter { !"\u{2068}\u{2069}".contains($0) }
    }

    private static func texts(in language: String) -> CustomerTexts { CustomerTexts(languages: [language]) }

    @Test(arguments: CustomerLanguage.all)
    func `customers can tell a price that renews from one that is paid once`(language: String) {
        let texts = Self.texts(in: language)
        for unit in StoreSubscriptionPeriod.Unit.allCases {
            for value in 1...12 {
                let period = StoreSubscriptionPeriod(value: value, unit: unit)
                let (renewing, once) = (texts.price("$5", per: period), texts.offer(Self.offer(.payUpFront, period)))
                #expect(renewing != once, "\(value) \(unit): \(renewing)")
                for text in [renewing, once] { #expect(text.contains("$5"), "\(text)") }
                #expect(!texts.offer(Self.offer(.freeTrial, period)).contains("$5"))
            }
        }
    }

    @Test(arguments: CustomerLanguage.all) func `every number of a unit has its own text`(language: String) {
        let texts = Self.texts(in: language)
        let periods = StoreSubscriptionPeriod.Unit.allCases.flatMap { unit in
            // Seven days are a week.
            (1...12).filter { unit != .day || $0 != 7 }.map { StoreSubscriptionPeriod(value: $0, unit: unit) }
        }
        expectEqual(Set(periods.map { texts.price("$5", per: $0) }).count, periods.count)
        expectEqual(Set(periods.map { texts.offer(Self.offer(.payUpFront, $0)) }).count, periods.count)
    }

    @Test(arguments: [
        ("en", "$5 every 3 months", "$5 for 2 years", "2 weeks free"),
        ("ar", "$5 كل 3 أشهر", "$5 لمدة سنتين", "أسبوعين مجانًا"),
        ("cs", "$5 jednou za 3 měsíce", "$5 jednorázově na 2 roky", "2 týdny zdarma"),
        ("da", "$5 pr. 3 måneder", "$5 for 2 år", "2 uger gratis"),
        ("de", "$5 alle 3 Monate", "$5 für 2 Jahre", "2 Wochen kostenlos"),
        ("es", "$5 cada 3 meses", "$5 por 2 años", "2 semanas gratis"),
        ("fi", "$5 / 3 kuukautta", "2 vuotta: $5", "2 viikkoa ilmaiseksi"),
        ("fr", "$5 par période de 3 mois", "$5 en une fois pour 2 ans", "Gratuit pendant 2 semaines"),
        ("he", "$5 לכל 3 חודשים", "$5 עבור שנתיים", "שבועיים בחינם"),
        ("hi", "$5 प्रति 3 माह", "2 वर्ष के लिए $5", "2 सप्ताह मुफ़्त"),
        ("id", "$5 setiap 3 bulan", "$5 untuk 2 tahun", "Gratis 2 minggu"),
        ("it", "$5 ogni 3 mesi", "$5 per 2 anni", "2 settimane gratis"),
        ("ja", "$5/3か月", "2年間で$5", "2週間無料"),
        ("ko", "3개월마다 $5", "2년 동안 $5", "2주 무료"),
        ("nb", "$5 per 3 måneder", "$5 for 2 år", "2 uker gratis"),
        ("nl", "$5 per 3 maanden", "$5 voor 2 jaar", "2 weken gratis"),
        ("pl", "$5 co 3 miesiące", "$5 jednorazowo za 2 lata", "2 tygodnie za darmo"),
        ("pt-BR", "$5 a cada 3 meses", "$5 por 2 anos", "2 semanas grátis"),
        ("ru", "$5 каждые 3 месяца", "2 года — $5", "2 недели бесплатно"),
        ("sv", "$5 per 3 månader", "$5 för 2 år", "2 veckor gratis"),
        ("th", "$5 ทุก 3 เดือน", "$5 สำหรับ 2 ปี", "ฟรี 2 สัปดาห์"),
        ("tr", "$5/3 ay", "2 yıl için $5", "2 hafta ücretsiz"),
        ("uk", "$5 кожні 3 місяці", "2 роки — $5", "2 тижні безкоштовно"),
        ("vi", "$5 mỗi 3 tháng", "$5 cho 2 năm", "Miễn phí 2 tuần"),
        ("zh-Hans", "每 3 个月 $5", "2 年共 $5", "免费 2 周"),
        ("zh-Hant", "每 3 個月 $5", "2 年共 $5", "免費 2 週"),
    ])
    func `the words of a period are in the case and the gender that the sentence needs`(
        language: String, everyThreeMonths: String, onceForTwoYears: String, twoWeeksFree: String
    ) {
        let texts = Self.texts(in: language)
        expectEqual(
            Self.plain(texts.price("$5", per: StoreSubscriptionPeriod(value: 3, unit: .month))), everyThreeMonths)
        let years = Self.offer(.payUpFront, StoreSubscriptionPeriod(value: 2, unit: .year))
        expectEqual(Self.plain(texts.offer(years)), onceForTwoYears)
        let weeks = Self.offer(.freeTrial, StoreSubscriptionPeriod(value: 2, unit: .week))
        expectEqual(Self.plain(texts.offer(weeks)), twoWeeksFree)
    }

    private static func offer(_ mode: StoreOffer.PaymentMode, _ period: StoreSubscriptionPeriod) -> StoreOffer {
        StoreOffer(
            id: nil, kind: .introductory, price: 5, displayPrice: "$5", paymentMode: mode, period: period,
            periodCount: 1)
    }
}
