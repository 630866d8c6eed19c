/// Why products are missing: the request, the App Store's response, and the checks to make.
///
/// Show it in a debug build. Its description has a line for each problem:
///
/// ```swift
/// let diagnosis = await store.diagnose(["pro", "coins"])
/// ```
public struct ProductDiagnosis: Sendable, Hashable {
    /// A problem, with a hint for the developer.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The kinds of problems. The set is open: later versions may add kinds.
        public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
            /// A stable word.
            public let rawValue: String

            /// Creates a kind from its word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The stable word.
            public var description: String { rawValue }

            /// The request had no identifiers.
            public static let noIdentifiers = Kind(rawValue: "noIdentifiers")
            /// An identifier is empty, or has spaces around it.
            public static let malformedIdentifier = Kind(rawValue: "malformedIdentifier")
            /// The App Store returned other products, but not this one.
            public static let unknownIdentifier = Kind(rawValue: "unknownIdentifier")
            /// The App Store returned no product at all: an agreement, the bundle identifier, or the `.storekit` file.
            public static let nothingReturned = Kind(rawValue: "nothingReturned")
            /// The network failed.
            public static let network = Kind(rawValue: "network")
            /// The request failed for another reason.
            public static let requestFailed = Kind(rawValue: "requestFailed")
            /// The device, or the person using it, isn't allowed to buy.
            public static let purchasesNotAllowed = Kind(rawValue: "purchasesNotAllowed")
            /// StoreKit doesn't name the storefront: no account is signed in.
            public static let noStorefront = Kind(rawValue: "noStorefront")
        }

        /// The kind of the problem.
        public let kind: Kind
        /// The identifier that the problem is about; `nil` if it's about all of them.
        public let productID: String?
        /// What to check, in English, for developers.
        public let hint: String

        /// The kind, the identifier, and the hint.
        public var description: String {
            productID.map { "\(kind) \"\($0)\": \(hint)" } ?? "\(kind): \(hint)"
        }
    }

    /// The identifiers that were requested.
    public let requested: Set<String>
    /// The products that the App Store returned.
    public let found: [StoreProduct]
    /// The storefront; `nil` if it isn't known.
    public let storefront: AppStorefront?
    /// The engine of the store.
    public let engine: String
    /// The problems, the most important first; empty if every product was returned and can be bought.
    public let findings: [Finding]

    /// The identifiers that the App Store didn't return.
    public var missing: Set<String> { requested.subtracting(found.map(\.id)) }
}

extension ProductDiagnosis {
    init(
        _ requested: Set<String>, _ result: Result<[StoreProduct], StoreError>, engine: String,
        canMakePayments: Bool, storefront: AppStorefront?
    ) {
        self.requested = requested
        self.engine = engine
        self.storefront = storefront
        found = (try? result.get()) ?? []
        var findings: [Finding] = []
        switch result {
        case _ where requested.isEmpty: findings.append(Finding(.noIdentifiers))
        case .failure(let error) where error.code == .networkError || error.code == .timedOut:
            findings.append(Finding(.network, error.message))
        case .failure(let error): findings.append(Finding(.requestFailed, error.message))
        case .success(let products) where products.isEmpty: findings.append(Finding(.nothingReturned))
        case .success(let products):
            let missing = requested.subtracting(products.map(\.id)).sorted()
            findings += missing.map { Finding(.unknownIdentifier, $0.similar(in: products.map(\.id)), $0) }
        }
        let malformed = requested.filter(\.isMalformedIdentifier).sorted()
        findings += malformed.map { Finding(.malformedIdentifier, nil, $0) }
        if !canMakePayments { findings.append(Finding(.purchasesNotAllowed)) }
        if storefront == nil { findings.append(Finding(.noStorefront)) }
        self.findings = findings
    }
}

extension ProductDiagnosis: CustomStringConvertible {
    /// A line for the request, and a line for each finding.
    public var description: String {
        let place = storefront.map { ", storefront \($0.countryCode)" } ?? ""
        let summary = "\(found.count) of \(requested.count) products were returned (\(engine)\(place))."
        return ([summary] + findings.map { "- \($0)" }).joined(separator: "\n")
    }
}

extension ProductDiagnosis.Finding {
    /// - Parameter detail: Text that follows the hint of the kind.
    fileprivate init(_ kind: Kind, _ detail: String? = nil, _ productID: String? = nil) {
        self.kind = kind
        self.productID = productID
        hint = [Self.hints[kind], detail].compactMap { $0 }.joined(separator: " ")
    }

    private static let hints: [Kind: String] = [
        .noIdentifiers: "Pass at least one product identifier.",
        .malformedIdentifier: "Remove the spaces: identifiers have to match App Store Connect letter by letter.",
        .unknownIdentifier:
            "Check the spelling, and in App Store Connect that the product has a price, is available in this storefront, and isn't removed from sale. In Xcode, check the .storekit file.",
        .nothingReturned:
            "In Xcode, select the .storekit file in the scheme's run options. Otherwise check that the agreement for paid apps is active, that the bundle identifier is the app's in App Store Connect, and that new products have had some hours to become available.",
        .network: "Check the connection. On a device, products always need the network.",
        .requestFailed: "On a test device, check that a sandbox account is signed in.",
        .purchasesNotAllowed: "Screen Time or a profile forbids purchases on this device.",
        .noStorefront: "Sign in to the App Store, or to a sandbox account in the developer settings.",
    ]
}

extension String {
    fileprivate var isMalformedIdentifier: Bool { isEmpty || contains(where: \.isWhitespace) }

    /// A sentence that names an identifier which differs only in case or spaces.
    fileprivate func similar(in others: [String]) -> String? {
        func simple(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }
        return others.first { simple($0) == simple(self) }.map { "There is a product \"\($0)\"." }
    }
}
