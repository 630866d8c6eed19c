import AsyncStoreKit

/// A call of the app.
enum SceneCall: Sendable, Hashable {
    case loadProducts([String])
    /// Purchases with a closure that delivers, so that the transaction is finished.
    case purchase(String, winBackOffer: String? = nil)
    /// Purchases, and ends before the purchase is delivered.
    case purchaseWithoutDelivery(String)
    case restore
    case checkIntroductoryOffer(group: String)
    case countUnfinished
}

/// An event in the App Store, named after the controls of StoreKit Test.
enum SceneControl: Sendable, Hashable {
    case askToBuy(Bool)
    case interruptPurchases(Bool)
    case gracePeriod(Bool)
    case billingRetry(Bool)
    /// The next purchase ends as if the customer closed the sheet.
    case cancelNextPurchase
    /// Requests for products fail without a network.
    case failProductRequests
    case approve(String)
    case decline(String)
    case resolve(String)
    case refund(String)
    case renew(String)
    case turnOffRenewal(String)
    case expire(String)
    case buyElsewhere(String)
    /// Redeems the offer code that has a reference name.
    case redeemCode(String, product: String)
    case promote(String)
    case storefront(String)
}

/// One event of a scene, and the events that the store reports because of it.
struct SceneStep: Sendable {
    enum Action: Sendable, Hashable {
        case call(SceneCall)
        case control(SceneControl)
        /// The app ends without a warning, and is launched again.
        case relaunch
    }

    let action: Action
    /// The documented events over StoreKit 2.
    let expected: [SceneEvent]
    /// The documented events over StoreKit 1.
    let expectedOverStoreKit1: [SceneEvent]

    static func app(_ call: SceneCall, _ expected: SceneEvent..., storeKit1: [SceneEvent]? = nil) -> SceneStep {
        SceneStep(action: .call(call), expected: expected, expectedOverStoreKit1: storeKit1 ?? expected)
    }

    static func appStore(
        _ control: SceneControl, _ expected: SceneEvent..., storeKit1: [SceneEvent]? = nil
    ) -> SceneStep {
        SceneStep(action: .control(control), expected: expected, expectedOverStoreKit1: storeKit1 ?? expected)
    }

    static func relaunch(_ expected: SceneEvent..., storeKit1: [SceneEvent]? = nil) -> SceneStep {
        SceneStep(action: .relaunch, expected: expected, expectedOverStoreKit1: storeKit1 ?? expected)
    }

    func expected(over engine: StoreEngine) -> [SceneEvent] {
        engine == .storeKit1 ? expectedOverStoreKit1 : expected
    }
}

extension SceneStep: CustomStringConvertible {
    var description: String {
        switch action {
        case .call(let call): "The app: \(call)"
        case .control(let control): "The App Store: \(control)"
        case .relaunch: "The app is launched again"
        }
    }
}

extension SceneCall: CustomStringConvertible {
    var description: String {
        switch self {
        case .loadProducts(let ids): "loads \(ids.joined(separator: ", "))"
        case .purchase(let id, let offer):
            "purchases and delivers \(id)" + (offer.map { " with the win-back offer \($0)" } ?? "")
        case .purchaseWithoutDelivery(let id): "purchases \(id), and ends before the delivery"
        case .restore: "restores"
        case .checkIntroductoryOffer(let group): "asks for the introductory offer of \(group)"
        case .countUnfinished: "asks for unfinished transactions"
        }
    }
}

extension SceneControl: CustomStringConvertible {
    var description: String {
        switch self {
        case .askToBuy(let isOn): "Ask to Buy is \(isOn ? "on" : "off")"
        case .interruptPurchases(let isOn): "purchases are \(isOn ? "" : "no longer ")interrupted"
        case .gracePeriod(let isOn): "the grace period is \(isOn ? "on" : "off")"
        case .billingRetry(let isOn): "renewals \(isOn ? "fail" : "succeed")"
        case .cancelNextPurchase: "the customer will close the sheet"
        case .failProductRequests: "requests for products fail"
        case .approve(let id): "\(id) is approved"
        case .decline(let id): "\(id) is declined"
        case .resolve(let id): "the problem with \(id) is resolved"
        case .refund(let id): "\(id) is refunded"
        case .renew(let id): "the period of \(id) ends"
        case .turnOffRenewal(let id): "the renewal of \(id) is turned off"
        case .expire(let id): "\(id) expires"
        case .buyElsewhere(let id): "\(id) is bought on another device"
        case .redeemCode(let code, let id): "the code \(code) for \(id) is redeemed"
        case .promote(let id): "the customer begins to buy \(id) in the App Store"
        case .storefront(let code): "the storefront is \(code)"
        }
    }
}
