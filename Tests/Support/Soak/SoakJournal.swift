import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// Records under one lock the events of every call and every delivery key, and compares them with the invariants.
final class SoakJournal: Sendable {
    /// The deliverer of a purchase.
    enum Deliverer: Sendable, Hashable, CustomStringConvertible {
        case closure(call: Int)
        case delivery
        case loop(Int)
        /// A caller without a closure.
        case caller(call: Int)

        var isStore: Bool {
            switch self {
            case .closure, .delivery: true
            case .loop, .caller: false
            }
        }

        var description: String {
            switch self {
            case .closure(let call): "closure of call \(call)"
            case .delivery: "delivery that is installed"
            case .loop(let loop): "loop \(loop)"
            case .caller(let call): "caller \(call)"
            }
        }

        /// The deliverer without its number.
        var kind: String { String(description.prefix { $0 != " " }) }
    }

    /// The events of one delivery key.
    fileprivate struct Key: Sendable {
        var events: [String] = []
        /// The store's deliveries that are running; whether each delivers a row of a restore.
        var storeDeliveries: [(deliverer: Deliverer, isRestored: Bool)] = []
        var appDeliveries: [Deliverer] = []
        /// Whether a closure or the installed delivery was called with the purchase.
        var wasHandedByStore = false
        /// The step in which a loop first received the purchase.
        var offerStep: Int?
        /// Whether the store knows that the purchase was delivered.
        var isConfirmed = false
        /// Whether a loop or a caller released the purchase. Then another one may be delivering it.
        var wasReleased = false
        /// Whether a loop or a caller had the purchase.
        var wasHandedToApp = false
        /// Whether lists lacked the purchase, or another library finished it. Then the store forgets the transaction,
        /// even if a loop has it.
        var wasForgotten = false
    }

    fileprivate struct State: Sendable {
        var isCalm = false
        var usesLateDelivery = false
        var calls: [Int: (what: String, ends: Int)] = [:]
        var waitingCalls = 0
        var loops = 0
        var activeDeliveries = 0
        var keys: [String: Key] = [:]
        /// The delivery keys and transaction identifiers that were delivered or rejected.
        var delivered: Set<String> = []
        /// The transaction identifiers that the store finished.
        var finished: Set<String> = []
        /// The transaction identifiers that were reported to the store.
        var reported: Set<String> = []
        /// The transactions that another library finished.
        var finishedElsewhere: Set<String> = []
        /// The current step of every thread.
        var steps: [ObjectIdentifier: Int] = [:]
        var lastStep = 0
        var violations: [SoakViolation] = []
        var counts: [String: [SoakInvariant: Int]] = [:]
    }

    /// The note of a transaction that the App Store reports again.
    static let reportsAgain = "the App Store reports it again"

    private let state = Monitor(State())

    // Read under the lock, because a copy of the state would make the next change copy its collections.
    var violations: [SoakViolation] { state.update { $0.violations } }
    var isCalm: Bool { state.update { $0.isCalm } }

    /// Begins the calm phase: every later delivery succeeds.
    func beginCalm() { state.update { $0.isCalm = true } }

    /// A delivery that is installed later may receive purchases that a loop has received.
    func expectLateDelivery() { state.update { $0.usesLateDelivery = true } }

    /// Begins another process. Earlier events are ignored.
    func beginProcess() {
        state.update { state in
            state.keys = [:]
            state.finished = []
        }
    }

    func violate(_ invariant: SoakInvariant, _ circumstance: String, _ message: String) {
        state.update { $0.violate(invariant, circumstance, message) }
    }

    /// Begins a step of the calling thread. Within one step, a thread offers a purchase to several loops at the same
    /// time.
    func beginStep() {
        let thread = ObjectIdentifier(Thread.current)
        state.update { state in
            state.lastStep += 1
            state.steps[thread] = state.lastStep
        }
    }
}

// Calls.
extension SoakJournal {
    func beginCall(_ what: String) -> Int {
        state.update { state in
            let call = state.calls.count + 1
            state.calls[call] = (what, 0)
            state.waitingCalls += 1
            return call
        }
    }

    func endCall(_ call: Int) {
        state.update { state in
            state.calls[call]?.ends += 1
            state.waitingCalls -= 1
            guard let known = state.calls[call], known.ends != 1 else { return }
            state.violate(.callsEndOnce, "twice", "call \(call) (\(known.what)) ended \(known.ends) times")
        }
    }

    func newLoop() -> Int {
        state.update { state in
            state.loops += 1
            return state.loops
        }
    }

    /// Grows with every call that ends, every delivery and every transaction that is finished.
    var progress: Int {
        state.update { $0.calls.count - $0.waitingCalls + $0.delivered.count + $0.finished.count }
    }

    /// Waits until no call waits, nothing is being delivered, and the store has finished these transactions.
    func waitUntilQuiet(_ transactions: Set<String>, within seconds: TimeInterval) async throws {
        try await state.wait(for: "the store to be quiet", within: seconds) { state -> Void? in
            guard state.waitingCalls == 0, state.activeDeliveries == 0 else { return nil }
            return transactions.isSubset(of: state.finished) ? () : nil
        }
    }

    /// Records the calls that haven't ended and the transactions that weren't delivered or finished.
    func conclude(_ transactions: Set<String>, in situation: String) {
        state.update { state in
            for (call, record) in state.calls.sorted(by: { $0.key < $1.key }) where record.ends == 0 {
                let message = "call \(call) (\(record.what)) hasn't ended. \(situation)"
                state.violate(.callsEndOnce, "never: \(record.what)", message)
            }
            for id in transactions.sorted() where !state.finished.contains(id) {
                if state.delivered.contains(id) {
                    state.violate(.finished, "not told", "\(id) was delivered and not finished: \(state.story(of: id))")
                } else {
                    state.violate(.offeredAgain, "lost", "\(id) was paid and not delivered: \(state.story(of: id))")
                }
            }
        }
    }

    func isDelivered(_ id: String) -> Bool { state.update { $0.delivered.contains(id) } }
    func story(of id: String) -> String { state.update { $0.story(of: id) } }
}

// Deliveries.
extension SoakJournal {
    /// Records that the store offers a purchase to a loop.
    func offer(_ record: PurchaseRecord, to loop: Int) {
        let thread = ObjectIdentifier(Thread.current)
        let key = record.transaction.deliveryKey
        state.update { state in
            let step = state.steps[thread] ?? 0
            state.note(key, "offered to loop \(loop)\(record.flags)")
            guard !record.isHandledElsewhere else { return }
            let known = state.keys[key, default: Key()]
            if known.isConfirmed, !record.isRestored {
                state.violate(.deliveredOnce, "loop\(known.note)", "\(key) was offered again: \(state.story(of: key))")
            }
            let wasHanded = known.wasHandedByStore || known.offerStep.map { $0 != step } ?? false
            if wasHanded, !record.isRedelivery {
                let circumstance = known.wasHandedByStore ? "loop after closure or delivery" : "loop after loop"
                state.violate(.redeliveryIsTold, circumstance, "\(key) isn't a redelivery: \(state.story(of: key))")
            }
            if known.offerStep == nil { state.keys[key, default: Key()].offerStep = step }
        }
    }

    /// Records that a closure, the installed delivery, a loop or a caller begins to deliver a purchase.
    func begin(_ purchase: StorePurchase, by deliverer: Deliverer) {
        let (transaction, key) = (purchase.transaction, purchase.deliveryKey)
        let record = purchase.record
        state.update { state in
            state.activeDeliveries += 1
            state.note(key, "\(deliverer) begins\(record.flags)")
            guard transaction.id != nil, transaction.state == .purchased || transaction.state == .restored else {
                return state.violate(.deliveredBeforeFinish, "state", "\(deliverer) was handed \(transaction)")
            }
            let known = state.keys[key, default: Key()]
            let isOlder = record.isPreexisting
            if deliverer.isStore {
                if let other = known.storeDeliveries.first {
                    let circumstance = [other.deliverer.kind, deliverer.kind].sorted().joined(separator: " and ")
                    let rows = record.isRestored || other.isRestored ? ", restored" : ""
                    state.violate(
                        .noOverlap, circumstance + rows,
                        "\(key) is delivered by \(other.deliverer) and \(deliverer): \(state.story(of: key))")
                }
                state.checkHandover(record, deliverer, known)
                // A restore also brings purchases of a loop or a caller, because the customer asked for them.
                let isExpected =
                    isOlder || record.isRestored || known.wasReleased || known.wasForgotten
                    || state.usesLateDelivery && deliverer == .delivery
                if let other = known.appDeliveries.first, !isExpected {
                    let rows = record.isRestored ? ", restored" : ""
                    state.violate(
                        .noOverlapWithApp, "\(deliverer.kind) beside \(other.kind)\(rows)",
                        "\(key) is delivered by \(other) and \(deliverer): \(state.story(of: key))")
                }
                state.keys[key, default: Key()].storeDeliveries.append((deliverer, record.isRestored))
                state.keys[key, default: Key()].wasHandedByStore = true
            } else {
                state.keys[key, default: Key()].appDeliveries.append(deliverer)
                state.keys[key, default: Key()].wasHandedToApp = true
            }
        }
    }

    /// Records the end of a delivery. A closure that returned, and a request that was accepted or rejected, are
    /// successes. A closure is confirmed after its call has ended, and a loop or a caller after `finish()` has
    /// returned.
    func end(_ purchase: StorePurchase, by deliverer: Deliverer, succeeded: Bool) {
        let key = purchase.deliveryKey
        state.update { state in
            state.activeDeliveries -= 1
            state.note(key, "\(deliverer) \(succeeded ? "delivered" : "failed")")
            if deliverer.isStore {
                let index = state.keys[key]?.storeDeliveries.firstIndex { $0.deliverer == deliverer }
                if let index { state.keys[key]?.storeDeliveries.remove(at: index) }
            } else {
                let index = state.keys[key]?.appDeliveries.firstIndex(of: deliverer)
                if let index { state.keys[key]?.appDeliveries.remove(at: index) }
            }
            guard succeeded else { return }
            state.delivered.formUnion([key, purchase.transaction.id ?? key])
            if deliverer == .delivery { state.keys[key, default: Key()].isConfirmed = true }
        }
    }

    /// Records that a loop or a caller is about to release a purchase.
    func release(_ purchase: StorePurchase, by deliverer: Deliverer) {
        state.update { state in
            state.note(purchase.deliveryKey, "\(deliverer) releases it")
            state.keys[purchase.deliveryKey, default: Key()].wasReleased = true
        }
    }

    /// Records that the store knows that a purchase was delivered.
    func confirm(_ purchase: StorePurchase) {
        state.update { state in
            state.note(purchase.deliveryKey, "confirmed")
            state.keys[purchase.deliveryKey, default: Key()].isConfirmed = true
        }
    }
}

// Finishing.
extension SoakJournal {
    /// Records that the store is about to finish a transaction.
    func willFinish(_ transaction: StoreTransaction) {
        state.update { state in
            guard transaction.holdsContent else {
                guard transaction.state != .failed else { return }
                return state.violate(.deliveredBeforeFinish, "state", "\(transaction) was finished")
            }
            let (id, key) = (transaction.id ?? "", transaction.deliveryKey)
            state.note(key, "finish")
            guard state.delivered.isDisjoint(with: [id, key]), !state.finishedElsewhere.contains(id) else { return }
            state.violate(
                .deliveredBeforeFinish, "\(transaction.state)",
                "\(id) was finished before it was delivered: \(state.story(of: key))")
        }
    }

    /// Records that the App Store was asked to finish a transaction.
    func didFinish(_ transaction: StoreTransaction) {
        guard let id = transaction.id else { return }
        state.update { state in
            state.note(transaction.deliveryKey, "finished")
            state.finished.insert(id)
        }
    }

    /// Records that lists lacked a transaction.
    func unlist(_ key: String) {
        state.update { state in
            state.note(key, "unlisted")
            state.keys[key, default: Key()].wasForgotten = true
        }
    }

    /// Records that transactions were reported to the store.
    func report(_ ids: [String]) { state.update { $0.reported.formUnion(ids) } }

    /// Records that another library finishes a transaction. Returns `false` if the store doesn't know the transaction
    /// yet: StoreKit 1 doesn't say which payment such a transaction answered, so its call would wait.
    func finishFromAnotherObserver(_ id: String) -> Bool {
        state.update { state in
            guard state.reported.contains(id) else { return false }
            state.note(id, "another library finishes it")
            state.keys[id, default: Key()].wasForgotten = true
            state.finishedElsewhere.insert(id)
            return true
        }
    }

    /// Records an event of the App Store in the story of a key.
    func note(_ id: String, _ event: String) { state.update { $0.note(id, event) } }

    var finishedElsewhere: Set<String> { state.update { $0.finishedElsewhere } }
}

extension SoakJournal.State {
    /// Records a violation, and only the first three with the same circumstance.
    fileprivate mutating func violate(_ invariant: SoakInvariant, _ circumstance: String, _ message: String) {
        counts[circumstance, default: [:]][invariant, default: 0] += 1
        guard counts[circumstance]?[invariant] ?? 0 <= 3 else { return }
        violations.append(SoakViolation(invariant: invariant, circumstance: circumstance, message: message))
    }

    fileprivate mutating func note(_ key: String, _ event: String) {
        keys[key, default: SoakJournal.Key()].events.append(event)
    }

    fileprivate func story(of key: String) -> String {
        (keys[key]?.events ?? ["it has no events"]).joined(separator: "; ")
    }

    /// Checks the flags of a purchase that the store gives to a closure or the installed delivery.
    fileprivate mutating func checkHandover(
        _ record: PurchaseRecord, _ deliverer: SoakJournal.Deliverer, _ known: SoakJournal.Key
    ) {
        let key = record.transaction.deliveryKey
        let isRestored = record.isRestored
        // StoreKit may answer a payment with a transaction that a loop or a caller already has: both deliver it then. A
        // delivery may take over a loop's purchase: if the delivery is installed later, if another loop has released
        // the purchase, or if the App Store reports a purchase again that the store has forgotten.
        let isTakenOver = deliverer == .delivery && (usesLateDelivery || known.wasReleased || known.wasForgotten)
        let isShared = (record.isPreexisting || isTakenOver) && (known.offerStep != nil || known.wasHandedToApp)
        if known.isConfirmed, !isRestored, !isShared {
            let older = record.isPreexisting ? ", earlier payment" : ""
            let message = "\(key) was handed to \(deliverer): \(story(of: key))"
            violate(.deliveredOnce, deliverer.kind + older + known.note, message)
        }
        if known.wasHandedByStore || known.offerStep != nil, !record.isRedelivery {
            let before = known.wasHandedByStore ? "closure or delivery" : "loop"
            let rows = isRestored ? ", restored" : record.isPreexisting ? ", earlier payment" : ""
            violate(
                .redeliveryIsTold, "\(deliverer.kind) after \(before)\(rows)",
                "\(key) isn't a redelivery: \(story(of: key))")
        }
    }
}

extension SoakJournal.Key {
    /// The possible causes of the repetition.
    fileprivate var note: String {
        if events.contains(SoakJournal.reportsAgain) { return ", reported again" }
        return events.contains { $0.contains("row") } ? ", also restored" : ""
    }
}

extension PurchaseRecord {
    /// Whether it's a row of a restore, or a payment that the App Store answered with an earlier purchase as restored.
    fileprivate var isRestored: Bool { cause == .restored || transaction.state == .restored }

    /// The store's flags of the purchase.
    fileprivate var flags: String {
        let flags = [
            isRedelivery ? "redelivery" : nil, isHandledElsewhere ? "delivered" : nil,
            isPreexisting ? "earlier payment" : nil, cause == .restored ? "restored" : nil,
            transaction.state == .restored ? "row" : nil,
        ].compactMap(\.self)
        return flags.isEmpty ? "" : " (\(flags.joined(separator: ", ")))"
    }
}
