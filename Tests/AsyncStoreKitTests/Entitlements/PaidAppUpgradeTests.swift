import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Which customers paid for the app before it was free.
@Suite(.bounded) struct PaidAppUpgradeTests {
    /// One customer's purchase of the app, as Apple signs it, and the decision.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fields: String
        let decision: PaidAppUpgrade.Decision

        init(_ name: String, _ fields: String, _ decision: PaidAppUpgrade.Decision) {
            testDescription = name
            self.fields = fields
            self.decision = decision
        }
    }

    /// The app became free on January 1, 2026.
    private static let switchDate = Date(timeIntervalSince1970: 1_767_225_600)
    private static let paidAppUpgrade = PaidAppUpgrade(
        grants: "pro", before: switchDate, orBuilds: [.iOS: "412", .macOS: "3.0", .tvOS: "2.10.0"], cache: nil)

    private static let production = #""receiptType":"Production""#
    private static let before = #""originalPurchaseDate":1600000000000"#
    private static let after = #""originalPurchaseDate":1790000000000"#
    private static let epoch = #""originalPurchaseDate":0"#
    private static let iOS = #""originalPlatform":"iOS""#
    private static let macOS = #""originalPlatform":"macOS""#

    private static func first(_ version: String) -> String { #""originalApplicationVersion":"\#(version)""# }

    /// A purchase in production whose date can't be right.
    private static func build(_ platform: String, _ version: String) -> String {
        [production, epoch, #""originalPlatform":"\#(platform)""#, first(version)].joined(separator: ",")
    }

    static let cases: [Case] = [
        // The date.
        Case("years before", "\(production),\(before),\(iOS)", .paid(.purchaseDate)),
        Case("a second before", "\(production),\"originalPurchaseDate\":1767225599000,\(iOS)", .paid(.purchaseDate)),
        Case("at the moment", "\(production),\"originalPurchaseDate\":1767225600000,\(iOS)", .notPaid(.purchaseDate)),
        Case("months later", "\(production),\(after),\(iOS)", .notPaid(.purchaseDate)),
        Case("before, without a platform", "\(production),\(before)", .paid(.purchaseDate)),
        Case("later, without a platform", "\(production),\(after)", .notPaid(.purchaseDate)),
        Case(
            "before, on a Mac, whose version is a marketing version",
            "\(production),\(before),\(macOS),\(first("4.1"))",
            .paid(.purchaseDate)),
        Case(
            "later, with an older build than the first free one", "\(production),\(after),\(iOS),\(first("7"))",
            .notPaid(.purchaseDate)),
        Case("before, with a later build", "\(production),\(before),\(iOS),\(first("999"))", .paid(.purchaseDate)),
        Case(
            "before, on a platform without a build", "\(production),\(before),\"originalPlatform\":\"visionOS\"",
            .paid(.purchaseDate)),
        Case(
            "ordered in advance, before", "\(production),\(before),\"preorderDate\":1590000000000,\(iOS)",
            .paid(.purchaseDate)),
        Case(
            "a day after the signature", "\(production),\"originalPurchaseDate\":1800086400000,\(iOS)",
            .notPaid(.purchaseDate)),
        // Builds, where the date can't be right.
        Case("an earlier build", build("iOS", "411"), .paid(.firstBuild)),
        Case("the first free build", build("iOS", "412"), .notPaid(.firstBuild)),
        Case("a later build", build("iOS", "413"), .notPaid(.firstBuild)),
        Case("a build that is less as a text", build("iOS", "1000"), .notPaid(.firstBuild)),
        Case("a build that is more as a text", build("iOS", "99"), .paid(.firstBuild)),
        Case("a build with zeros before it", build("iOS", "0411"), .paid(.firstBuild)),
        Case("a build with a second number", build("iOS", "412.0.1"), .notPaid(.firstBuild)),
        Case("a build with a second number before", build("iOS", "411.99"), .paid(.firstBuild)),
        Case("the same version with fewer numbers", build("macOS", "3"), .notPaid(.firstBuild)),
        Case("the same version with more zeros", build("macOS", "3.0.0"), .notPaid(.firstBuild)),
        Case("a marketing version before", build("macOS", "2.9.1"), .paid(.firstBuild)),
        Case("a marketing version with two digits", build("macOS", "2.10"), .paid(.firstBuild)),
        Case("2.9 is before 2.10", build("tvOS", "2.9"), .paid(.firstBuild)),
        Case("2.10 is not before 2.10.0", build("tvOS", "2.10"), .notPaid(.firstBuild)),
        Case("a number longer than an integer", build("iOS", "99999999999999999999999"), .notPaid(.firstBuild)),
        Case("a Mac's version isn't compared with the build of iOS", build("macOS", "411"), .notPaid(.firstBuild)),
        Case("no date at all", "\(production),\(iOS),\(first("5"))", .paid(.firstBuild)),
        Case(
            "a date after Apple's signature",
            "\(production),\"originalPurchaseDate\":1900000000000,\(iOS),\(first("5"))",
            .paid(.firstBuild)),
        Case("a version with letters", build("iOS", "411b2"), .undecided(.unknownBuild)),
        Case("an empty version", build("iOS", ""), .undecided(.unknownBuild)),
        Case("a platform without a build", build("visionOS", "1"), .undecided(.unknownBuild)),
        Case("neither a date nor a platform", "\(production),\(first("5"))", .undecided(.unknownBuild)),
        // Where the app was bought.
        Case(
            "the sandbox and TestFlight", "\"receiptType\":\"Sandbox\",\(before),\(iOS),\(first("1.0"))",
            .undecided(.testEnvironment)),
        Case("Xcode", "\"receiptType\":\"Xcode\",\(before),\(iOS),\(first("1"))", .undecided(.testEnvironment)),
        Case("nowhere", "\(before),\(iOS)", .undecided(.unknownEnvironment)),
        // Refunds and organizations.
        Case(
            "refunded", "\(production),\(before),\(iOS),\"appRevocationDate\":1780000000000",
            .notPaid(.revoked(Date(timeIntervalSince1970: 1_780_000_000)))),
        Case("a business, before", "\(production),\(before),\(iOS),\"storeType\":\"ENTERPRISE\"", .paid(.purchaseDate)),
        Case(
            "a school, later", "\(production),\(after),\(iOS),\"storeType\":\"EDUCATION\"", .undecided(.volumePurchase)),
        Case(
            "a managed device, later", "\(production),\(after),\"originalPlatform\":\"MANAGED\"",
            .undecided(.volumePurchase)),
    ]

    private static func app(_ fields: String) throws -> StoreAppTransaction {
        let payload = #"{"bundleId":"com.example.app","receiptCreationDate":1800000000000,\#(fields)}"#
        let parts = [#"{"alg":"ES256","x5c":["AAAA"]}"#, payload, "x"].map {
            Data($0.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
                .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        }
        let info = try #require(try SignedPayload.unverified(jws: parts.joined(separator: ".")).appTransaction)
        return StoreAppTransaction(info, signedText: "")
    }

    @Test(arguments: cases) func `the date decides, or else the first build`(_ example: Case) throws {
        expectEqual(Self.paidAppUpgrade.decision(for: try Self.app(example.fields)), example.decision)
    }

    private let appStore = SimulatedAppStore(catalog: .shop)
    private let memory = MemoryCache()
    private let log = Recorder<StoreLogEvent>()

    private func launch() -> PurchaseStore { launch(SimulatedBackend(appStore)) }

    private func launch(_ backend: some StoreBackend, app bundleID: String? = nil) -> PurchaseStore {
        let log = log
        appStore.behavior.appTransactionAsksToSignIn = true
        var paidAppUpgrade = Self.paidAppUpgrade
        paidAppUpgrade.cache = memory
        let configuration = StoreConfiguration(
            appBundleID: bundleID, paidAppUpgrade: paidAppUpgrade, log: { log.record($0) })
        return PurchaseStore(over: backend, configuration: configuration)
    }

    /// An App Store that doesn't return the purchase of the app.
    private struct Offline: RelayBackend {
        let next: any StoreBackend

        func appTransaction() async throws(StoreError) -> String? {
            throw StoreError(.networkError, "There is no network.")
        }
    }

    /// A process whose bundle identifier isn't the app's.
    private struct OtherProcess: RelayBackend {
        let next: any StoreBackend

        var historyTrust: HistoryTrust { get async { await next.historyTrust.given(app: "com.example.app.widget") } }
    }

    private func buyApp(_ seconds: Double, _ change: (inout SimulatedAppTransaction) -> Void = { _ in }) {
        var transaction = SimulatedAppTransaction(originalPurchaseDate: Date(timeIntervalSince1970: seconds))
        appStore.behavior.environment = .production
        change(&transaction)
        appStore.appTransaction = transaction
    }

    @Test func `a former customer has the product as soon as the app asks, and in the next launch without a network`()
        async throws
    {
        appStore.behavior.signsReceipts = true
        buyApp(1_600_000_000)
        let store = launch()
        var entitlements = await store.entitlements.current
        #expect(!entitlements.contains("pro") && entitlements.paidAppUpgrade == nil)
        expectEqual(appStore.appTransactionSignInCount, 0, "the App Store isn't asked at launch")
        var loop = store.entitlements.makeAsyncIterator()
        _ = await loop.next()
        expectEqual(try await store.checkPaidAppUpgrade(), .paid(.purchaseDate))
        entitlements = try #require(await loop.next())
        #expect(
            entitlements.contains("pro") && entitlements.productIDs == ["pro"]
                && entitlements.contains(AccessLevel(products: ["x", "pro"])))
        expectEqual(entitlements.paidAppUpgrade, .init(productID: "pro", basis: .purchaseDate))
        #expect("\(entitlements)".contains("pro: paid with the app") && !entitlements.contains("coins"))
        expectEqual(appStore.appTransactionSignInCount, 1)

        let next = launch(Offline(next: SimulatedBackend(appStore)))
        #expect(await next.entitlements.current.contains("pro"))
        await #expect(throws: StoreError.self) { try await next.checkPaidAppUpgrade() }
        #expect(await next.entitlements.refresh().contains("pro"), "a failure ends no access")
        expectEqual(appStore.appTransactionSignInCount, 1)
    }

    @Test func `erasing an account's data keeps the purchase of the app, and erasing everything erases it`()
        async throws
    {
        appStore.behavior.signsReceipts = true
        buyApp(1_600_000_000)
        let store = launch()
        _ = try await store.checkPaidAppUpgrade()
        try await store.eraseStoredData(of: .username("ann"))
        #expect(memory.data.withLock { $0 }?.isEmpty == false)
        #expect(await launch(Offline(next: SimulatedBackend(appStore))).entitlements.current.contains("pro"))
        try await store.eraseStoredData()
        #expect(memory.data.withLock { $0 }?.isEmpty ?? true)
    }

    @Test func `a text that can't be read before the first unlock is read when the app is in the foreground`()
        async throws
    {
        appStore.behavior.signsReceipts = true
        buyApp(1_600_000_000)
        _ = try await launch().checkPaidAppUpgrade()
        memory.isLocked.withLock { $0 = true }
        let store = launch(Offline(next: SimulatedBackend(appStore)))
        for _ in 1...3 { #expect(await !store.entitlements.current.contains("pro")) }
        expectEqual(log.elements.count { $0.message.contains("of the app can't be read") }, 1)
        store.core.lifecycle.receive(.woke)
        try await store.settled()
        #expect(!store.entitlements.latest.contains("pro"))
        memory.isLocked.withLock { $0 = false }
        #expect(!store.entitlements.latest.contains("pro"), "the file isn't read for every question")
        store.core.refreshPendingState()
        try await store.settled()
        #expect(store.entitlements.latest.contains("pro"))
    }

    @Test func `the cached text has to name the app of the configuration`() async throws {
        appStore.behavior.signsReceipts = true
        buyApp(1_600_000_000)
        _ = try await launch().checkPaidAppUpgrade()
        let process = OtherProcess(next: SimulatedBackend(appStore))
        #expect(await launch(process, app: "com.example.app").entitlements.current.contains("pro"))
        #expect(await !launch(process).entitlements.current.contains("pro"))
    }

    @Test func `the cached text is verified, and a refund ends access when the app asks again`() async throws {
        appStore.behavior.signsReceipts = true
        buyApp(1_600_000_000)
        _ = try await launch().checkPaidAppUpgrade()
        let text = try #require(memory.data.withLock { $0 })
        for forged in [text.dropLast(8), Data("{}".utf8), Data(text.reversed()), Data([0xFF, 0x00])] {
            memory.data.withLock { $0 = Data(forged) }
            #expect(await !launch().entitlements.current.contains("pro"))
        }
        #expect(log.elements.contains { $0.level == .warning && $0.message.contains("isn't accepted") })
        memory.data.withLock { $0 = text }
        buyApp(1_600_000_000) { $0.revocationDate = Date(timeIntervalSince1970: 1_700_000_000) }
        let store = launch()
        #expect(await store.entitlements.current.contains("pro"))
        #expect(try await !store.checkPaidAppUpgrade().isPaid)
        #expect(await !store.entitlements.current.contains("pro"))
        #expect(await !launch().entitlements.current.contains("pro"))
    }

    @Test func `only one decision means that the customer paid, and settings with different dates differ`() {
        expectEqual(
            [.paid(.purchaseDate), .notPaid(.firstBuild), .undecided(.volumePurchase)].map(
                \PaidAppUpgrade.Decision.isPaid),
            [true, false, false])
        let settings = [1, 2].map { PaidAppUpgrade(grants: "pro", before: Date(timeIntervalSince1970: $0), cache: nil) }
        #expect(settings[0] != settings[1] && settings[0].hashValue != settings[1].hashValue)
    }

    @Test func `the sandbox decides nothing, and a store without the setting throws`() async throws {
        expectEqual(try await launch().checkPaidAppUpgrade(), .undecided(.testEnvironment))
        let plain = PurchaseStore(simulating: appStore)
        await #expect(throws: StoreError.self) { try await plain.checkPaidAppUpgrade() }
    }

    @Test func `StoreKit 1's receipt decides by its date`() async throws {
        appStore.behavior.signsReceipts = true
        let store = launch(SimulatedBackend(appStore, engine: .storeKit1))
        try await store.receipt.refresh()
        let app = try await store.appTransaction()
        let decision = try await store.checkPaidAppUpgrade()
        expectEqual(decision, Self.paidAppUpgrade.decision(for: app))
        #expect(memory.data.withLock { $0 } == nil, "a receipt is on the device anyway")
    }
}
