import Foundation
import StoreKit

extension StoreTransaction {
    /// A verified transaction.
    /// - Parameter isRestored: Whether it is a row of a restore.
    init(_ transaction: StoreKit.Transaction, text: SignedText, token: TransactionToken, isRestored: Bool) {
        let isLater = transaction.originalID != transaction.id
        self.init(
            token: token, state: isRestored ? .restored : .purchased, productID: transaction.productID,
            quantity: transaction.purchasedQuantity, applicationUsername: transaction.appAccountToken?.uuidString,
            offerID: transaction.offerIdentifier, id: "\(transaction.id)", purchaseDate: transaction.purchaseDate,
            original: isLater || isRestored
                ? Original(id: "\(transaction.originalID)", purchaseDate: transaction.originalPurchaseDate) : nil, signedText: text)
    }
}

extension StoreTransaction {
    /// What is being paid for, while there is nothing of it yet but the payment.
    init(_ payment: PaymentRequest) {
        self.init(
            token: .none, state: .purchasing, productID: payment.productID, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, offerID: payment.offer?.id)
    }
}

extension StoreKit.Transaction {
    var offerIdentifier: String? {
        if #available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *) { return offer?.id }
        return offerID
    }

    /// Whether it was bought for an account. A name that is no UUID never went along.
    func belongs(to account: PurchaseAccount) -> Bool {
        appAccountToken != nil && appAccountToken == account.token
    }
}

extension PurchaseAccount {
    /// The token that StoreKit 2 carries; `nil` for a name that is none.
    var token: UUID? {
        switch self {
        case .token(let token): token
        case .username(let name): UUID(uuidString: name)
        }
    }
}

extension PaymentRequest {
    /// What a transaction hands back of its payment, by which an approval is known.
    init(answeredBy transaction: StoreKit.Transaction) {
        self.init(
            productID: transaction.productID, quantity: transaction.purchasedQuantity,
            applicationUsername: transaction.appAccountToken?.uuidString)
    }

    /// The same of a payment that has no transaction yet.
    var recognizable: PaymentRequest {
        PaymentRequest(
            productID: productID, quantity: quantity,
            applicationUsername: applicationUsername.flatMap(UUID.init(uuidString:))?.uuidString)
    }

    /// The options of StoreKit 2.
    /// - Throws: ``StoreError/Code/invalidAccount``, ``StoreError/Code/invalidOfferSignature``, ``StoreError/Code/invalidOfferIdentifier``
    ///   and ``StoreError/Code/unsupported``, before anything is bought.
    func options(for product: Product) throws(StoreError) -> Set<Product.PurchaseOption> {
        var options: Set<Product.PurchaseOption> = [.quantity(quantity)]
        if simulatesAskToBuy { options.insert(.simulatesAskToBuyInSandbox(true)) }
        if let applicationUsername {
            guard let token = UUID(uuidString: applicationUsername) else {
                throw StoreError(.invalidAccount, "StoreKit 2 takes an account only as a UUID, and \"\(applicationUsername)\" is none.")
            }
            options.insert(.appAccountToken(token))
        }
        if let offer { options.formUnion(try offer.options(for: product)) }
        if let introductoryEligibility { options.formUnion(try Product.PurchaseOption.introductory(jws: introductoryEligibility)) }
        return options
    }
}

extension PurchaseOffer {
    fileprivate func options(for product: Product) throws(StoreError) -> [Product.PurchaseOption] {
        switch form {
        case .promotional(let signed):
            guard let signature = Data(base64Encoded: signed.signature) else {
                throw StoreError(.invalidOfferSignature, "The signature of offer \"\(id)\" is not base64.")
            }
            return [
                .promotionalOffer(
                    offerID: id, keyID: signed.keyID, nonce: signed.nonce, signature: signature, timestamp: Int(signed.timestamp))
            ]
        case .signed(let jws): return try Product.PurchaseOption.promotional(id, jws: jws)
        case .winBack:
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
                throw StoreError(.unsupported, "Win-back offers need a later system.")
            }
            guard let offer = product.subscription?.winBackOffers.first(where: { $0.id == id }) else {
                throw StoreError(.invalidOfferIdentifier, "\"\(product.id)\" has no win-back offer \"\(id)\".")
            }
            return [.winBackOffer(offer)]
        }
    }
}
