import Foundation

// A bundle is a subscription of its own. Its members have transactions that name the bundle's, and renew and end with
// it.
extension EngineState {
    /// The bundle of a subscription, as renewal information names it.
    func membership(of subscription: SubscriptionState) -> SimulatedBundleMembership? {
        guard subscription.bundle != nil, var bundle = account.rows[subscription.row].bundle else { return nil }
        bundle.transactionID = nil
        return bundle
    }

    /// The members of a bundle, in order.
    private func members(of key: SubscriptionKey) -> [SubscriptionKey] {
        account.subscriptions.filter { $0.value.bundle == key && $0.value.status != .expired }.keys
            .sorted { $0.isBefore($1) }
    }

    /// Begins the members' subscriptions with that of a bundle. A member that the account has singly is revoked.
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
                recentStart: now)
            state.bundle = key
            state.generation = (account.subscriptions[member]?.generation ?? 0) + 1
            account.subscriptions[member] = state
            tellStatus(of: member)
        }
    }

    /// Renews the members of a bundle, and lets go of those that leave it.
    mutating func renewMembers(of key: SubscriptionKey) {
        for member in members(of: key) {
            closePeriod(member)
            guard var state = account.subscriptions[member] else { continue }
            if state.willUnbundle {
                leave(member)
                continue
            }
            state.row = payMember(state.productID, member, of: key, original: account.rows[state.row].original)
            state.status = .active
            state.expirationReason = nil
            state.gracePeriodExpirationDate = nil
            state.generation += 1
            account.subscriptions[member] = state
            tellStatus(of: member)
        }
    }

    /// Has the members of a bundle wait for its price, too.
    mutating func retryMembers(of key: SubscriptionKey) {
        guard let subscription = account.subscriptions[key] else { return }
        for member in members(of: key) {
            account.subscriptions[member]?.status = subscription.status
            account.subscriptions[member]?.expirationReason = subscription.expirationReason
            account.subscriptions[member]?.gracePeriodExpirationDate = subscription.gracePeriodExpirationDate
            tellStatus(of: member)
        }
    }

    /// Ends the members' subscriptions with that of a bundle.
    mutating func endMembers(of key: SubscriptionKey, reason: SimulatedRenewal.ExpirationReason) {
        let isRevoked = account.subscriptions[key].map { account.rows[$0.row].revocationReason } ?? nil
        for member in members(of: key) {
            closePeriod(member)
            guard let state = account.subscriptions[member] else { continue }
            if state.willUnbundle, isRevoked == nil {
                leave(member)
            } else {
                if let isRevoked { revoke(state.row, isRevoked) }
                endSubscription(member, reason: reason)
            }
        }
    }

    /// Has a member leave its bundle when the bundle renews.
    /// - Parameter continues: Whether the member renews singly then.
    mutating func leaveBundle(_ productID: String, continues: Bool) throws(SimulatorError) {
        let key = try activeSubscription(productID)
        guard account.subscriptions[key]?.bundle != nil else {
            throw SimulatorError(.notSubscribed, "The account has “\(productID)” in no bundle.")
        }
        account.subscriptions[key]?.willUnbundle = true
        account.subscriptions[key]?.autoRenews = continues
        tellStatus(of: key)
    }

    /// Continues a member singly, or ends it.
    private mutating func leave(_ key: SubscriptionKey) {
        guard let state = account.subscriptions[key] else { return }
        guard state.autoRenews, sells(state.productID) else { return endSubscription(key, reason: .unbundled) }
        let former = account.rows[state.row].original
        let index = makeEntry(for: SimulatedPayment(productID: state.productID))
        queue.update(index) { $0.phase = .queued }
        // A single subscription is another one: it has a first transaction of its own, and no introductory offer.
        account.subscriptions[key] = nil
        account.groupsWithUsedIntroduction.insert(key.groupID)
        beginSubscription(index, terms: terms(of: state.productID), ownership: key.ownership)
        guard let row = queue.entries[index].row else { return }
        let (original, number) = (String(account.rows[former].number), String(account.rows[row].number))
        account.change(row, at: now) { row in
            row.isRenewal = true
            row.previousOriginalTransactionID = original
        }
        account.change(former, at: now) { $0.previousOriginalTransactionID = number }
        report([index])
        announce(row: row)
    }

    /// Pays a period of a member, which lasts as long as that of the bundle, and announces it.
    private mutating func payMember(
        _ productID: String, _ member: SubscriptionKey, of key: SubscriptionKey, original: Int? = nil,
        previous: UInt64? = nil
    ) -> Int {
        let index = makeEntry(for: SimulatedPayment(productID: productID))
        queue.update(index) { $0.phase = .queued }
        let bundle = account.subscriptions[key].map { account.rows[$0.row] }
        let first = bundle.map { account.rows[$0.original].number }
        let row = pay(index, original: original) { row in
            row.group = member.groupID
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
