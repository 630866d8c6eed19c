/// A function of StoreKit whose errors a session can simulate.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// The errors of the function.
    associatedtype Failure: SKTestFailure
}

/// Names `Product.products(for:)` for ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.LoadProducts

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// Names `Product.products(for:)`.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

/// Names `Product.purchase(options:)` and ``SKTestSession/buyProduct(identifier:options:)`` for
/// ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.Purchase

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// Names `Product.purchase(options:)` and ``SKTestSession/buyProduct(identifier:options:)``.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

/// Names the verification of transactions for ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitVerificationAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.Verification

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// Names the verification of transactions.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}

/// Names `AppStore.sync()` for ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.AppStoreSync

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// Names `AppStore.sync()`.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

/// Names `Product.SubscriptionInfo.status(for:)` for ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.SubscriptionStatus

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Names `Product.SubscriptionInfo.status(for:)`.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

/// Names `AppTransaction.shared` for ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.AppTransaction

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// Names `AppTransaction.shared`.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

/// Names the sheet in which customers manage subscriptions for ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.ManageSubscriptions

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// Names the sheet in which customers manage subscriptions.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

/// Names the sheet for refund requests for ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.RefundRequest

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// Names the sheet for refund requests.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

/// Names the sheet for offer codes for ``SKTestSession/setSimulatedError(_:forAPI:)``.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI {
    /// The errors of the function.
    public typealias Failure = SKTestFailures.OfferCodeRedeem

    /// Creates the name.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// Names the sheet for offer codes.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}
