import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import Foundation

extension StoreError {
    /// Creates the error that StoreKit 1 reports for a simulated error.
    init(_ error: SimulatedError, during what: String) {
        if let problem = Self(problem: error, during: what) {
            self = problem
        } else {
            self.init(storeKitError: error.foundationError, during: what)
        }
    }

    /// Creates the error for an input that isn't possible on the App Store, such as a catalog; `nil` for the App
    /// Store's own errors.
    init?(problem error: SimulatedError, during what: String) {
        guard error.domain == SimulatedError.simulatorDomain else { return nil }
        self.init(.systemError, "\(what): \(error.message)", underlying: error)
    }
}

extension SimulatedError {
    /// The error in the form that StoreKit reports: an `NSError` with the error's own domain.
    var foundationError: NSError {
        NSError(domain: domain, code: code, userInfo: message.isEmpty ? [:] : [NSLocalizedDescriptionKey: message])
    }
}

extension AppStorefront {
    init(_ storefront: SimulatedStorefront) {
        self.init(countryCode: storefront.countryCode, id: storefront.id)
    }
}

extension HistoryTrust {
    /// Creates the trust in the simulator's certificates, for the app and the device of a launch.
    init(_ launch: SimulatedLaunch) { self.init(launch.store) }

    /// Creates the trust in the simulator's certificates, for the app and the device.
    init(_ appStore: SimulatedAppStore) {
        self.init(
            bundleID: appStore.bundleID,
            environment: ReceiptEnvironment(rawValue: appStore.behavior.environment.rawValue),
            deviceVerificationID: appStore.deviceVerificationID,
            receiptAnchors: Self.simulatedReceiptAnchors, signatureAnchors: Self.simulatedSignatureAnchors)
    }

    // Parsed once, because every read of the device needs the anchors.
    private static let simulatedReceiptAnchors = anchors(SimulatedReceiptIssuer.rootCertificate)
    private static let simulatedSignatureAnchors = anchors(SimulatedJWSIssuer.rootCertificate)
}

extension DeviceReceipt {
    /// Creates the receipt of the simulated device.
    init(_ launch: SimulatedLaunch) {
        self.init(
            read: { launch.receipt },
            request: { () async throws(StoreError) in
                let run = SimulatedRequestRun()
                let request = launch.receiptRefreshRequest {
                    run.receive($0)
                } endHandler: {
                    run.end()
                }
                _ = try await run.response(to: request, during: "The request for a new receipt")
            })
    }
}

/// The language and the currency for displaying products in a launch.
struct SimulatedDisplay: Sendable {
    let localeIdentifier: String
    let priceLocale: Locale
    let catalog: SimulatedCatalog

    init(of launch: SimulatedLaunch) {
        localeIdentifier = launch.store.localeIdentifier
        catalog = launch.store.catalog
        priceLocale = SimulatedCatalog.priceLocale(localeIdentifier: localeIdentifier, storefront: launch.storefront)
    }
}

extension SimulatedPayment {
    /// Creates the payment of StoreKit 1, which has the options that both engines have.
    init(_ request: PaymentRequest) {
        self.init(
            productID: request.productID, quantity: request.quantity, applicationUsername: request.applicationUsername,
            simulatesAskToBuyInSandbox: request.options.simulatesAskToBuy)
        if let offer = request.offer, case .promotional(let signed) = offer.form {
            discount = Discount(
                offerID: offer.id, keyID: signed.keyID, nonce: signed.nonce, signature: signed.signature,
                timestamp: signed.timestamp)
        }
    }

    init(_ request: PaymentRequest, _ options: StoreKit2PurchaseOptions) {
        self.init(request)
        appAccountToken = options.accountToken
        introductoryOfferEligibility = options.requested.introductoryOfferEligibilityJWS
        billingPlan = options.billingPlan.flatMap { SimulatedBillingPlan(rawValue: $0.rawValue) }
        seats = options.requested.seats
        guard let offer = request.offer else { return }
        switch offer.form {
        case .promotional: break
        case .signed(let jws): promotionalOffer = PromotionalOffer(offerID: offer.id, compactJWS: jws)
        case .winBack: winBackOfferID = offer.id
        }
    }

    fileprivate var offer: PurchaseOffer? {
        discount.map {
            .promotional(
                id: $0.offerID, keyID: $0.keyID, nonce: $0.nonce, signature: $0.signature, timestamp: $0.timestamp)
        }
    }
}

extension PaymentRequest {
    init(_ payment: SimulatedPayment) {
        self.init(
            productID: payment.productID, quantity: payment.quantity, applicationUsername: payment.applicationUsername,
            offer: payment.offer)
    }
}

extension StoreTransaction {
    init(_ transaction: SimulatedTransaction, token: TransactionToken) {
        let payment = transaction.payment
        self.init(
            token: token, state: State(transaction.state), productID: payment.productID, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, offerID: payment.offer?.id,
            id: transaction.transactionID, purchaseDate: transaction.transactionDate,
            original: transaction.original.map { Original(id: $0.transactionID, purchaseDate: $0.transactionDate) },
            error: transaction.error.map { StoreError(paymentError: $0.foundationError, for: payment.productID) },
            downloads: transaction.downloads.enumerated().map {
                StoreDownload($1, id: StoreDownload.ID(transaction: token, index: $0))
            })
    }
}

extension StoreDownload {
    init(_ download: SimulatedDownload, id: ID) {
        self.init(
            id: id, contentID: download.content.contentID, contentVersion: download.content.contentVersion,
            contentLength: download.content.contentLength, state: State(download.state),
            fraction: Double(download.progress),
            timeRemaining: download.timeRemaining, contentURL: download.contentURL,
            error: download.error.map { StoreError($0, during: "The download of \"\(download.content.contentID)\"") })
    }
}

extension StoreDownload.State {
    fileprivate init(_ state: SimulatedDownload.State) {
        switch state {
        case .waiting: self = .waiting
        case .active: self = .active
        case .paused: self = .paused
        case .finished: self = .finished
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

extension StoreTransaction.State {
    fileprivate init(_ state: SimulatedTransaction.State) {
        switch state {
        case .purchasing: self = .purchasing
        case .purchased: self = .purchased
        case .failed: self = .failed
        case .restored: self = .restored
        case .deferred: self = .deferred
        }
    }
}

extension StoreProduct {
    /// Creates the product value of an engine. Only StoreKit 1 has hosted content. Only StoreKit 2 has kinds, win-back
    /// offers, and names and levels of groups.
    init(_ product: SimulatedProduct, _ display: SimulatedDisplay, engine: StoreEngine) {
        let text = product.localization(for: display.localeIdentifier)
        let locale = display.priceLocale
        let isStoreKit1 = engine == .storeKit1
        let subscription = product.subscription
        let offers = subscription.map { isStoreKit1 ? [] : $0.winBackOffers } ?? []
        self.init(
            id: product.productID, kind: isStoreKit1 ? nil : Kind(product), displayName: text?.displayName ?? "",
            description: text?.description ?? "", price: product.price, priceLocale: locale,
            subscriptionPeriod: (subscription?.period).map(StoreSubscriptionPeriod.init),
            introductoryOffer: (subscription?.introductoryOffer).map {
                StoreOffer($0, kind: .introductory, locale: locale)
            },
            promotionalOffers: (subscription?.promotionalOffers ?? []).map {
                StoreOffer($0, kind: .promotional, locale: locale)
            },
            winBackOffers: offers.map { StoreOffer($0, kind: .winBack, locale: locale) },
            billingPlans: isStoreKit1 ? [] : Self.billingPlans(product, display),
            bundledSubscriptions: isStoreKit1 ? [] : Self.bundledSubscriptions(product, display),
            subscriptionGroupID: subscription?.groupID,
            subscriptionGroupName: isStoreKit1 ? nil : subscription?.groupName,
            subscriptionLevel: isStoreKit1 ? nil : subscription?.groupLevel,
            isFamilyShareable: product.isFamilyShareable,
            supportsMultiSeatPurchase: !isStoreKit1 && product.supportsMultiSeatPurchase,
            hostedContentLengths: isStoreKit1 ? product.hostedContent.map(\.contentLength) : [])
    }
}

extension ProductKind {
    fileprivate init(_ product: SimulatedProduct) {
        if let bundle = product.bundle {
            self = bundle.isSuite ? .subscriptionSuite : .subscriptionBundle
            return
        }
        switch product.kind {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewingSubscription: self = .nonRenewable
        case .autoRenewableSubscription: self = .autoRenewable
        }
    }
}

extension StoreSubscriptionPeriod {
    init(_ period: SimulatedPeriod) {
        let unit: Unit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            }
        self.init(value: period.numberOfUnits, unit: unit)
    }
}

extension StoreOffer {
    init(_ offer: SimulatedSubscription.Offer, kind: Kind, locale: Locale) {
        let mode: PaymentMode =
            switch offer.paymentMode {
            case .payAsYouGo: .payAsYouGo
            case .payUpFront: .payUpFront
            case .freeTrial: .freeTrial
            }
        self.init(
            id: offer.id, kind: kind, price: offer.price, displayPrice: offer.price.formattedPrice(in: locale),
            paymentMode: mode, period: StoreSubscriptionPeriod(offer.period), periodCount: offer.numberOfPeriods)
    }
}
