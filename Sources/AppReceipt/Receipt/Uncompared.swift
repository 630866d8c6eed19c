/// A value that takes no part in its owner's equality, because only one kind of receipt can carry it.
struct Uncompared<Value: Sendable & Codable>: Hashable, Sendable, Codable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        value = try Value(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }

    static func == (lhs: Uncompared, rhs: Uncompared) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
