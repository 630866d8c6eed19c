import Foundation

/// Is told when the app comes back from the background, for as long as it lives.
///
/// The notifications go by their names: naming them as UIKit, AppKit and WatchKit do would link those into every app, and on Linux they
/// are only posted by tests.
final class ForegroundObserver: Sendable {
    /// What the systems post when an app, or the app around an extension, comes back.
    static let names = [
        "UIApplicationWillEnterForegroundNotification", "NSExtensionHostWillEnterForegroundNotification",
        "NSApplicationDidBecomeActiveNotification", "WKApplicationWillEnterForegroundNotification",
    ].map { Notification.Name(rawValue: $0) }

    private let tokens: ObserverTokens

    /// - Parameters:
    ///   - center: Where the notifications are posted.
    ///   - tell: Called on the thread that posts.
    init(center: NotificationCenter, _ tell: @escaping @Sendable () -> Void) {
        tokens = ObserverTokens(
            center: center, tokens: Self.names.map { center.addObserver(forName: $0, object: nil, queue: nil) { _ in tell() } })
    }

    deinit {
        for token in tokens.tokens { tokens.center.removeObserver(token) }
    }
}

// @unchecked because: the tokens are made once, and only handed back to the centre, which is thread-safe.
private struct ObserverTokens: @unchecked Sendable {
    let center: NotificationCenter
    let tokens: [any NSObjectProtocol]
}
