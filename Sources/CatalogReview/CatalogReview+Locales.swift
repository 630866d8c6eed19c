import AppStoreSimulator
import Foundation

// Locales and storefronts.
extension CatalogReview {
    /// Locales of a product that occur twice, or that don't exist.
    func localeFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        var findings: [CatalogFinding] = []
        var places: [String: String] = [:]
        for text in product.node.members("localizations") {
            guard let locale = text.text("locale") else { continue }
            let place = text.path(of: "locale")
            if let earlier = places.updateValue(place, forKey: locale.replacingOccurrences(of: "-", with: "_")) {
                findings.append(
                    .init(
                        .repeatedLocale, at: place,
                        "\(product.name) has two localizations for \(locale), the other one at \(earlier). Keep one of them."
                    ))
            }
            if !Self.isLocale(locale) { findings.append(Self.unknown(locale, at: place)) }
        }
        return findings
    }

    /// The locale and the storefront of the settings.
    var regionFindings: [CatalogFinding] {
        guard let settings = root.member("settings") else { return [] }
        var findings: [CatalogFinding] = []
        if let locale = settings.text("_locale"), !Self.isLocale(locale) {
            findings.append(Self.unknown(locale, at: settings.path(of: "_locale")))
        }
        // The reader of configuration files refuses a code that isn't three letters.
        if let code = settings.text("_storefront"), code.count == 3, !Self.countries.contains(code[...]) {
            findings.append(
                .init(
                    .unknownStorefront, at: settings.path(of: "_storefront"),
                    "\"\(code)\" isn't the code of a country or region. Choose the storefront in Xcode's Editor menu."))
        }
        return findings
    }

    private static func unknown(_ locale: String, at place: String) -> CatalogFinding {
        .init(.unknownLocale, at: place, "\"\(locale)\" isn't a locale. Write a language and a region, such as en_US.")
    }

    /// Returns whether the parts of an identifier are a language, perhaps a script, and perhaps a region.
    private static func isLocale(_ identifier: String) -> Bool {
        let parts = identifier.split(whereSeparator: { "_-".contains($0) }).map(String.init)
        guard let language = parts.first, languages.contains(language) else { return false }
        return parts.dropFirst().allSatisfy { part in
            switch part.count {
            case 2: regions.contains(part)
            case 3: part.allSatisfy(\.isNumber)
            case 4: part.allSatisfy(\.isLetter)
            default: false
            }
        }
    }

    private static let languages = Set(NSLocale.isoLanguageCodes)
    private static let regions = Set(NSLocale.isoCountryCodes)

    // ISO 3166-1 alpha-3, from the code mappings of the Unicode Common Locale Data Repository, and Kosovo's code in the
    // App Store.
    private static let countries = Set(
        """
        ABW AFG AGO AIA ALA ALB AND ANT ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD
        BGR BHR BHS BIH BLM BLR BLZ BMU BOL BRA BRB BRN BTN BUR BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR
        COD COG COK COL COM CPV CRI CUB CUW CXR CYM CYP CZE DDR DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH
        ESP EST ETH FIN FJI FLK FRA FRO FSM FXX GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL
        GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN
        KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA
        MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA
        NIC NIU NLD NOR NPL NRU NTZ NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT
        REU ROU RUS RWA SAU SCG SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUN SUR SVK
        SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TMP TON TTO TUN TUR TUV TWN TZA UGA UKR
        UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM XKS YEM YMD YUG ZAF ZAR ZMB ZWE
        """.split(whereSeparator: \.isWhitespace))
}
