/// Where on the screen a purchase is confirmed or a sheet is presented: a scene, a view controller, or a window of the
/// app.
///
/// Set an anchor for all purchases and sheets of a store with ``PurchaseStore/setPresentationAnchor(_:)``.
///
/// The reference is weak. If the object was deallocated, the anchor of the store applies, and the store logs a warning.
/// Without any usable anchor, the system chooses a place for a purchase where it can, and a sheet that needs a place
/// throws ``StoreError/Code/invalidPresentationContext``. On Linux there are no anchors.
public struct PresentationAnchor: Sendable, Hashable {
    package private(set) weak var object: (any AnyObject & Sendable)?
    private let identity: ObjectIdentifier

    package init(object: any AnyObject & Sendable) {
        self.object = object
        identity = ObjectIdentifier(object)
    }

    /// Whether the object was deallocated.
    var isGone: Bool { object == nil }

    /// Returns whether both are the same place.
    public static func == (left: PresentationAnchor, right: PresentationAnchor) -> Bool {
        left.identity == right.identity
    }

    /// Hashes the identity of the place.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// The search for the controller that presents a sheet. Apple's types are the nodes.
enum PresentationSearch {
    /// Returns the last node of a chain: the controller that no other one covers. A covered controller presents
    /// nothing, and StoreKit reports no error.
    /// - Parameter covering: Returns the controller that a controller presents, unless that one is being dismissed.
    @MainActor static func topmost<Node: AnyObject>(of node: Node, covering: (Node) -> Node?) -> Node {
        var (node, seen) = (node, Set([ObjectIdentifier(node)]))
        while let next = covering(node), seen.insert(ObjectIdentifier(next)).inserted { node = next }
        return node
    }

    /// Returns the value of a node, or else that of the nearest node below.
    @MainActor static func nearest<Node, Value>(
        to node: Node?, below: (Node) -> [Node], value: (Node) -> Value?
    ) -> Value? {
        var row = [node].compactMap(\.self)
        while !row.isEmpty {
            for node in row { if let value = value(node) { return value } }
            row = row.flatMap(below)
        }
        return nil
    }
}

/// Where a store presents purchases and sheets whose calls name no anchor.
package final class StoreAnchor: Sendable {
    package typealias Find = @MainActor @Sendable () -> PresentationAnchor?

    private let find = Locked<Find?>(nil)

    package init() {}

    package func set(_ find: Find?) {
        self.find.withLock { $0 = find }
    }

    /// Returns the anchor of a call, unless it's `nil` or its object was deallocated; then the anchor of the store.
    package func anchor(for own: PresentationAnchor?) async -> PresentationAnchor? {
        if let own, !own.isGone { return own }
        guard let find = find.withLock({ $0 }) else { return own }
        return await find() ?? own
    }
}
