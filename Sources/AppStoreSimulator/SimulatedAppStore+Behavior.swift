extension SimulatedAppStore {
    /// The behavior of the App Store. Changes don't affect pending events.
    public var behavior: SimulatorBehavior {
        get { read { $0.behavior } }
        set { mutate { $0.behavior = newValue } }
    }

    /// When events are delivered. Switching to automatic pacing delivers the pending events.
    public var pacing: Pacing {
        get { read { $0.isManual ? .manual : .automatic } }
        set { mutate { $0.isManual = newValue == .manual } }
    }

    /// The catalog. Setting a catalog with another storefront changes the storefront. The catalog's behavior applies
    /// only to a new App Store.
    public var catalog: SimulatedCatalog {
        get { read { $0.catalog } }
        set { mutate { $0.setCatalog(newValue) } }
    }

    /// The storefront of the account. A change is reported to the observers, which also decide whether payments that
    /// are being processed continue. A payment fails if one of them refuses.
    public var storefront: SimulatedStorefront {
        get { read { $0.catalog.storefront } }
        set { mutate { $0.setStorefront(newValue) } }
    }

    /// The locale of prices and texts, such as `en_US`.
    public var localeIdentifier: String {
        get { read { $0.catalog.localeIdentifier } }
        set { mutate { $0.setLocaleIdentifier(newValue) } }
    }

    /// The bundle identifier of the app in receipts.
    public var bundleID: String {
        read { $0.bundleID }
    }

    /// The app's calls that Apple forbids, in order. The App Store recorded and ignored these calls.
    public var misuses: [SimulatorMisuse] {
        read { $0.misuses }
    }
}
