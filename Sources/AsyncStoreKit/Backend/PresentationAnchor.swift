/// Where on the screen a purchase is confirmed or a sheet is shown: a scene, a view controller or a window of the app's.
///
/// Held weakly. Where it has gone away, or is of a kind that the system does not take for the purpose, the system finds a place by
/// itself if it can. On Linux there is none.
public struct PresentationAnchor: Sendable, Hashable {
    package private(set) weak var object: (any AnyObject & Sendable)?
    private let identity: ObjectIdentifier

    package init(object: any AnyObject & Sendable) {
        self.object = object
        identity = ObjectIdentifier(object)
    }

    /// Whether they are the same place.
    public static func == (left: PresentationAnchor, right: PresentationAnchor) -> Bool { left.identity == right.identity }

    /// By the identity of the place.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
