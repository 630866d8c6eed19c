import AppReceipt
import AppStoreSimulator
package import AsyncStoreKit
import Foundation

extension SimulatedBackend {
    /// What the device knows, as StoreKit 2 would read it.
    /// - Throws: What `SimulatorBehavior.statusError` says is in the history, as the reason why it is incomplete.
    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        guard launch.isCurrent else { throw StoreError(.backendUnavailable, "This launch of the app is over.") }
        var history = SignedPurchaseHistory()
        let unfinished = await launch.listedTransactions(.unfinished)
        let all = await launch.listedTransactions(.all)
        for transaction in await launch.listedTransactions(.currentEntitlements) { history.add(transaction, to: \.transactions) }
        for transaction in unfinished { history.add(transaction, to: \.unfinished) }
        history.past = all.filter(\.text.seal.isVerified).map { SignedStatement($0) }
        for group in groups.union((unfinished + all).compactMap(\.record.groupID)).sorted() {
            do {
                for status in try launch.statuses(inGroup: group) { history.add(status) }
            } catch {
                history.failure = StoreError(error, during: "Reading the subscriptions")
            }
        }
        return .signed(history)
    }

    /// Returns the same as ``purchaseHistory(groups:)``.
    package func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory {
        try await purchaseHistory(groups: [])
    }

    /// The signed app transaction, which is asked for once.
    /// - Throws: ``StoreError/Code/unverified`` when it doesn't verify.
    package func appTransaction() async throws(StoreError) -> String? {
        try await appTransactionRequest.text()
    }

    /// The simulator's own certificates, and its device.
    package var historyTrust: HistoryTrust {
        get async {
            HistoryTrust(
                bundleID: .exactly(launch.store.bundleID), deviceVerificationID: launch.deviceVerificationID,
                receiptAnchors: HistoryTrust.anchors(SimulatedReceiptIssuer.rootCertificate),
                signatureAnchors: HistoryTrust.anchors(SimulatedJWSIssuer.rootCertificate))
        }
    }

    /// What the simulated App Store says.
    package func isEligibleForIntroductoryOffer(inGroup groupID: String) async -> Bool? {
        launch.isEligibleForIntroductoryOffer(inGroup: groupID)
    }
}

extension AppTransactionRequest {
    convenience init(_ launch: SimulatedLaunch) {
        self.init { () async throws(StoreError) -> String? in
            let text = launch.appTransaction.text
            guard text.seal.isVerified else {
                throw StoreError(.unverified, "The app transaction is not signed by the App Store.")
            }
            return text.jws
        }
    }
}

extension SignedStatement<ReceiptTransaction> {
    fileprivate init(_ transaction: SimulatedSignedTransaction) {
        self.init(ReceiptTransaction(transaction), text: { transaction.text.jws })
    }
}

extension SignedPurchaseHistory {
    fileprivate mutating func add(
        _ transaction: SimulatedSignedTransaction,
        to list: WritableKeyPath<SignedPurchaseHistory, [SignedStatement<ReceiptTransaction>]>
    ) {
        guard transaction.text.seal.isVerified else {
            unverifiedProductIDs.insert(transaction.record.productID)
            return
        }
        self[keyPath: list].append(SignedStatement(transaction))
    }

    fileprivate mutating func add(_ status: SimulatedSignedStatus) {
        add(status.transaction, to: \.subscriptions)
        if status.transaction.text.seal.isVerified {
            statuses.append(
                SubscriptionStatement(ReceiptTransaction(status.transaction), ReceiptSubscriptionState(status.state)))
        }
        guard status.renewalText.seal.isVerified else { return }
        let renewal = ReceiptRenewal(status.renewal, signedDate: status.renewalText.seal.signedDate)
        renewals.append(SignedStatement(renewal, text: { status.renewalText.jws }))
    }
}

extension ReceiptTransaction {
    /// The row that the transaction's signed text stands for, without the text.
    init(_ transaction: SimulatedSignedTransaction) {
        let record = transaction.record
        let date = record.purchaseDate ?? transaction.text.seal.signedDate
        self.init(
            productID: record.productID, transactionID: record.transactionID ?? "", purchaseDate: date, quantity: record.quantity,
            originalTransactionID: record.originalTransactionID, originalPurchaseDate: record.originalPurchaseDate ?? date,
            expirationDate: record.expirationDate, isUpgraded: record.isUpgraded, productKind: ReceiptProductKind(record.kind))
        // What an upgrade replaced has a date in receipts, and none here.
        revocationDate = record.revocationReason == nil ? nil : record.revocationDate
        revocationReason = record.revocationReason.map { RevocationReason(rawValue: $0.rawValue) }
        signedDate = transaction.text.seal.signedDate
        subscriptionGroupID = record.groupID
        webOrderLineItemID = record.kind == .autoRenewableSubscription ? record.transactionID : nil
        ownershipType = OwnershipType(rawValue: record.ownership.rawValue)
        appAccountToken = record.appAccountToken
        appTransactionID = transaction.text.seal.appTransactionID
        switch record.offer?.kind {
        case .introductory?:
            isTrialPeriod = record.offer?.terms.paymentMode == .freeTrial
            isInIntroductoryOfferPeriod = !isTrialPeriod
        case .promotional?: promotionalOfferID = record.offer?.terms.id
        case .code?: offerCodeReferenceName = record.offer?.terms.id
        case .winBack?, nil: break
        }
    }
}

extension ReceiptRenewal {
    /// What the renewal's signed text says, without the text.
    init(_ renewal: SimulatedRenewal, signedDate: Date) {
        self.init(
            productID: renewal.productID, originalTransactionID: renewal.originalTransactionID,
            autoRenewPreference: renewal.autoRenewPreference, willAutoRenew: renewal.willAutoRenew,
            expirationReason: renewal.expirationReason.map { ReceiptExpirationReason(rawValue: $0.rawValue) },
            isInBillingRetry: renewal.isInBillingRetry, gracePeriodExpirationDate: renewal.gracePeriodExpirationDate)
        priceIncreaseStatus = renewal.priceIncrease.map { PriceIncreaseStatus(rawValue: $0.rawValue) }
        self.signedDate = signedDate
        terms = Terms(
            date: renewal.renewalDate, price: renewal.renewalPrice, currencyCode: renewal.currencyCode,
            eligibleWinBackOfferIDs: renewal.eligibleWinBackOfferIDs)
    }
}

extension ReceiptSubscriptionState {
    fileprivate init(_ state: SimulatedSubscriptionStatus.State) {
        switch state {
        case .subscribed: self = .subscribed
        case .expired: self = .expired
        case .inBillingRetry: self = .inBillingRetryPeriod
        case .inGracePeriod: self = .inGracePeriod
        case .revoked: self = .revoked
        }
    }
}

extension ReceiptProductKind {
    fileprivate init(_ kind: SimulatedProduct.Kind) {
        switch kind {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewingSubscription: self = .nonRenewingSubscription
        case .autoRenewableSubscription: self = .autoRenewableSubscription
        }
    }
}
