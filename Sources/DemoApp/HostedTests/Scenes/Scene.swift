/// A sequence of a customer's and an app's steps, run over an App Store.
struct Scene: Sendable, CustomStringConvertible {
    /// The name of the scene, which is also its name in ``SessionFault``.
    let name: String
    let steps: [SceneStep]

    var description: String { name }

    init(_ name: String, _ steps: SceneStep...) {
        self.name = name
        self.steps = steps
    }
}

/// The products of `Demo.storekit`.
enum DemoProduct {
    static let coins = "coins"
    static let pro = "pro"
    static let monthly = "club.monthly"
    static let yearly = "club.yearly"
    /// A product of the same level and period as ``monthly``.
    static let prints = "club.prints"
    static let group = "club"
}
