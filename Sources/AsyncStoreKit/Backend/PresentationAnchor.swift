/// Where on the screen a purchase is confirmed or a sheet is shown: a scene, a view controller or a window of the app's.
///
/// The reference is weak. If the object was deallocated, or is of a kind that the system doesn't accept, the system
/// chooses a place for a purchase where it can. A sheet that needs a place throws ``StoreError/Code/unsupported``.
/// The store logs a warning when the object was deallocated. On Linux there are no anchors.
public struct PresentationAnchor: Sendable, Hashable {
    package private(set) weak var object: (any AnyObject & Sendable)?
    private let identity: ObjectIdentifier

    package init(object: any AnyObject & Sendable) {
        self.object = object
        identity = ObjectIdentifier(object)
    }

    /// Whether the object was deallocated.
    var isGone: Bool { object == nil }

    /// Whether they are the same place.
    public static func == (left: PresentationAnchor, right: PresentationAnchor) -> Bool { left.identity == right.identity }

    /// By the identity of the place.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
