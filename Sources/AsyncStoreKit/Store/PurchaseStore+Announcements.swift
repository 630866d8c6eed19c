extension PurchaseStore {
    /// What was taken away: by refunds, and because a family no longer shares it.
    ///
    /// Every access is a new subscription. What came before there was any is kept for the first.
    public var revocations: AsyncStream<PurchaseRevocation> {
        core.subscription(to: EventSubscription.revocations) { $0 }
    }

    /// The storefronts to which the account moves from here on; `nil` when it is not known to which.
    ///
    /// Every access is a new subscription. Prices change with it: ask for the products again. Where the account is now tells
    /// ``storefront``.
    public var storefrontChanges: AsyncStream<AppStorefront?> {
        core.subscription(to: EventSubscription.storefronts) { $0 }
    }

    /// Purchases that customers begin in the App Store, whether they have gone on by themselves or were put off.
    ///
    /// Every access is a new subscription. What came before there was any is kept for the first.
    /// Which go on by themselves says ``StorePolicies/promotedPurchase``. watchOS has none.
    public var purchaseIntents: AsyncStream<StorePurchaseIntent> {
        core.subscription(to: EventSubscription.promotions) { [weak core] promotion in
            core.map { StorePurchaseIntent(promotion, core: $0) }
        }
    }

    /// Replaces what the store answers when the payment queue asks. Takes effect at once.
    public func setPolicies(_ policies: StorePolicies) {
        core.configuration.log(StoreLogEvent(.notice, "Other policies take the place of those installed before."))
        core.backend.apply(policies)
    }

    /// Shows the sheet for redeeming an offer code. What is redeemed arrives on ``transactions``.
    ///
    /// Later systems have `offerCodeRedemption` of SwiftUI and StoreKit 2 for it; what they bring arrives in the same way.
    /// - Throws: ``StoreError/Code/unsupportedPlatform`` but on iOS, Mac Catalyst and visionOS, which have the sheet.
    public func presentCodeRedemptionSheet() throws(StoreError) {
        try core.backend.present(.codeRedemption)
    }

    /// Shows a price increase that the policy did not show at once, if there is one.
    /// - Throws: ``StoreError/Code/unsupportedPlatform`` but on iOS, Mac Catalyst and visionOS, which have the sheet.
    public func showPriceConsentIfNeeded() throws(StoreError) {
        try core.backend.present(.priceConsent)
    }
}

extension StoreCore {
    func subscription<Event: Sendable, Element: Sendable>(
        to events: (Subscriber<Event>) -> EventSubscription, _ element: @escaping @Sendable (Event) -> Element?
    ) -> AsyncStream<Element> {
        subscription({ .subscribe($0, events($1)) }, element)
    }
}
