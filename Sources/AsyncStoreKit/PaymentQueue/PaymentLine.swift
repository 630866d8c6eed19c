/// The calls that wait to submit their payments, in the order in which they were made.
///
/// A call can reserve a position before its product is loaded. Later calls go first until the product is loaded. A
/// customer makes few calls at a time, so every question reads the whole list.
struct PaymentLine: Sendable {
    private enum Place: Sendable {
        case reserved
        // Indirect, so that a removal moves few bytes.
        indirect case waiting(PaymentStateMachine.Call)

        var productID: String? { if case .waiting(let call) = self { call.request.productID } else { nil } }
    }

    private var places: [(id: CallID, place: Place)] = []

    /// The number of waiting calls, including reserved positions.
    var count: Int { places.count }

    /// Reserves a position for a call whose product isn't loaded yet.
    mutating func reserve(_ id: CallID) {
        if index(of: id) == nil { places.append((id, .reserved)) }
    }

    /// Adds a call.
    mutating func append(_ id: CallID, _ call: PaymentStateMachine.Call) {
        places.append((id, .waiting(call)))
    }

    /// Fills a reserved position. Returns `false` if the position was given up.
    mutating func fill(_ id: CallID, _ call: PaymentStateMachine.Call) -> Bool {
        guard let index = index(of: id), case .reserved = places[index].place else { return false }
        places[index].place = .waiting(call)
        return true
    }

    /// Whether a call has a reserved position.
    func isReserved(_ id: CallID) -> Bool {
        if let index = index(of: id), case .reserved = places[index].place { true } else { false }
    }

    /// Gives up a position. Returns `false` if the call has none.
    mutating func remove(_ id: CallID) -> Bool {
        guard let index = index(of: id) else { return false }
        places.remove(at: index)
        return true
    }

    /// Removes and returns the first call whose product is loaded and not held back.
    mutating func takeFirst(except products: Set<String>) -> (id: CallID, call: PaymentStateMachine.Call)? {
        guard let index = places.firstIndex(where: { $0.place.productID.map { !products.contains($0) } ?? false }),
            case (let id, .waiting(let call)) = places.remove(at: index)
        else { return nil }
        return (id, call)
    }

    /// Removes and returns all calls for a product, in their order.
    mutating func takeAll(_ product: String) -> [CallID] {
        defer { places.removeAll { $0.place.productID == product } }
        return places.filter { $0.place.productID == product }.map(\.id)
    }

    /// Whether a call for a product waits for earlier calls.
    func waits(for product: String) -> Bool {
        places.contains { $0.place.productID == product }
    }

    private func index(of id: CallID) -> Int? {
        places.firstIndex { $0.id == id }
    }
}
