import AsyncStoreKit

private let coins = DemoProduct.coins
private let pro = DemoProduct.pro
private let monthly = DemoProduct.monthly
private let yearly = DemoProduct.yearly
private let prints = DemoProduct.prints

extension Scene {
    /// Every scene. The expected events are the documented ones; see `Conformance`.
    static let all = purchases + approvals + subscriptions + launches

    static let purchases = [
        Scene(
            "purchase",
            .app(.loadProducts([coins, pro, "unknown"]), .products([coins, pro])),
            .app(.purchase(coins), .purchased(coins)),
            .app(.purchase(pro), .purchased(pro), .access([pro])),
            .app(.countUnfinished, .unfinished(0))),
        Scene(
            "cancel",
            .appStore(.cancelNextPurchase),
            .app(.purchase(pro), .canceled(pro)),
            .app(.countUnfinished, .unfinished(0))),
        Scene(
            "failing requests",
            .appStore(.failProductRequests),
            .app(.loadProducts([pro]), .threw(.networkError))),
        Scene(
            "purchase on another device",
            .appStore(.buyElsewhere(pro), .transaction(pro), .access([pro]))),
        Scene(
            "refund",
            .app(.purchase(pro), .purchased(pro), .access([pro])),
            .appStore(.refund(pro), .revoked([pro]), .access([])),
            .app(.purchase(pro), .purchased(pro), .access([pro]))),
        Scene(
            "restore",
            .app(.purchase(pro), .purchased(pro), .access([pro])),
            .app(.purchase(coins), .purchased(coins)),
            .app(.restore, .restored([pro]))),
        Scene(
            "promoted purchase",
            .appStore(.promote(pro), .intent(pro), .purchased(pro), .access([pro]))),
        Scene(
            "storefront change",
            .appStore(.storefront("DEU"), .storefront("DEU"))),
    ]

    static let approvals = [
        Scene(
            "Ask to Buy, approved",
            .appStore(.askToBuy(true)),
            .app(.purchase(pro), .pending(pro)),
            .appStore(.approve(pro), .transaction(pro), .access([pro]))),
        Scene(
            "Ask to Buy, declined",
            .appStore(.askToBuy(true)),
            .app(.purchase(pro), .pending(pro)),
            .appStore(.decline(pro), storeKit1: [.failure(pro, .approvalDeclined)]),
            .app(.countUnfinished, .unfinished(0))),
        Scene(
            "Ask to Buy, approved in the next launch",
            .appStore(.askToBuy(true)),
            .app(.purchase(coins), .pending(coins)),
            .relaunch(),
            .appStore(.approve(coins), .transaction(coins))),
        Scene(
            "interrupted purchase",
            .appStore(.interruptPurchases(true)),
            .app(.purchase(pro), .pending(pro), storeKit1: [.threw(.purchaseInterrupted)]),
            .appStore(.interruptPurchases(false)),
            .appStore(.resolve(pro), .transaction(pro), .access([pro]))),
    ]

    // Over StoreKit 1, a session ends a period early without a report, so the store doesn't read the receipt before the
    // next report or launch.
    static let subscriptions = [
        Scene(
            "renewal",
            .app(.purchase(monthly), .purchased(monthly), .access([monthly])),
            .appStore(.renew(monthly), .transaction(monthly)),
            .appStore(.renew(monthly), .transaction(monthly))),
        Scene(
            "lapse",
            .app(.purchase(monthly), .purchased(monthly), .access([monthly])),
            .appStore(.turnOffRenewal(monthly)),
            .appStore(.expire(monthly), .access([]), storeKit1: []),
            .relaunch()),
        Scene(
            "grace period",
            .app(.purchase(monthly), .purchased(monthly), .access([monthly])),
            .appStore(.gracePeriod(true)),
            .appStore(.billingRetry(true)),
            .appStore(.renew(monthly)),
            // A receipt doesn't contain the grace period.
            .relaunch(.access([monthly]), storeKit1: []),
            .appStore(.billingRetry(false)),
            .appStore(
                .resolve(monthly), .transaction(monthly), storeKit1: [.transaction(monthly), .access([monthly])])),
        Scene(
            "billing retry",
            .app(.purchase(monthly), .purchased(monthly), .access([monthly])),
            .appStore(.billingRetry(true)),
            .appStore(.renew(monthly), .access([]), storeKit1: []),
            .relaunch(),
            .appStore(.billingRetry(false)),
            .appStore(.resolve(monthly), .transaction(monthly), .access([monthly]))),
        Scene(
            "upgrade",
            .app(.purchase(monthly), .purchased(monthly), .access([monthly])),
            .app(.purchase(yearly), .purchased(yearly), .access([yearly]))),
        Scene(
            "downgrade",
            .app(.purchase(yearly), .purchased(yearly), .access([yearly])),
            .app(.purchase(monthly), .returnedEarlierPurchase(yearly), storeKit1: [.purchased(monthly)]),
            .appStore(.renew(yearly), .transaction(monthly), .access([monthly]))),
        // The products have the same level and the same period, so the change doesn't wait for the renewal.
        Scene(
            "crossgrade",
            .app(.purchase(monthly), .purchased(monthly), .access([monthly])),
            .app(.purchase(prints), .purchased(prints), .access([prints]))),
        Scene(
            "win-back offer",
            .app(.purchase(monthly), .purchased(monthly), .access([monthly])),
            .appStore(.expire(monthly), .access([]), storeKit1: []),
            .app(
                .purchase(monthly, winBackOffer: "return"), .purchased(monthly), .access([monthly]),
                storeKit1: [.threw(.offerUnavailable)])),
        Scene(
            "introductory offer",
            .app(.loadProducts([monthly]), .products([monthly])),
            .app(
                .checkIntroductoryOffer(group: DemoProduct.group), .introductoryOffer(true),
                storeKit1: [.introductoryOffer(nil)]),
            .app(.purchase(monthly), .purchased(monthly), .access([monthly])),
            .app(.checkIntroductoryOffer(group: DemoProduct.group), .introductoryOffer(false))),
        Scene(
            "offer code",
            .appStore(.redeemCode("spring", product: monthly), .transaction(monthly), .access([monthly]))),
    ]

    static let launches = [
        Scene(
            "crash and relaunch",
            .app(.purchaseWithoutDelivery(coins)),
            .relaunch(.transaction(coins)),
            .app(.countUnfinished, .unfinished(0)),
            .relaunch()),
        Scene(
            "relaunch with access",
            .app(.purchase(pro), .purchased(pro), .access([pro])),
            .relaunch(.access([pro]))),
    ]
}
