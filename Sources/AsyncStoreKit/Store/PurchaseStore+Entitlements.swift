extension PurchaseStore {
    /// What the customer may use: now, and each time that it changes.
    ///
    /// ```swift
    /// for await entitlements in store.entitlements { show(entitlements.contains(anyOf: ["pro"])) }
    /// ```
    /// Nothing is taken away without evidence: an empty, failed or flickering read of the device ends no entitlement. What has just been
    /// bought counts at once.
    public var entitlements: EntitlementSequence { EntitlementSequence(keeper: core.entitlements) }
}
