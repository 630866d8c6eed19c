import Foundation

extension EngineState {
    /// Returns the rows of a StoreKit 2 list, newest first.
    func rows(_ listing: SimulatedListing, of productID: String? = nil) -> [Int] {
        let rows =
            switch listing {
            case .all:
                productID.map { account.rowsByProduct[$0] ?? [] }.map { Array($0.reversed()) }
                    ?? account.presentRows.reversed()
            case .unfinished: unfinishedRows
            case .currentEntitlements: entitledRows.sorted(by: >)
            }
        return rows.filter { row in
            (productID == nil || account.rows[row].productID == productID) && (listing == .unfinished || isListed(row))
        }
    }

    func latestRow(of productID: String) -> Int? {
        guard let rows = account.rowsByProduct[productID], let newest = rows.last else { return nil }
        if account.rows[newest].kind == .consumable, !behavior.historyListsFinishedConsumables,
            !account.unfinished.contains(where: { account.rows[$0].productID == productID })
        {
            return nil
        }
        return rows.last { isListed($0) }
    }

    /// The unfinished rows, newest first.
    var unfinishedRows: [Int] {
        account.unfinished.filter { row in
            queue.index(of: account.rows[row].id).map { queue[$0].hiddenInLaunch != device.launch.number }
                ?? true
        }.sorted(by: >)
    }

    private func isListed(_ row: Int) -> Bool {
        let history = account.rows[row]
        return history.listedFrom <= now
            && (history.kind != .consumable || !history.isFinished || behavior.historyListsFinishedConsumables)
    }

    private var entitledRows: Set<Int> {
        guard !behavior.entitlementsAreEmpty else { return [] }
        var rows = Set(account.ownedNonConsumables.values)
        for (product, row) in account.sharedNonConsumables where account.ownedNonConsumables[product] == nil {
            rows.insert(row)
        }
        rows.formUnion(account.nonRenewing.filter { !account.rows[$0].isRevoked })
        for subscription in account.subscriptions.values where isEntitled(subscription) {
            rows.insert(subscription.row)
        }
        if behavior.entitlementsListUpgraded {
            rows.formUnion(
                account.upgraded.filter { row in
                    !account.rows[row].isRevoked && (account.rows[row].expirationDate ?? .distantPast) > now
                })
        }
        return rows
    }

    private func isEntitled(_ subscription: SubscriptionState) -> Bool {
        switch state(of: subscription) {
        case .subscribed, .inGracePeriod: true
        case .inBillingRetry: behavior.entitlementsListBillingRetry
        case .expired, .revoked: false
        }
    }
}

// Faults of lists.
extension EngineState {
    /// Returns a list with its fault, and the number of events to deliver before the list.
    mutating func read(
        _ listing: SimulatedListing, of productID: String?
    ) -> (transactions: [SimulatedSignedTransaction], delay: Int) {
        switch takeFault(of: listing) {
        case .none:
            let own = rows(listing, of: productID).map { signed($0) }
            return (listing == .all ? own + anotherAccountsTransactions(of: productID) : own, 0)
        case .empty: return ([], 0)
        case .stale(let changes): return (formerTransactions(listing, of: productID, changes: changes), 0)
        case .partial:
            var rows = rows(listing, of: productID)
            let present = rows.filter { _ in Bool.random(using: &listingGenerator) }
            if present.count < rows.count {
                rows = present
            } else if !rows.isEmpty {
                rows.remove(at: Int.random(in: rows.indices, using: &listingGenerator))
            }
            return (rows.map { signed($0) }, 0)
        case .late(let events): return (rows(listing, of: productID).map { signed($0) }, events)
        }
    }

    private mutating func takeFault(of listing: SimulatedListing) -> SimulatedListingFault {
        if let fault = scriptedListings[listing]?.takeFirst() { return fault }
        let fault =
            switch listing {
            case .all: behavior.historyListing
            case .unfinished: behavior.unfinishedListing
            case .currentEntitlements: behavior.entitlementsListing
            }
        guard fault != .none else { return .none }
        return Int.random(in: 0..<100, using: &listingGenerator) < behavior.listingFaultPercentage ? fault : .none
    }

    /// Returns a list as it was before a number of changes, newest first.
    private mutating func formerTransactions(
        _ listing: SimulatedListing, of productID: String?, changes: Int
    ) -> [SimulatedSignedTransaction] {
        let total = account.log.dates.count
        let count = changes >= total ? 0 : total - max(0, changes)
        let rows =
            switch listing {
            case .all: Array(account.log.paid(after: count).reversed())
            case .unfinished: Array(account.log.unfinished(after: count).reversed())
            case .currentEntitlements: account.log.entitled(after: count)
            }
        let date = count == 0 ? Date.startOfSimulation : account.log.dates[count - 1]
        return rows.filter { productID == nil || account.rows[$0].productID == productID }.map { row in
            let present = account.rows[row]
            account.rows[row] = account.log.row(row, after: count) ?? present
            defer { account.rows[row] = present }
            return signed(row, at: date)
        }
    }

    /// Records the rows that entitle the customer, if they may have changed.
    mutating func recordEntitlements() {
        if account.log.lacksEntitlements { account.log.recordEntitlements(entitledRows) }
    }

    /// Counts a delivered event, and returns the late lists that are due.
    mutating func takeDueListings() -> [LateListing] {
        guard !device.lateListings.isEmpty else { return [] }
        for index in device.lateListings.indices { device.lateListings[index].events -= 1 }
        defer { device.lateListings.removeAll { $0.events <= 0 } }
        return device.lateListings.filter { $0.events <= 0 }
    }
}

// Signatures.
extension EngineState {
    mutating func signed(_ row: Int) -> SimulatedSignedTransaction {
        signed(row, at: now)
    }

    private mutating func signed(_ row: Int, at date: Date) -> SimulatedSignedTransaction {
        let record = record(ofRow: row)
        let history = account.rows[row]
        let key = SignedTextKey(
            number: history.number, revision: UInt64(history.revision), date: max(date, history.signedFrom),
            isVerified: history.isVerified)
        let text = signedText(key, .transaction(record))
        return SimulatedSignedTransaction(
            record: record, number: history.number, originalNumber: account.rows[history.original].number, text: text)
    }

    mutating func signedAppTransaction() -> SimulatedSignedAppTransaction {
        let transaction = appTransaction
        let key = SignedTextKey(number: 0, revision: appTransactionRevision, date: now)
        return SimulatedSignedAppTransaction(
            transaction: transaction, text: signedText(key, .appTransaction(transaction)))
    }

    /// Returns a signed text. Texts are cached, so that each text is signed at most once.
    ///
    /// - Parameters:
    ///   - key: The key of the text in the cache.
    ///   - subject: The subject of the text.
    ///   - appTransactionID: The app transaction that the text names; `nil` for that of the account.
    mutating func signedText(
        _ key: SignedTextKey, _ subject: SimulatedSignedText.Subject, appTransactionID: String? = nil
    ) -> SimulatedSignedText {
        var key = key
        (key.environment, key.namesAppTransaction) = (behavior.environment, !behavior.textsLackAppTransactionID)
        key.isVerified = key.isVerified && !behavior.transactionsAreUnverified
        key.signs = behavior.signsReceipts
        if let known = device.signedTexts[key] { return known }
        let text = SimulatedSignedText(
            subject,
            SigningContext(
                bundleID: bundleID, appTransactionID: appTransactionID ?? self.appTransactionID,
                namesAppTransaction: key.namesAppTransaction, environment: key.environment.rawValue,
                deviceID: device.id,
                nonce: key.nonce, signedDate: key.date, isVerified: key.isVerified, signs: key.signs))
        // The lists of the present date may be read again.
        if device.signedTexts.count >= 20_000 {
            device.signedTexts = device.signedTexts.filter { $0.key.date >= now }
        }
        device.signedTexts[key] = text
        return text
    }
}

struct SignedTextKey: Hashable {
    /// The subject, apart from the number and the revision. Renewal information is stored out of line, because most
    /// texts are about transactions.
    enum Subject: Hashable {
        case record
        indirect case renewal(SimulatedRenewal)
    }

    let number: UInt64
    let revision: UInt64
    /// The renewal information, which has no number.
    var subject = Subject.record
    let date: Date
    var isVerified = true
    var signs = true
    var environment = SimulatorBehavior.Environment.sandbox
    var namesAppTransaction = true

    /// A salt that is a function of the key.
    var nonce: UUID {
        var generator = SeededGenerator(
            seed: number ^ (subject == .record ? 0 : 0x9E37) ^ date.timeIntervalSince1970.bitPattern &+ revision)
        return UUID(&generator)
    }
}

extension UUID {
    /// Creates a random UUID, version 4.
    init(_ generator: inout SeededGenerator) {
        let words = [generator.next(), generator.next()]
        var bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
