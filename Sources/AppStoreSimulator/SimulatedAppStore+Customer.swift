import Foundation

extension SimulatedAppStore {
    /// Creates the App Store of a customer in a named state.
    ///
    /// The App Store's clock is advanced to the state, and past transactions are finished. Then use the App Store like
    /// any other: advance its clock and use its controls.
    ///
    /// ``Customer/commitment(month:)`` moves the customer to the storefront of Germany if the catalog's storefront
    /// doesn't have the monthly plan.
    /// - Parameters:
    ///   - customer: The state of the customer.
    ///   - productID: The identifier of the product.
    ///   - catalog: The catalog of the App Store.
    /// - Throws: ``SimulatorError/Code/unknownProduct``, and ``SimulatorError/Code/unsuitableProduct`` for a product
    ///   that can't be in the state.
    public convenience init(_ customer: Customer, of productID: String, in catalog: SimulatedCatalog)
        throws(SimulatorError)
    {
        guard let product = catalog.products.first(where: { $0.productID == productID }) else {
            throw SimulatorError(.unknownProduct, "The catalog has no product \"\(productID)\".")
        }
        self.init(catalog: catalog, pacing: .manual)
        try checkInputs()
        // The app has delivered and finished all past purchases.
        let launch = launch()
        let listener = launch.listen(to: .transactions) { update in
            if case .transaction(let transaction) = update { launch.finish(transaction: transaction.number) }
        }
        defer { launch.stopListening(listener) }
        try CustomerScene(appStore: self, launch: launch, catalog: catalog, product: product, customer: customer).play()
        pacing = .automatic
    }
}

/// Performs the past events that lead to a customer's state.
private struct CustomerScene {
    let appStore: SimulatedAppStore
    let launch: SimulatedLaunch
    let catalog: SimulatedCatalog
    let product: SimulatedProduct
    let customer: Customer

    private static let hour: TimeInterval = 3_600
    private var id: String { product.productID }

    func play() throws(SimulatorError) {
        switch customer {
        case .new: break
        case .otherAccount: appStore.behavior.historyListsAnotherAccount = true
        case .pendingApproval: askForApproval()
        case .active: try own()
        case .offline:
            try own()
            appStore.behavior.isOffline = true
        case .unknown:
            try own()
            appStore.behavior.entitlementsListing = .empty
            appStore.behavior.historyListing = .empty
            appStore.behavior.statusError = .unknown
        case .refunded:
            try own()
            if product.subscription != nil { try appStore.disableAutoRenew(of: id) }
            try appStore.refund(id)
        case .familyMember, .familyEnded: try share()
        case .trial, .trialEndsToday: try tryOut()
        case .canceled, .gracePeriod, .billingRetry, .expired, .winBack, .priceIncrease: try subscribe()
        case .upgraded, .downgradePending: try change()
        case .commitment(let month): try commit(month)
        }
        appStore.runUntilIdle()
    }

    // MARK: States

    private func askForApproval() {
        appStore.behavior.askToBuyEnabled = true
        launch.add(SimulatedPayment(productID: id))
    }

    private func share() throws(SimulatorError) {
        guard product.isFamilyShareable else { throw unsuitable("a product that families share") }
        try appStore.shareInFamily(id)
        advance(by: 24 * Self.hour)
        if customer == .familyEnded { try appStore.revokeFamilySharing(of: id) }
    }

    private func tryOut() throws(SimulatorError) {
        guard product.subscription?.introductoryOffer?.paymentMode == .freeTrial else {
            throw unsuitable("a subscription with a free trial")
        }
        try buy(id)
        guard customer == .trialEndsToday, let end else { return advance(by: 24 * Self.hour) }
        appStore.advance(to: max(appStore.now, end - 6 * Self.hour))
    }

    private func subscribe() throws(SimulatorError) {
        guard let terms = product.subscription else { throw unsuitable("an auto-renewable subscription") }
        if customer == .winBack, terms.winBackOffers.isEmpty {
            throw unsuitable("a subscription with a win-back offer")
        }
        try own()
        switch customer {
        case .canceled: try appStore.disableAutoRenew(of: id)
        case .priceIncrease: try appStore.raisePrice(of: id, to: product.price + 1)
        case .gracePeriod, .billingRetry:
            appStore.behavior.billingGracePeriodIsEnabled = customer == .gracePeriod
            appStore.behavior.shouldEnterBillingRetryOnRenewal = true
            advancePastEnd(by: Self.hour)
        default:
            try appStore.disableAutoRenew(of: id)
            advancePastEnd(by: (customer == .winBack ? 30 : 1) * 24 * Self.hour)
        }
    }

    private func change() throws(SimulatorError) {
        let isUpgrade = customer == .upgraded
        guard let terms = product.subscription else { throw unsuitable("an auto-renewable subscription") }
        let other = catalog.products.first { candidate in
            guard let others = candidate.subscription, others.groupID == terms.groupID else { return false }
            return isUpgrade ? others.groupLevel < terms.groupLevel : others.groupLevel > terms.groupLevel
        }
        guard let other else {
            throw unsuitable("a group with a subscription of a \(isUpgrade ? "higher" : "lower") level")
        }
        try own()
        try buy(other.productID)
    }

    private func commit(_ month: Int) throws(SimulatorError) {
        guard product.subscription?.monthlyPlan != nil else {
            throw unsuitable("a yearly subscription with a monthly plan")
        }
        guard (1...12).contains(month) else {
            throw SimulatorError(.unsuitableProduct, "A commitment has months 1 to 12, and no month \(month).")
        }
        if product.subscription?.monthlyPlan(in: catalog.storefront) == nil {
            appStore.storefront = SimulatedStorefront(countryCode: "DEU") ?? appStore.storefront
        }
        try appStore.buyProduct(productID: id, plan: .monthly)
        appStore.runUntilIdle()
        for _ in 1..<month { advancePastEnd(by: Self.hour) }
        advance(by: 24 * Self.hour)
    }

    // MARK: Events

    /// Buys the product and advances the clock past the introductory offer.
    private func own() throws(SimulatorError) {
        guard product.kind != .consumable else { throw unsuitable("a product that customers own") }
        try buy(id)
        while latest?.offer != nil { advancePastEnd(by: Self.hour) }
        advance(by: 24 * Self.hour)
    }

    private func buy(_ productID: String) throws(SimulatorError) {
        try appStore.buyProduct(productID: productID)
        appStore.runUntilIdle()
    }

    private func advance(by seconds: TimeInterval) {
        appStore.advance(by: seconds)
        appStore.runUntilIdle()
    }

    private func advancePastEnd(by seconds: TimeInterval) {
        guard let end else { return }
        appStore.advance(to: max(appStore.now, end))
        advance(by: seconds)
    }

    private var latest: SimulatedHistoryRecord? {
        appStore.allTransactions().last { $0.productID == id && $0.state == .purchased }
    }
    private var end: Date? { latest?.expirationDate }

    private func unsuitable(_ what: String) -> SimulatorError {
        SimulatorError(.unsuitableProduct, "Customer \(customer) needs \(what). \"\(id)\" doesn't qualify.")
    }
}
