/// When a view that provides a model presents purchases in its window, and reads the store again.
///
/// SwiftUI's scene phase isn't enough. In a hosting controller it never becomes active, and it doesn't change when the
/// customer uses another window of the app.
package struct ViewActivation: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        case appeared
        /// The scene phase, on every change and when the view appears.
        case scene(isActive: Bool)
        /// A notification of the app.
        case application(isActive: Bool)
        /// The customer uses the window or the scene of the view.
        case windowUsed
    }

    package enum Response: Sendable, Hashable {
        case nothing
        /// Purchases are presented in the view's window from now on.
        case usePlace
        /// The same, and the store is read again.
        case readAgain
    }

    private var isActive = false
    private var isSceneActive = false

    package init() {}

    /// Returns the response to an event. One activation of the app reads once, whatever reports it.
    package mutating func handle(_ event: Event) -> Response {
        switch event {
        case .windowUsed: return .usePlace
        case .application(isActive: false):
            isActive = false
            return .nothing
        case .scene(isActive: false):
            // The phase isn't active before the scene is, and never in a hosting controller.
            if isSceneActive { isActive = false }
            isSceneActive = false
            return .nothing
        case .scene(isActive: true): isSceneActive = true
        case .appeared, .application(isActive: true): break
        }
        defer { isActive = true }
        return isActive ? .usePlace : .readAgain
    }
}
