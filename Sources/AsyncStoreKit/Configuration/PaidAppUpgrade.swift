import AppReceipt
public import Foundation

/// A product that customers have because they paid for the app before it was free; for
/// ``StoreConfiguration/paidAppUpgrade``.
///
/// ```swift
/// var configuration = StoreConfiguration()
/// configuration.paidAppUpgrade = PaidAppUpgrade(
///     grants: "pro", before: switchDate, orBuilds: [.iOS: "412", .macOS: "3.0"])
/// ```
/// The store asks the App Store only when the app calls ``PurchaseStore/checkPaidAppUpgrade()``. The answer is kept as
/// Apple signed it, so that the product is available in later launches without a network. See
/// <doc:MovingFromPaidToFree>.
public struct PaidAppUpgrade: Sendable {
    /// The platform of a build, an open set.
    public struct Platform: RawRepresentable, Sendable, Hashable {
        /// The word in ``StoreAppTransaction/originalPlatform``.
        public let rawValue: String

        /// Creates a platform by its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// iPhone, iPad and Apple Watch.
        public static let iOS = Platform(rawValue: "iOS")
        /// Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")
    }

    /// The conclusion from the purchase of the app.
    public enum Decision: Sendable, Hashable {
        /// The customer paid for the app.
        case paid(Basis)
        /// The customer didn't pay for the app, or got the money back.
        case notPaid(Basis)
        /// The purchase of the app doesn't show whether the customer paid.
        case undecided(UndecidedReason)

        /// Whether the customer paid for the app.
        public var isPaid: Bool {
            if case .paid = self { true } else { false }
        }
    }

    /// The fact that a decision rests on.
    public enum Basis: Sendable, Hashable {
        /// The date at which the customer got the app.
        case purchaseDate
        /// The build that the customer got first.
        case firstBuild
        /// The app purchase was revoked on this date, as after a refund.
        case revoked(Date)
    }

    /// A reason why nothing was decided.
    public enum UndecidedReason: Sendable, Hashable {
        /// The sandbox, TestFlight and Xcode give every customer the same version and date.
        case testEnvironment
        /// The purchase of the app doesn't say where the app was bought.
        case unknownEnvironment
        /// An organization got the app after the date. It may have paid before: a license gets its date when it's
        /// assigned.
        case volumePurchase
        /// The date is missing or can't be right, and there is no build for the platform, or none that can be compared.
        case unknownBuild
    }

    /// The product.
    public var productID: String
    /// The moment at which the app became free.
    public var date: Date
    /// The first free build of each platform: `CFBundleVersion`, on a Mac `CFBundleShortVersionString`. They're used
    /// only if the date can't tell.
    public var builds: [Platform: String]
    /// Where Apple's signed text is kept for later launches; `nil` keeps it nowhere.
    public var cache: (any EntitlementCache)?

    /// Describes who has the product because of an earlier purchase of the app.
    /// - Parameters:
    ///   - productID: The product.
    ///   - date: The moment at which the app became free. It's the same for all platforms.
    ///   - builds: The first free build of each platform, for purchases whose date can't be right.
    ///   - cache: Where Apple's signed text is kept for later launches. `nil` keeps it nowhere, as in tests.
    public init(
        grants productID: String, before date: Date, orBuilds builds: [Platform: String] = [:],
        cache: (any EntitlementCache)? = PaidAppUpgrade.defaultCache
    ) {
        self.productID = productID
        self.date = date
        self.builds = builds
        self.cache = cache
    }

    /// The file `AppTransaction` in the folder of ``EntitlementFile/init()``.
    public static var defaultCache: any EntitlementCache { EntitlementFile(url: StoreFolder().file("AppTransaction")) }
}

extension PaidAppUpgrade: Hashable {
    /// Returns whether both give the same product to the same customers.
    public static func == (left: PaidAppUpgrade, right: PaidAppUpgrade) -> Bool {
        left.productID == right.productID && left.date == right.date && left.builds == right.builds
    }

    /// Hashes the product, the date and the builds.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(productID)
        hasher.combine(date)
        hasher.combine(builds)
    }
}

extension PaidAppUpgrade {
    /// The App Store opened on this day. No purchase is older.
    private static let openingDay = Date(timeIntervalSince1970: 1_215_648_000)

    /// Decides whether a customer paid for the app, by the date, or if that can't be right, by the first build.
    ///
    /// | The purchase of the app … | Decision |
    /// |---|---|
    /// | was revoked | not paid |
    /// | is from the sandbox, TestFlight, or Xcode | undecided |
    /// | has a date before the switch | paid |
    /// | has a later date | not paid; undecided for an organization's app |
    /// | has no possible date, and a first build before the first free build of its platform | paid |
    /// | has no possible date, and a later first build | not paid; undecided for an organization's app |
    /// | has neither | undecided |
    public func decision(for app: StoreAppTransaction) -> Decision {
        if let revocationDate = app.revocationDate { return .notPaid(.revoked(revocationDate)) }
        guard let environment = app.environment else { return .undecided(.unknownEnvironment) }
        guard environment == .production else { return .undecided(.testEnvironment) }
        guard let (isBefore, basis) = comparison(with: app) else { return .undecided(.unknownBuild) }
        if isBefore { return .paid(basis) }
        return app.isVolumePurchase ? .undecided(.volumePurchase) : .notPaid(basis)
    }

    /// Returns whether the customer got the app before it was free, and the basis of the answer; `nil` without one.
    private func comparison(with app: StoreAppTransaction) -> (isBefore: Bool, basis: Basis)? {
        if let purchaseDate = app.originalPurchaseDate, purchaseDate >= Self.openingDay,
            app.signedDate.map({ purchaseDate <= $0 + 86_400 }) ?? true
        {
            return (purchaseDate < date, .purchaseDate)
        }
        guard let platform = app.originalPlatform.map(Platform.init(rawValue:)),
            let firstFree = builds[platform].flatMap(Build.init),
            let first = app.originalAppVersion.flatMap(Build.init)
        else { return nil }
        return (first < firstFree, .firstBuild)
    }
}

/// A version that is compared number by number: 3.0 is 3, and less than 3.0.1 and 12.
private struct Build: Comparable {
    /// The digits of each number, without leading zeros. A number can be longer than an integer.
    private let numbers: [Substring]

    /// `nil` for a text that isn't numbers with dots between them.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        var numbers = parts.map { $0.drop { $0 == "0" } }
        while numbers.last?.isEmpty == true { numbers.removeLast() }
        self.numbers = numbers
    }

    static func < (left: Build, right: Build) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers) { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }
}
