import AsyncStoreKit

/// The names of the calls in a script.
struct CallNames {
    private var ids = [String: CallID]()

    /// Returns the call with this name, which is a new call if the name hasn't been used.
    mutating func id(_ name: String) -> CallID {
        if let id = ids[name] { return id }
        let id = CallID()
        ids[name] = id
        return id
    }

    /// Returns the name of a call.
    func name(of id: CallID?) -> String {
        guard let id else { return "none" }
        return ids.first { $0.value == id }?.key ?? "a call without a name"
    }

    /// Returns the names of calls, in their order.
    func names(of calls: some Sequence<CallID>) -> [String] { calls.map { name(of: $0) } }
}
