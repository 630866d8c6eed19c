import Foundation

// A bundle is a separate subscription. The transactions of its members name the bundle's transaction. Members renew and
// end with their bundle.
extension EngineState {
    /// Returns the bundle of a subscription for renewal information.
    func membership(of subscription: SubscriptionState) -> SimulatedBundleMembership? {
        guard subscription.bundle != nil, var bundle = account.rows[subscription.row].bundle else { return nil }
        bundle.transactionID = nil
        return bundle
    }

    /// Returns the members of a bundle, in order.
    private func members(of key: SubscriptionKey) -> [SubscriptionKey] {
        account.subscriptions.filter { $0.value.bundle == key && $0.value.status != .expired }.keys
            .sorted { $0.isBefore($1) }
    }

    /// Begins the subscriptions of a bundle's members. A member's existing single subscription is revoked.
    mutating func addMembers(of key: SubscriptionKey) {
        guard let subscription = account.subscriptions[key], let bundle = product(subscription.productID)?.bundle else {
            return
        }
        for productID in bundle.productIDs {
            let member = SubscriptionKey(groupID: terms(of: productID).groupID, ownership: key.ownership)
            var previous: UInt64?
            if let known = account.subscriptions[member], known.status != .expired, !account.rows[known.row].isRevoked {
                previous = account.rows[account.rows[known.row].original].number
                revoke(known.row, .upgradedToBundle)
            }
            let row = payMember(productID, member, of: key, previous: previous)
            if let previous, let former = account.row(number: previous) {
                let original = String(account.rows[row].number)
                account.change(former, at: now) { $0.previousOriginalTransactionID = original }
            }
            var state = SubscriptionState(
                productID: productID, renewalProductID: productID, row: row, anchor: now, periodsSinceAnchor: 1,
                timeRate: behavior.timeRate, recentStart: now)
            state.bundle = key
            state.generation = (account.subscriptions[member]?.generation ?? 0) + 1
            account.subscriptions[member] = state
            sendStatus(of: member)
        }
    }

    /// Renews the members of a bundle, and removes the members that leave the bundle.
    mutating func renewMembers(of key: SubscriptionKey) {
        for member in members(of: key) {
            closePeriod(member)
            guard var state = account.subscriptions[member] else { continue }
            if state.willUnbundle {
                removeMember(member)
                continue
            }
            state.row = payMember(state.productID, member, of: key, original: account.rows[state.row].original)
            state.status = .active
            state.expirationReason = nil
            state.gracePeriodExpirationDate = nil
            state.generation += 1
            account.subscriptions[member] = state
            sendStatus(of: member)
        }
    }

    /// Moves the members of a bundle to its billing status.
    mutating func retryMembers(of key: SubscriptionKey) {
        guard let subscription = account.subscriptions[key] else { return }
        for member in members(of: key) {
            account.subscriptions[member]?.status = subscription.status
            account.subscriptions[member]?.expirationReason = subscription.expirationReason
            account.subscriptions[member]?.gracePeriodExpirationDate = subscription.gracePeriodExpirationDate
            sendStatus(of: member)
        }
    }

    /// Ends the subscriptions of a bundle's members.
    mutating func endMembers(of key: SubscriptionKey, reason: SimulatedRenewal.ExpirationReason) {
        let isRevoked = account.subscriptions[key].map { account.rows[$0.row].revocationReason } ?? nil
        for member in members(of: key) {
            closePeriod(member)
            guard let state = account.subscriptions[member] else { continue }
            if state.willUnbundle, isRevoked == nil {
                removeMember(member)
            } else {
                if let isRevoked { revoke(state.row, isRevoked) }
                endSubscription(member, reason: reason)
            }
        }
    }

    /// Removes a member from its bundle when the bundle renews.
    /// - Parameter continues: Whether the member then renews as a single subscription.
    mutating func leaveBundle(_ productID: String, continues: Bool) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        guard account.subscriptions[key]?.bundle != nil else {
            throw SimulatorError(.notSubscribed, "The account has \"\(productID)\" in no bundle.")
        }
        account.subscriptions[key]?.willUnbundle = true
        account.subscriptions[key]?.autoRenews = continues
        sendStatus(of: key)
    }

    /// Continues a member as a single subscription, or ends the member's subscription.
    private mutating func removeMember(_ key: SubscriptionKey) {
        guard let state = account.subscriptions[key] else { return }
        guard state.autoRenews, sells(state.productID) else { return endSubscription(key, reason: .unbundled) }
        let former = account.rows[state.row].original
        let index = makeEntry(for: SimulatedPayment(productID: state.productID), phase: .queued)
        // A single subscription has a new first transaction and no introductory offer.
        account.subscriptions[key] = nil
        account.groupsWithUsedIntroduction.insert(key.groupID)
        beginSubscription(index, terms: terms(of: state.productID), ownership: key.ownership)
        guard let row = queue[index].row else { return }
        let (original, number) = (String(account.rows[former].number), String(account.rows[row].number))
        account.change(row, at: now) { row in
            row.isRenewal = true
            row.previousOriginalTransactionID = original
        }
        account.change(former, at: now) { $0.previousOriginalTransactionID = number }
        report([index])
        announce(row: row)
    }

    /// Pays and announces a period of a member, which has the length of the bundle's period.
    private mutating func payMember(
        _ productID: String, _ member: SubscriptionKey, of key: SubscriptionKey, original: Int? = nil,
        previous: UInt64? = nil
    ) -> Int {
        let index = makeEntry(for: SimulatedPayment(productID: productID), phase: .queued)
        let bundle = account.subscriptions[key].map { account.rows[$0.row] }
        let first = bundle.map { account.rows[$0.original].number }
        let row = pay(index, original: original) { row in
            row.groupID = member.groupID
            row.ownership = member.ownership
            row.price = 0
            row.expirationDate = bundle?.expirationDate
            row.isRenewal = original != nil
            row.billingPlan = .upFront
            row.bundle = bundle.map { bundle in
                SimulatedBundleMembership(
                    productID: bundle.productID, groupID: key.groupID, transactionID: String(bundle.number),
                    originalTransactionID: String(first ?? bundle.number))
            }
            row.previousOriginalTransactionID = previous.map { String($0) }
        }
        report([index])
        announce(row: row)
        return row
    }
}
