/// A level of access, such as "Pro": the products and the subscription groups that give it.
///
/// Declare each level once, and ask for it everywhere:
/// ```swift
/// extension AccessLevel {
///     static let pro = AccessLevel("pro", products: ["com.example.lifetime"], groups: ["21000001"])
/// }
///
/// if store.entitlements.latest.contains(.pro) { unlock() }
/// ```
/// A level needs no name where it's used once: `contains(AccessLevel(products: ids))`. A level without products and
/// groups gives no access. Two levels are equal if their names, products and groups are equal.
public struct AccessLevel: Sendable, Hashable {
    /// The name, for logs; empty for a level that is used once.
    public let name: String
    /// The products. Each of them gives the level.
    public let productIDs: Set<String>
    /// The subscription groups. Each subscription of such a group gives the level.
    ///
    /// Over StoreKit 1, receipts name no groups: a subscription gives the level once its product has been loaded.
    public let groupIDs: Set<String>

    /// Creates a level.
    /// - Parameters:
    ///   - name: The name, for logs.
    ///   - productIDs: The products that give the level.
    ///   - groupIDs: The subscription groups that give the level.
    public init(
        _ name: String = "", products productIDs: some Sequence<String> = [],
        groups groupIDs: some Sequence<String> = []
    ) {
        self.name = name
        self.productIDs = Set(productIDs)
        self.groupIDs = Set(groupIDs)
    }
}

extension AccessLevel: CustomStringConvertible {
    /// The name, or else the products and the groups.
    public var description: String {
        if !name.isEmpty { return name }
        let groups = groupIDs.sorted().map { "group \($0)" }
        return (productIDs.sorted() + groups).joined(separator: ", ")
    }
}
