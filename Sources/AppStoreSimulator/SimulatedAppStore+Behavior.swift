extension SimulatedAppStore {
    /// How the App Store behaves, all switches at once. What is already pending does not change.
    public var behavior: SimulatorBehavior {
        get { withEngine { $0.behavior } }
        set { mutate { $0.behavior = newValue } }
    }

    /// When events are delivered. Automatic pacing starts with what is pending.
    public var pacing: Pacing {
        get { withEngine { $0.isManual ? .manual : .automatic } }
        set { mutate { $0.isManual = newValue == .manual } }
    }

    /// What is for sale. Another storefront in it is a change of storefront; the behavior in it does not count any more.
    public var catalog: SimulatedCatalog {
        get { withEngine { $0.catalog } }
        set { mutate { $0.setCatalog(newValue) } }
    }

    /// The storefront of the account. A change is reported to the observers, who are also asked whether payments that are being
    /// processed continue; if one of them says no, a payment fails.
    public var storefront: SimulatedStorefront {
        get { withEngine { $0.catalog.storefront } }
        set { mutate { $0.setStorefront(newValue) } }
    }

    /// The locale of prices and texts, such as `en_US`.
    public var localeIdentifier: String {
        get { withEngine { $0.catalog.localeIdentifier } }
        set { mutate { $0.setLocaleIdentifier(newValue) } }
    }

    /// The bundle identifier of the app, which receipts name.
    public var bundleID: String {
        withEngine { $0.bundleID }
    }

    /// What the app did that Apple forbids, in order. It was recorded here, and had no effect.
    public var misuses: [SimulatorMisuse] {
        withEngine { $0.misuses }
    }
}
