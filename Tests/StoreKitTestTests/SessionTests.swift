import AppStoreSimulator
import Foundation
import StoreKitTest
import TestHarness
import Testing

@Suite(.bounded, .ownAppStore) struct SessionTests {
    private let session: SKTestSession

    init() throws {
        session = try SKTestSession(contentsOf: TestedSession.file)
    }

    @Test func `a file is found in the resources of the tests, with or without its extension`() throws {
        for name in ["Session", "Session.storekit"] {
            let session = try SKTestSession(configurationFileNamed: name)
            expectEqual(session.appStore.catalog["club.monthly"]?.subscription?.groupID, "club")
        }
    }

    @Test func `a file is found in the package`() throws {
        let search = ConfigurationSearch(
            products: FileManager.default.temporaryDirectory, workingFolder: URL(fileURLWithPath: #filePath))
        expectEqual(try search.url(ofFileNamed: "Session").path, TestedSession.file.path)
    }

    @Test func `the error of a missing file names the folders`() throws {
        let error = #expect(throws: SKTestError.self) { try SKTestSession(configurationFileNamed: "Nowhere") }
        expectEqual(error?.code, .fileNotFound)
        let message = try #require(error?.localizedDescription)
        let package = URL(fileURLWithPath: #filePath).pathComponents.dropFirst().dropLast(3).joined(separator: "/")
        #expect(message.contains("Nowhere.storekit") && message.contains("/\(package)"), "\(message)")
        #expect(message.contains("_StoreKitTestTests.resources"), "\(message)")
    }

    @Test func `an address that isn't a file's, and one without a file, are refused`() throws {
        let web = try #require(URL(string: "https://example.com/Session.storekit"))
        expectError(\SKTestError.code, .invalidURL) { try SKTestSession(contentsOf: web) }
        let missing = #expect(throws: SKTestError.self) {
            try SKTestSession(contentsOf: URL(fileURLWithPath: "/nowhere.storekit"))
        }
        expectEqual(missing?.code, .fileNotFound)
        expectEqual((missing as NSError?)?.domain, SKTestErrorDomain)
    }

    @Test func `all sessions control one environment, which outlives them`() async throws {
        _ = try await TestedSession.bought("pro")
        let second = try SKTestSession(contentsOf: TestedSession.file)
        expectEqual(try second.transaction(of: "pro").identifier, try session.transaction(of: "pro").identifier)
        second.askToBuyEnabled = true
        #expect(session.askToBuyEnabled)
    }

    @Test func `after a reset and a clearing, the environment is as in the file`() async throws {
        _ = try await TestedSession.bought("pro")
        try await session.buyProduct(identifier: "club.monthly")
        session.askToBuyEnabled = true
        session.disableDialogs = true
        session.storefront = "JPN"
        session.timeRate = .oneRenewalEveryMinute
        _ = try await TestedSession.purchase("coins")
        try await session.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
        session.resetToDefaultState()
        session.clearTransactions()
        expectEqual(await TestedSession.owned(), [])
        expectEqual(await TestedSession.unfinished(), [])
        expectEqual(session.allTransactions(), [])
        #expect(!session.askToBuyEnabled && !session.disableDialogs)
        expectEqual(session.storefront, "USA")
        expectEqual(session.timeRate, .realTime)
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
        expectEqual(try await Product.products(for: ["pro"]).count, 1)
    }

    @Test func `a deleted transaction is in no list, and others stay`() async throws {
        _ = try await TestedSession.bought("pro")
        _ = try await TestedSession.bought("coins")
        try session.deleteTransaction(identifier: try session.transaction(of: "pro").identifier)
        expectEqual(session.allTransactions().map(\.productIdentifier), ["coins"])
        expectEqual(await TestedSession.owned(), [])
        expectEqual(await TestedSession.unfinished(), ["coins"])
        #expect(await Transaction.latest(for: "pro") == nil)
        let again = try await TestedSession.bought("pro")
        expectEqual(UInt(again.id), try session.transaction(of: "pro").identifier)
        expectEqual(again.originalID, again.id)
    }

    @Test func `deleting the only transaction of a subscription restores the introductory offer`() async throws {
        let transaction = try await TestedSession.bought("club.monthly")
        #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: "club"))
        try session.deleteTransaction(identifier: UInt(transaction.id))
        #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "club"))
        #expect(try await Product.SubscriptionInfo.status(for: "club").isEmpty)
        let second = try await TestedSession.bought("club.yearly")
        session.appStore.advance(to: try #require(transaction.expirationDate))
        expectEqual(session.allTransactions().map(\.identifier), [UInt(second.id)])
    }

    @Test func `deleting an upgrade brings back the former subscription`() async throws {
        let former = try await TestedSession.bought("club.monthly")
        let upgrade = try await TestedSession.bought("club.yearly")
        try session.deleteTransaction(identifier: UInt(upgrade.id))
        expectEqual(await TestedSession.owned(), ["club.monthly"])
        #expect(await Transaction.latest(for: "club.monthly")?.unsafePayloadValue.isUpgraded == false)
        expectEqual(try await TestedSession.renewal().autoRenewPreference, "club.monthly")
        session.appStore.advance(to: try #require(former.expirationDate))
        expectEqual(try await TestedSession.status().transaction.payloadValue.purchaseDate, former.expirationDate)
    }

    @Test func `deleting a renewal leaves an expired subscription`() async throws {
        _ = try await TestedSession.bought("club.monthly")
        try session.forceRenewalOfSubscription(productIdentifier: "club.monthly")
        try session.deleteTransaction(identifier: try #require(session.allTransactions().map(\.identifier).max()))
        expectEqual(try await TestedSession.status().state, .expired)
        #expect(try await !TestedSession.renewal().willAutoRenew)
    }

    @Test func `failing transactions the old way has no effect`() async throws {
        session.failTransactionsEnabled = true
        session.failureError = .invalidSignature
        expectEqual(try await TestedSession.bought("pro").productID, "pro")
        #expect(session.failTransactionsEnabled && session.failureError == .invalidSignature)
    }

    @Test func `a rate exists by its raw value, and every rate is kept`() async throws {
        expectEqual(SKTestSession.TimeRate(rawValue: 6), .oneSecondIsOneDay)
        for number in [0, 1, 2, 3, 6, 10, 11, 12, 13, 15, 1_000, 1_001, 1_002, 1_003, 1_004, 1_005] {
            let rate = try #require(SKTestSession.TimeRate(rawValue: number))
            session.timeRate = rate
            expectEqual(session.timeRate, rate)
        }
    }

    @Test func `storefront and locale change prices, texts and the app's storefront`() async throws {
        var changes = Storefront.updates.makeAsyncIterator()
        let dollars = try await TestedSession.product("pro").displayPrice
        session.storefront = "DEU"
        session.locale = Locale(identifier: "de_DE")
        expectEqual(await changes.next()?.countryCode, "DEU")
        expectEqual(await Storefront.current?.countryCode, "DEU")
        let euros = try await TestedSession.product("pro").displayPrice
        #expect(dollars != euros && euros.contains("€"), "\(dollars), \(euros)")
    }

    @Test func `the clock is the device's clock`() async throws {
        let before = Date().addingTimeInterval(-1)
        let bought = try await TestedSession.bought("pro")
        #expect(bought.purchaseDate > before && bought.purchaseDate < Date().addingTimeInterval(1))
    }
}
