import AppReceipt
import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Tests StoreKit 2's errors, products and options as values of the store.
@Suite(.bounded) struct StoreKit2ValueTests {
    private let world = StoreKit2World()

    @Test(arguments: [
        (StoreKitError.userCancelled, StoreError.Code.userCancelled),
        (.notAvailableInStorefront, .notAvailableInStorefront),
        (.notEntitled, .notEntitled), (.unknown, .unknown),
        (.networkError(URLError(.notConnectedToInternet)), .networkError),
        (.networkError(URLError(.timedOut)), .timedOut),
        (.systemError(URLError(.networkConnectionLost)), .networkError),
        (.systemError(NSError(domain: "ASDErrorDomain", code: 1)), .systemError),
        (.systemError(NSError(domain: "SKErrorDomain", code: 4)), .purchaseNotAllowed),
    ])
    func `each StoreKit 2 error has its code`(error: StoreKitError, code: StoreError.Code) {
        let meaning = StoreError(storeKit2Error: error, during: "The purchase")
        expectEqual(meaning.code, code)
        #expect(meaning.message.hasPrefix("The purchase: "))
        #expect(meaning.underlying != nil)
    }

    @Test(arguments: [
        (Product.PurchaseError.invalidQuantity, StoreError.Code.invalidQuantity),
        (.productUnavailable, .productUnavailable),
        (.purchaseNotAllowed, .purchaseNotAllowed), (.ineligibleForOffer, .ineligibleForOffer),
        (.invalidOfferIdentifier, .invalidOfferIdentifier), (.invalidOfferPrice, .invalidOfferPrice),
        (.invalidOfferSignature, .invalidOfferSignature), (.missingOfferParameters, .missingOfferParameters),
    ])
    func `each purchase error has its code`(error: Product.PurchaseError, code: StoreError.Code) {
        let meaning = StoreError(storeKit2Error: error, during: "The purchase")
        expectEqual(meaning.code, code)
        expectEqual(meaning.code.description, "\(error)")
        #expect(meaning.underlying as? Product.PurchaseError == error)
    }

    @Test func `a cancellation has its code, and unknown errors are handled as those of StoreKit 1`() {
        expectEqual(StoreError(storeKit2Error: CancellationError(), during: "the restore").code, .taskCancelled)
        expectEqual(StoreError(storeKit2Error: URLError(.timedOut), during: "The restore").code, .timedOut)
        expectEqual(
            StoreError(storeKit2Error: NSError(domain: "SKErrorDomain", code: 14), during: "").code, .invalidOfferPrice)
    }

    @Test func `the message doesn't contain StoreKit's text, which may name the account`() {
        let told = NSError(domain: "AMSErrorDomain", code: 1, userInfo: [NSLocalizedDescriptionKey: "jane@example.com"])
        #expect(
            !StoreError(storeKit2Error: StoreKitError.systemError(told), during: "The purchase").message.contains(
                "jane"))
    }

    private func options(_ request: PaymentRequest) async throws -> Set<Product.PurchaseOption> {
        let product = try await world.product(request.productID)
        return try StoreKit2PurchaseOptions(request, for: StoreProduct(product)).options(for: product)
    }

    @Test func `requested options are passed to StoreKit`() async throws {
        let (account, nonce) = (UUID(), UUID())
        let offer = PurchaseOffer.promotional(
            id: "half", keyID: "key", nonce: nonce, signature: "c2lnbmVk", timestamp: 7)
        let request = PaymentRequest(
            productID: "basic",
            options: PurchaseOptions(quantity: 3, account: .token(account), offer: offer, simulatesAskToBuy: true))
        let expected: Set<Product.PurchaseOption> = [
            .quantity(3), .appAccountToken(account), .simulatesAskToBuyInSandbox(true),
            .promotionalOffer(
                offerID: "half", keyID: "key", nonce: nonce, signature: Data("signed".utf8), timestamp: 7),
        ]
        expectEqual(try await options(request), expected)
        expectEqual(try await options(PaymentRequest(productID: "basic")), [.quantity(1)])
        let signed = PaymentRequest(
            productID: "basic",
            options: PurchaseOptions(
                offer: .promotional(id: "half", jws: "a.b.c"), introductoryOfferEligibilityJWS: "d.e.f"))
        let options = try await options(signed)
        #expect(options.isSuperset(of: Product.PurchaseOption.promotionalOffer("half", compactJWS: "a.b.c")))
        #expect(options.contains(.introductoryOfferEligibility(compactJWS: "d.e.f")))
    }

    @Test func `a product has the values of StoreKit 1`() async throws {
        for id in ["coins", "pro", "season", "basic", "basic.yearly"] {
            let over2 = StoreProduct(try await world.product(id))
            let backend = StoreKit1Backend(environment: StoreKit1Environment(launch: world.launch))
            let over1 = try #require(try await backend.products(for: [id]).first)
            expectEqual(over2.id, over1.id)
            expectEqual(over2.displayName, over1.displayName)
            expectEqual(over2.description, over1.description)
            expectEqual(over2.price, over1.price)
            expectEqual(over2.displayPrice, over1.displayPrice)
            expectEqual(over2.subscriptionPeriod, over1.subscriptionPeriod)
            expectEqual(over2.subscriptionGroupID, over1.subscriptionGroupID)
            expectEqual(over2.introductoryOffer, over1.introductoryOffer)
            expectEqual(over2.promotionalOffers, over1.promotionalOffers)
            expectEqual(over2.isFamilyShareable, over1.isFamilyShareable)
            #expect(over1.kind == nil && over2.kind != nil)
        }
    }

    @Test func `a product has the values that only StoreKit 2 has`() async throws {
        let basic = StoreProduct(try await world.product("basic"))
        #expect(basic.kind == .autoRenewable && basic.subscriptionLevel == 2 && basic.subscriptionGroupName != nil)
        expectEqual(basic.winBackOffers.map(\.id), ["back"])
        expectEqual(basic.winBackOffers.first?.kind, .winBack)
        for (id, kind) in [("coins", ProductKind.consumable), ("pro", .nonConsumable), ("season", .nonRenewable)] {
            expectEqual(StoreProduct(try await world.product(id)).kind, kind)
        }
    }

    @Test func `a transaction has its product, dates and account`() async throws {
        let account = UUID()
        let transaction = try await world.buy("coins", [.quantity(4), .appAccountToken(account)])
        let token = TransactionToken(source: 1, serial: 1)
        let value = value(of: .verified(transaction), token: token)
        expectEqual(value.token, token)
        expectEqual(value.state, .purchased)
        expectEqual(value.productID, "coins")
        expectEqual(value.quantity, 4)
        expectEqual(value.account, .token(account))
        expectEqual(value.id, "\(transaction.id)")
        expectEqual(value.purchaseDate, transaction.purchaseDate)
        expectEqual(value.jws, VerificationResult.verified(transaction).jwsRepresentation)
        expectEqual(value.signedInfo?.price, 8)
        expectEqual(value.original, nil)
        expectEqual(value.originalID, value.id)
        let row = self.value(of: .verified(transaction), token: token, isRestored: true)
        expectEqual(row.state, .restored)
        expectEqual(row.originalID, "\(transaction.originalID)")
        expectEqual(row.deliveryKey, value.deliveryKey)
    }

    private func value(
        of result: VerificationResult<Transaction>, token: TransactionToken = TransactionToken(source: 1, serial: 1),
        isRestored: Bool = false
    ) -> StoreTransaction {
        let signedTransaction = StoreKit2SignedTransaction(result)
        return StoreTransaction(
            signedTransaction, DecodedTransactions().info(of: signedTransaction), token: token, isRestored: isRestored)
    }

    @Test func `a renewal has its own identifier and the original identifier`() async throws {
        let first = try await world.own("basic")
        world.appStore.advance(by: .months(1))
        let result = try #require(Transaction.latest(for: "basic", launch: world.launch))
        let renewal = result.unsafePayloadValue
        try #require(renewal.id != first.id)
        let value = value(of: result)
        expectEqual(value.id, "\(renewal.id)")
        expectEqual(value.originalID, "\(first.id)")
        expectEqual(value.deliveryKey, "\(renewal.id)")
    }

    @Test func `a signed transaction has the transaction's values and the verification error`() async throws {
        let account = UUID()
        let transaction = try await world.own("basic", [.appAccountToken(account)])
        let signedTransaction = StoreKit2SignedTransaction(.verified(transaction))
        expectEqual(signedTransaction.id, transaction.id)
        expectEqual(signedTransaction.productID, "basic")
        expectEqual(signedTransaction.purchaseDate, transaction.purchaseDate)
        expectEqual(signedTransaction.version.signedDate, transaction.signedDate)
        expectEqual(signedTransaction.version.expirationDate, transaction.expirationDate)
        #expect(
            signedTransaction.isVerified && !signedTransaction.version.isUpgraded
                && signedTransaction.version.revocationDate == nil)
        let info = try #require(DecodedTransactions().info(of: signedTransaction))
        expectEqual(info.value.transactionID, "\(transaction.id)")
        expectEqual(info.value.subscriptionGroupID, transaction.subscriptionGroupID)
        expectEqual(info.value.appAccountToken, account)
        let unverified = StoreKit2SignedTransaction(.unverified(transaction, .revokedCertificate))
        expectEqual(unverified.verificationError?.code, .unverified)
        #expect(unverified.verificationError?.message.contains("a certificate was revoked.") == true)
        expectEqual(unverified.version, signedTransaction.version)
        try world.appStore.refund("basic")
        let refunded = StoreKit2SignedTransaction(try #require(Transaction.latest(for: "basic", launch: world.launch)))
        #expect(refunded.version.revocationDate != nil && refunded.version != signedTransaction.version)
    }

    @Test func `a status has the state of StoreKit, and both signed texts`() async throws {
        try await world.own("basic")
        let status = StoreKit2Status(try world.status())
        expectEqual(status.state, .subscribed)
        expectEqual(status.transaction.productID, "basic")
        #expect(status.renewal.isVerified)
        expectEqual(try SignedRenewalInfo(payload: status.renewal.payload()).autoRenewPreference, "basic")
        expectEqual(status.renewal.jws(), try world.status().renewalInfo.jwsRepresentation)
        world.appStore.behavior.transactionsAreUnverified = true
        let spoiled = StoreKit2Status(try world.status())
        #expect(!spoiled.renewal.isVerified && !spoiled.transaction.isVerified)
    }

    @Test(arguments: [
        (Product.SubscriptionInfo.RenewalState.subscribed, SubscriptionState.subscribed), (.expired, .expired),
        (.inBillingRetryPeriod, .inBillingRetryPeriod), (.inGracePeriod, .inGracePeriod), (.revoked, .revoked),
        (.init(rawValue: 9), .init(rawValue: "9")),
    ])
    func `each state of a subscription has its name`(
        state: Product.SubscriptionInfo.RenewalState, word: SubscriptionState
    ) {
        expectEqual(SubscriptionState(storeKit2State: state.rawValue), word)
    }
}
