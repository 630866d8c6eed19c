import AppReceipt
package import AppStoreSimulator
package import AsyncStoreKit
import Foundation

/// StoreKit 2 directly over a simulated App Store, without Apple's StoreKit, on every platform.
package struct SimulatedStoreKit2: StoreKit2Environment {
    private let launch: SimulatedLaunch
    package let receipt: DeviceReceipt
    package let clock: any StoreClock

    /// Creates the environment of one launch of an app.
    /// - Parameter clock: The clock of the store; `nil` for the clock of the App Store.
    package init(_ launch: SimulatedLaunch, clock: (any StoreClock)? = nil) {
        self.launch = launch
        receipt = DeviceReceipt(launch)
        self.clock = clock ?? SimulatedClock(launch.store)
    }

    package func listen(_ receive: @escaping @Sendable (StoreKit2Event) -> Void) -> StoreKit2Listening {
        launch.observe([.transactions, .storefronts, .intents, .statuses]) { [launch] update in
            switch update {
            case .transaction(let transaction): receive(.transaction(StoreKit2SignedTransaction(transaction, launch)))
            case .storefront(let storefront): receive(.storefront(AppStorefront(storefront)))
            case .intent(let product, let offerID):
                let product = StoreKit2Product(product, SimulatedDisplay(of: launch), launch)
                receive(.intent(product, offer: offerID.map { .winBack(id: $0) }))
            case .status: receive(.other(.entitlementsMayHaveChanged))
            case .message, .launchEnded: break
            }
        }
    }

    package func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product] {
        let what = "The request for products"
        guard !Task.isCancelled || !launch.store.behavior.cancelledTasksReadNothing else {
            throw .cancelledRequest(during: what)
        }
        let response = Promise<Result<[SimulatedProduct], SimulatedError>?>()
        let request = launch.products(for: ids) { response.fulfill($0) }
        let answer = await response.value(isResponse: true) { [launch] in
            guard launch.store.behavior.cancelledTasksReadNothing else { return }
            request.cancel()
            response.fulfill(nil)
        }
        switch answer {
        case .success(let products)?:
            let display = SimulatedDisplay(of: launch)
            return products.map { StoreKit2Product($0, display, launch) }
        case .failure(let error)?: throw StoreError(storeKit2Error: error, during: what)
        case nil: throw .cancelledRequest(during: what)
        }
    }

    package func unfinished() async -> [StoreKit2SignedTransaction] { await read(.unfinished) }

    package func currentEntitlements() async -> [StoreKit2SignedTransaction] { await read(.currentEntitlements) }

    package func latest(_ productID: String) async -> StoreKit2SignedTransaction? {
        launch.latestTransaction(of: productID).map { StoreKit2SignedTransaction($0, launch) }
    }

    package func statuses(_ groupID: String) async throws(StoreError) -> [StoreKit2Status] {
        do throws(SimulatedError) {
            return try launch.statuses(inGroup: groupID).map { StoreKit2Status($0, launch) }
        } catch {
            throw StoreError(storeKit2Error: error, during: "Reading the subscriptions")
        }
    }

    package func allTransactions() async -> [StoreKit2SignedTransaction] { await read(.all) }

    package func appTransaction() async throws(StoreError) -> String? {
        let text = launch.appTransaction.text
        guard text.seal.isVerified else { throw .unverifiedAppTransaction(invalidSignature) }
        return text.jws
    }

    package func isEligibleForIntroductoryOffer(_ groupID: String) async -> Bool {
        launch.isEligibleForIntroductoryOffer(inGroup: groupID)
    }

    package var trust: HistoryTrust { HistoryTrust(launch) }

    package func sync() async throws(StoreError) {
        let answer = Promise<SimulatedAnswer>()
        launch.synchronize { answer.fulfill($0) }
        switch await answer.value(isResponse: true) {
        case .completed, .purchased, .pending: return
        case .userCancelled: throw StoreError(storeKit2: .userCancelled, during: "The restore")
        case .failed(let error): throw StoreError(storeKit2Error: error, during: "The restore")
        case .abandoned: throw .cancelledRequest(during: "The restore")
        }
    }

    package var canMakePayments: Bool { launch.canMakePayments }

    package func storefront() async -> AppStorefront? { launch.storefront.map { AppStorefront($0) } }

    package func messages(_ receive: @escaping @Sendable (StoreMessage) -> Void) -> StoreKit2Listening {
        launch.observeMessages { receive(StoreMessage(reason: .init(description: $0))) }
    }

    package func present(
        _ sheet: StoreSheet, in anchor: PresentationAnchor?
    ) async throws(StoreError) -> StoreKit2SignedTransaction? {
        switch sheet {
        case .codeRedemption: return try await redeemOfferCode()
        case .subscriptionManagement(let groupID): launch.present(.subscriptionManagement(groupID: groupID))
        case .refundRequest(let id):
            launch.present(.refundRequest(transactionID: "\(try StoreSheet.number(ofTransaction: id))"))
            switch launch.store.behavior.refundRequestEnding {
            case .sent: return nil
            case .userCancelled: throw StoreError(storeKit2: .userCancelled, during: "The sheet")
            case .duplicateRequest: throw StoreError(storeKit2: .refundDuplicate, during: "The sheet")
            case .failed: throw StoreError(storeKit2: .refundFailed, during: "The sheet")
            case .ineligible: throw StoreError(storeKit2: .refundIneligible, during: "The sheet")
            }
        case .message(let message): launch.present(.message(reason: message.reason.description))
        case .priceConsent: throw .unsupported(sheet)
        }
        return nil
    }

    /// Waits for a list. Cancellation doesn't end the wait, because a canceled task would read an empty list.
    private func read(_ listing: SimulatedListing) async -> [StoreKit2SignedTransaction] {
        let answer = Promise<[SimulatedSignedTransaction]>()
        launch.readTransactions(listing) { answer.fulfill($0) }
        return await answer.value(isResponse: true).map { StoreKit2SignedTransaction($0, launch) }
    }

    private func redeemOfferCode() async throws(StoreError) -> StoreKit2SignedTransaction? {
        let what = "The sheet"
        let answer = Promise<SimulatedAnswer>()
        launch.redeemOfferCode { answer.fulfill($0) }
        switch await answer.value() {
        case .purchased(let transaction): return StoreKit2SignedTransaction(transaction, launch)
        case .completed, .pending: return nil
        case .userCancelled: throw StoreError(storeKit2: .userCancelled, during: what)
        case .failed(let error): throw StoreError(storeKit2Error: error, during: what)
        case .abandoned: throw .cancelledRequest(during: what)
        }
    }
}

private let invalidSignature = "the signature doesn't match."

extension StoreKit2SignedTransaction {
    package init(_ transaction: SimulatedSignedTransaction, _ launch: SimulatedLaunch) {
        let (record, text) = (transaction.record, transaction.text)
        self.init(
            version: Version(
                id: transaction.number, signedDate: text.seal.signedDate, expirationDate: record.expirationDate,
                // A receipt contains the date of an upgrade; StoreKit 2's transactions don't.
                revocationDate: record.revocationReason == nil ? nil : record.revocationDate,
                isUpgraded: record.isUpgraded),
            productID: record.productID, purchaseDate: record.purchaseDate ?? text.seal.signedDate,
            verificationError: text.seal.isVerified ? nil : .unverified(record.productID, invalidSignature),
            payload: { text.payload }, jws: { text.jws }, finish: { launch.finish(transaction: transaction.number) })
    }
}

extension StoreKit2Status {
    fileprivate init(_ status: SimulatedSignedStatus, _ launch: SimulatedLaunch) {
        let text = status.renewalText
        self.init(
            state: SubscriptionState(storeKit2State: status.state.rawValue),
            transaction: StoreKit2SignedTransaction(status.transaction, launch),
            renewal: Renewal(isVerified: text.seal.isVerified, payload: { text.payload }, jws: { text.jws }))
    }
}

extension StoreKit2Product {
    fileprivate init(_ product: SimulatedProduct, _ display: SimulatedDisplay, _ launch: SimulatedLaunch) {
        let value = StoreProduct(product, display, engine: .storeKit2)
        self.init(value: value) { (payment, policy) throws(StoreError) -> Purchase in
            let payment = SimulatedPayment(payment, try StoreKit2PurchaseOptions(payment, for: value))
            return Purchase { (_) async throws(StoreError) in try await launch.purchase(payment, policy) }
        }
    }
}

extension SimulatedLaunch {
    fileprivate func purchase(
        _ payment: SimulatedPayment, _ policy: StoreKit2Product.StorefrontPolicy?
    ) async throws(StoreError) -> StoreKit2PurchaseResult {
        let what = "The purchase of \"\(payment.productID)\""
        let answer = Promise<SimulatedAnswer>()
        let mayContinue = policy.map { policy in
            { @Sendable (storefront: SimulatedStorefront) in policy(AppStorefront(storefront)) }
        }
        _ = purchase(payment, mayContinue: mayContinue) { answer.fulfill($0) }
        switch await answer.value(isResponse: true) {
        case .purchased(let transaction): return .success(StoreKit2SignedTransaction(transaction, self))
        case .pending: return .pending
        case .userCancelled where store.behavior.cancellingThrows:
            throw StoreError(storeKit2: .userCancelled, during: what)
        case .userCancelled: return .userCancelled
        case .failed(.unknown): throw .purchaseInterrupted(payment.productID, underlying: SimulatedError.unknown)
        case .failed(let error): throw StoreError(purchaseError: error, during: what)
        case .completed: throw StoreError(storeKit2: .unknown, during: what)
        case .abandoned: throw .cancelledRequest(during: what)
        }
    }
}

extension StoreError {
    /// Creates the error that a purchase over StoreKit 2 throws for a simulated error.
    fileprivate init(purchaseError error: SimulatedError, during what: String) {
        guard error.domain == SimulatedError.storeKitDomain, let code = Self.purchaseCodes[error.code] else {
            self.init(storeKit2Error: error, during: what)
            return
        }
        self.init(storeKit2: code, during: what, underlying: error)
    }

    /// The codes of `Product.PurchaseError`, by the codes of `SKError`.
    private static let purchaseCodes: [Int: Code] = [
        3: .invalidQuantity, 4: .purchaseNotAllowed, 5: .productUnavailable, 11: .invalidOfferIdentifier,
        12: .invalidOfferSignature, 13: .missingOfferParameters, 14: .invalidOfferPrice, 18: .ineligibleForOffer,
        21: .paymentMethodRequired,
    ]

    fileprivate init(storeKit2Error error: SimulatedError, during what: String) {
        if let problem = Self(problem: error, during: what) {
            self = problem
            return
        }
        let code: Code
        switch (error.domain, error.code) {
        case (SimulatedError.storeKitDomain, 0), (SimulatedError.storeKit2Domain, 3): code = .unknown
        case (SimulatedError.storeKitDomain, 2): code = .userCancelled
        case (SimulatedError.storeKit2Domain, 1): code = .notAvailableInStorefront
        case (SimulatedError.storeKit2Domain, 2): code = .notEntitled
        default:
            let isNetwork = error.domain == "NSURLErrorDomain"
            self =
                isNetwork
                ? StoreError(storeKitError: error.foundationError, during: what)
                : StoreError(systemError: error.foundationError, during: what)
            return
        }
        self.init(storeKit2: code, during: what, underlying: error)
    }
}
