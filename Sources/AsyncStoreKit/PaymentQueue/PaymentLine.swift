/// The calls that wait to submit their payments, in the order in which they were made.
///
/// A call can reserve a position before its product is loaded. Later calls go first until the product is loaded; then
/// the call has its reserved position. Calls that can't go yet are set aside in their order, by product where it is
/// known, so that the calls behind them are found without scanning the queue each time.
struct PaymentLine: Sendable {
    private enum Place: Sendable {
        case reserved
        indirect case waiting(PaymentStateMachine.Call)
    }

    /// A call that was set aside, numbered in the order of the queue.
    private struct HeldBack: Sendable {
        let id: CallID
        let number: UInt64
    }

    private var places = [CallID: Place]()
    // Abandoned positions stay until they're first, or until there are too many.
    private var order = FirstInFirstOut<CallID>()
    private var heldBack = [String: FirstInFirstOut<HeldBack>]()
    /// Reserved positions that later calls have passed, with their numbers.
    private var passed = [CallID: UInt64]()
    private var lastNumber: UInt64 = 0

    /// The number of waiting calls, including reserved positions.
    var count: Int { places.count }

    /// Reserves a position for a call whose product isn't loaded yet.
    mutating func reserve(_ id: CallID) {
        enter(id, .reserved)
    }

    /// Adds a call.
    mutating func append(_ id: CallID, _ call: PaymentStateMachine.Call) {
        enter(id, .waiting(call))
    }

    private mutating func enter(_ id: CallID, _ place: Place) {
        guard places[id] == nil else { return }
        places[id] = place
        order.append(id)
    }

    /// Fills a reserved position. Returns `false` if the position was given up.
    mutating func fill(_ id: CallID, _ call: PaymentStateMachine.Call) -> Bool {
        guard isReserved(id) else { return false }
        places[id] = .waiting(call)
        if let number = passed.removeValue(forKey: id) {
            // Back to its position: before the calls that were set aside after it.
            heldBack[call.request.productID, default: FirstInFirstOut()]
                .insert(HeldBack(id: id, number: number)) { $0.number > number }
        }
        return true
    }

    /// Whether a call has a reserved position.
    func isReserved(_ id: CallID) -> Bool {
        if case .reserved = places[id] { true } else { false }
    }

    /// Gives up a position. Returns `false` if the call has none.
    mutating func remove(_ id: CallID) -> Bool {
        guard places.removeValue(forKey: id) != nil else { return false }
        passed[id] = nil
        // Abandoned positions must not pile up behind a slow payment. Compacting once half of the queue is abandoned
        // costs each call one step on average.
        let length = order.count + heldBack.values.reduce(0) { $0 + $1.count }
        if length > 2 * places.count + 16 { dropGivenUpPlaces() }
        return true
    }

    private mutating func dropGivenUpPlaces() {
        order.removeAll { places[$0] == nil }
        for product in Array(heldBack.keys) {
            heldBack[product]?.removeAll { places[$0.id] == nil }
            if heldBack[product]?.isEmpty == true { heldBack[product] = nil }
        }
    }

    /// Removes and returns the first call whose product is loaded and not held back.
    mutating func takeFirst(except products: Set<String>) -> (id: CallID, call: PaymentStateMachine.Call)? {
        // Calls that were set aside are older than all calls in the queue.
        if let next = takeFirstHeldBack(except: products) { return next }
        while let id = order.first {
            switch places[id] {
            case .reserved:
                order.removeFirst()
                lastNumber &+= 1
                // The number keeps its position among the calls that are set aside.
                passed[id] = lastNumber
            case .waiting(let call) where products.contains(call.request.productID):
                order.removeFirst()
                lastNumber &+= 1
                heldBack[call.request.productID, default: FirstInFirstOut()].append(
                    HeldBack(id: id, number: lastNumber))
            case .waiting(let call):
                order.removeFirst()
                places[id] = nil
                return (id, call)
            case nil:
                order.removeFirst()
            }
        }
        return nil
    }

    /// Removes and returns all calls for a product, in their order.
    mutating func takeAll(_ product: String) -> [CallID] {
        var taken: [CallID] = []
        var calls = heldBack.removeValue(forKey: product) ?? FirstInFirstOut()
        while let id = calls.removeFirst()?.id {
            if places.removeValue(forKey: id) != nil { taken.append(id) }
        }
        order.removeAll { id in
            guard case .waiting(let call) = places[id], call.request.productID == product else { return false }
            places[id] = nil
            taken.append(id)
            return true
        }
        return taken
    }

    /// Whether a call for a product waits for earlier calls.
    func waits(for product: String) -> Bool {
        places.values.contains { if case .waiting(let call) = $0 { call.request.productID == product } else { false } }
    }

    private mutating func takeFirstHeldBack(except products: Set<String>) -> (
        id: CallID, call: PaymentStateMachine.Call
    )? {
        var first: (product: String, number: UInt64)?
        for product in Array(heldBack.keys) where !products.contains(product) {
            guard let number = firstNumber(of: product) else { continue }
            if first.map({ number < $0.number }) ?? true { first = (product, number) }
        }
        guard let first, let id = heldBack[first.product]?.removeFirst()?.id,
            case .waiting(let call) = places.removeValue(forKey: id)
        else { return nil }
        if heldBack[first.product]?.isEmpty == true { heldBack[first.product] = nil }
        return (id, call)
    }

    /// The number of the first call for a product that was set aside and not given up.
    private mutating func firstNumber(of product: String) -> UInt64? {
        while let first = heldBack[product]?.first {
            if places[first.id] != nil { return first.number }
            heldBack[product]?.removeFirst()
        }
        heldBack[product] = nil
        return nil
    }
}
