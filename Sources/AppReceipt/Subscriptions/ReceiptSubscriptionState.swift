/// Where a subscription, or a group of which a customer can have one, stands at a moment.
public enum ReceiptSubscriptionState: String, Hashable, Sendable, Codable, CaseIterable {
    /// A paid or free period is running.
    case active
    /// The period has ended and the customer could not be charged; Apple asks the app to give access for the time being.
    case inGracePeriod
    /// The period has ended and Apple keeps trying to charge the customer, for up to 60 days; no access.
    case inBillingRetry
    /// Between two periods: one has ended, and the receipt has a later one of the same subscription that begins more than a day after the
    /// moment judged by. Apple's receipts have no field for it; this is what can be seen of it in the rows.
    case paused
    /// The last period has ended.
    case expired
    /// The last period was refunded, or is no longer shared by the family.
    case revoked
    /// The customer has moved on to a higher product of the group, which was not asked about.
    case upgraded
    /// The receipt has no row of the products asked about.
    case neverBought
}
