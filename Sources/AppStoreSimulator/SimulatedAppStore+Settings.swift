extension SimulatedAppStore {
    /// The switches: what Apple leaves open, and what has been seen to go wrong. What is already pending does not change.
    public var behavior: SimulatorBehavior {
        get { withEngine { $0.behavior } }
        set { mutate { $0.behavior = newValue } }
    }

    /// Whether payments wait for an approval, as a child's do.
    public var askToBuyEnabled: Bool {
        get { withEngine { $0.controls.askToBuyEnabled } }
        set { mutate { $0.controls.askToBuyEnabled = newValue } }
    }

    /// Whether payments fail because the customer has to settle something first, and are paid when
    /// ``resolveIssueForTransaction(identifier:)`` says so.
    public var interruptedPurchasesEnabled: Bool {
        get { withEngine { $0.controls.interruptedPurchasesEnabled } }
        set { mutate { $0.controls.interruptedPurchasesEnabled = newValue } }
    }

    /// Whether payments fail, with ``failureError``.
    public var failTransactionsEnabled: Bool {
        get { withEngine { $0.controls.failTransactionsEnabled } }
        set { mutate { $0.controls.failTransactionsEnabled = newValue } }
    }

    /// The error with which payments fail while ``failTransactionsEnabled`` is set; at first ``SimulatedError/unknown``.
    public var failureError: SimulatedError {
        get { withEngine { $0.controls.failureError } }
        set { mutate { $0.controls.failureError = newValue } }
    }

    /// Whether a subscription whose renewal was not paid goes on for a while.
    public var billingGracePeriodIsEnabled: Bool {
        get { withEngine { $0.controls.billingGracePeriodIsEnabled } }
        set { mutate { $0.controls.billingGracePeriodIsEnabled = newValue } }
    }

    /// Whether the App Store cannot collect the price of renewals, and keeps trying.
    public var shouldEnterBillingRetryOnRenewal: Bool {
        get { withEngine { $0.controls.shouldEnterBillingRetryOnRenewal } }
        set { mutate { $0.controls.shouldEnterBillingRetryOnRenewal = newValue } }
    }

    /// How fast subscriptions run against the clock. Periods that have begun keep their end.
    public var timeRate: TimeRate {
        get { withEngine { $0.controls.timeRate } }
        set { mutate { $0.controls.timeRate = newValue } }
    }

    /// Whether the device may pay. Payments fail with ``SimulatedError/paymentNotAllowed`` if not.
    public var canMakePayments: Bool {
        get { withEngine { $0.controls.canMakePayments } }
        set { mutate { $0.controls.canMakePayments = newValue } }
    }

    /// What is for sale. Another storefront in it is a change of storefront.
    public var catalog: Catalog {
        get { withEngine { $0.catalog } }
        set { mutate { $0.setCatalog(newValue) } }
    }

    /// The storefront of the account. Moving it tells the observers, and asks them whether payments that are being processed go on;
    /// one no is enough for one to fail.
    public var storefront: SimulatedStorefront {
        get { withEngine { $0.catalog.storefront } }
        set { mutate { $0.setStorefront(newValue) } }
    }

    /// The locale in which prices and texts are given, such as `en_US`.
    public var localeIdentifier: String {
        get { withEngine { $0.catalog.localeIdentifier } }
        set { mutate { $0.setLocaleIdentifier(newValue) } }
    }

    /// What the app did that Apple forbids, in order. It was recorded here, and had no effect.
    public var misuses: [SimulatorMisuse] {
        withEngine { $0.misuses }
    }
}

extension SimulatedAppStore {
    /// Sets the store's switches as a configuration file has them.
    ///
    /// The error "Load Products", if the file switches it on, makes product requests fail as if the device were offline.
    public func apply(_ settings: SimulatorSettings) {
        askToBuyEnabled = settings.askToBuyEnabled
        interruptedPurchasesEnabled = settings.interruptedPurchasesEnabled
        failTransactionsEnabled = settings.failTransactionsEnabled
        billingGracePeriodIsEnabled = settings.billingGracePeriodIsEnabled
        shouldEnterBillingRetryOnRenewal = settings.shouldEnterBillingRetryOnRenewal
        timeRate = settings.timeRate ?? timeRate
        if settings.enabledErrors.contains("Load Products") {
            behavior.productRequestError = .notConnectedToInternet
        }
    }
}
