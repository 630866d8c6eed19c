/// The App Store of a country or region.
public struct SimulatedStorefront: Sendable, Hashable {
    /// The three-letter country code, ISO 3166-1 alpha-3, such as `USA`.
    public var countryCode: String
    /// Apple's identifier of the storefront, such as `143441`.
    public var id: String

    /// Creates a storefront.
    public init(countryCode: String, id: String) {
        self.countryCode = countryCode
        self.id = id
    }

    /// The storefront of the United States.
    public static let unitedStates = SimulatedStorefront(countryCode: "USA", id: "143441")
}

extension SimulatedStorefront {
    /// Creates the storefront of a country; `nil` for a country whose identifier isn't known.
    ///
    /// - Parameter countryCode: The three-letter code, ISO 3166-1 alpha-3, such as `JPN`.
    public init?(countryCode: String) {
        guard let country = Self.countries[countryCode] else { return nil }
        self.init(countryCode: countryCode, id: String(country.id))
    }

    /// The currency of the country's prices, ISO 4217; `nil` for a country that isn't in the table.
    package var currencyCode: String? {
        Self.countries[countryCode]?.currencyCode
    }

    // Apple doesn't publish a list. The App Store's web services have used these identifiers for many years.
    private static let countries: [String: (id: Int, currencyCode: String)] = [
        "ARE": (143481, "AED"), "ARG": (143505, "USD"), "AUS": (143460, "AUD"), "AUT": (143445, "EUR"),
        "BEL": (143446, "EUR"),
        "BGR": (143526, "EUR"), "BRA": (143503, "BRL"), "CAN": (143455, "CAD"), "CHE": (143459, "CHF"),
        "CHL": (143483, "CLP"),
        "CHN": (143465, "CNY"), "COL": (143501, "COP"), "CYP": (143557, "EUR"), "CZE": (143489, "CZK"),
        "DEU": (143443, "EUR"),
        "DNK": (143458, "DKK"), "EGY": (143516, "EGP"), "ESP": (143454, "EUR"), "EST": (143518, "EUR"),
        "FIN": (143447, "EUR"),
        "FRA": (143442, "EUR"), "GBR": (143444, "GBP"), "GRC": (143448, "EUR"), "HKG": (143463, "HKD"),
        "HRV": (143494, "EUR"),
        "HUN": (143482, "HUF"), "IDN": (143476, "IDR"), "IND": (143467, "INR"), "IRL": (143449, "EUR"),
        "ISR": (143491, "ILS"),
        "ITA": (143450, "EUR"), "JPN": (143462, "JPY"), "KOR": (143466, "KRW"), "LTU": (143520, "EUR"),
        "LUX": (143451, "EUR"),
        "LVA": (143519, "EUR"), "MEX": (143468, "MXN"), "MYS": (143473, "MYR"), "NLD": (143452, "EUR"),
        "NOR": (143457, "NOK"),
        "NZL": (143461, "NZD"), "PER": (143507, "PEN"), "PHL": (143474, "PHP"), "POL": (143478, "PLN"),
        "PRT": (143453, "EUR"),
        "ROU": (143487, "RON"), "RUS": (143469, "RUB"), "SAU": (143479, "SAR"), "SGP": (143464, "SGD"),
        "SVK": (143496, "EUR"),
        "SVN": (143499, "EUR"), "SWE": (143456, "SEK"), "THA": (143475, "THB"), "TUR": (143480, "TRY"),
        "TWN": (143470, "TWD"),
        "UKR": (143492, "USD"), "USA": (143441, "USD"), "VNM": (143471, "VND"), "ZAF": (143472, "ZAR"),
    ]
}
