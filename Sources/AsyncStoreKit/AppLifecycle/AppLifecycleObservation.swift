#if canImport(Darwin)
    import Foundation
    import Network

    #if os(macOS)
        import AppKit
    #endif

    /// Observes the app and its network on Apple's systems while the object exists.
    final class AppLifecycleObservation: Sendable {
        private let tasks: [Task<Void, Never>]
        private let network = NWPathMonitor()

        init(_ receive: @escaping @Sendable (AppLifecycleStateMachine.Event) -> Void) {
            tasks = Self.notifications.map { center, name, event in
                // A notification isn't Sendable, and only its name matters.
                observe(center.notifications(named: name).map { _ in event }, receive)
            }
            network.pathUpdateHandler = { receive($0.status == .satisfied ? .networkFound : .networkLost) }
            network.start(queue: DispatchQueue(label: "AsyncStoreKit.network"))
        }

        deinit {
            tasks.forEach { $0.cancel() }
            network.cancel()
        }

        private static var notifications: [(NotificationCenter, Notification.Name, AppLifecycleStateMachine.Event)] {
            // After a change of the clock, subscriptions may have ended or may be active again.
            [(.default, .NSSystemClockDidChange, .woke)] + platformNotifications
        }

        private static var platformNotifications:
            [(NotificationCenter, Notification.Name, AppLifecycleStateMachine.Event)]
        {
            #if os(macOS)
                // The workspace has its own notification center.
                [
                    (.default, NSApplication.didBecomeActiveNotification, .becameActive),
                    (NSWorkspace.shared.notificationCenter, NSWorkspace.didWakeNotification, .woke),
                ]
            #elseif os(watchOS)
                [
                    (.default, Notification.Name("WKApplicationDidBecomeActiveNotification"), .becameActive),
                    (.default, Notification.Name("WKApplicationDidEnterBackgroundNotification"), .enteredBackground),
                ]
            #else
                [
                    (.default, Notification.Name("UIApplicationDidBecomeActiveNotification"), .becameActive),
                    (.default, Notification.Name("UIApplicationDidEnterBackgroundNotification"), .enteredBackground),
                    // Files that couldn't be read while the device was locked can be read now.
                    (.default, Notification.Name("UIApplicationProtectedDataDidBecomeAvailable"), .woke),
                ]
            #endif
        }
    }

    #if os(macOS)
        /// An activity. Without one, the system slows down or terminates an app whose windows aren't visible.
        final class SystemBackgroundTime: BackgroundTime {
            // @unchecked because: the object is only passed back to the process, from any thread.
            private struct Activity: @unchecked Sendable {
                let object: any NSObjectProtocol
            }

            private let activities = Locked<[Activity]>([])

            func requestTime(_ isUp: @escaping @Sendable () -> Void) {
                let activity = Activity(
                    object: ProcessInfo.processInfo.beginActivity(
                        options: .userInitiatedAllowingIdleSystemSleep, reason: "A purchase is being delivered."))
                activities.withLock { $0.append(activity) }
            }

            func giveBack() {
                let activity = activities.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if let activity { ProcessInfo.processInfo.endActivity(activity.object) }
            }
        }
    #else
        /// An expiring activity, which lasts while a thread is inside its closure.
        final class SystemBackgroundTime: BackgroundTime {
            private let ends = Locked<[DispatchSemaphore]>([])

            func requestTime(_ isUp: @escaping @Sendable () -> Void) {
                let end = DispatchSemaphore(value: 0)
                ends.withLock { $0.append(end) }
                ProcessInfo.processInfo.performExpiringActivity(withReason: "A purchase is being delivered.") {
                    isExpired in
                    // Called a second time, on another thread, when the time is up. Called only that way if none is
                    // granted.
                    if isExpired { isUp() } else { end.wait() }
                }
            }

            func giveBack() {
                ends.withLock { ends in ends.isEmpty ? nil : ends.removeFirst() }?.signal()
            }
        }
    #endif
#else
    /// Other systems don't report when an app becomes active or is about to be suspended.
    final class AppLifecycleObservation: Sendable {
        init(_ receive: @escaping @Sendable (AppLifecycleStateMachine.Event) -> Void) {}
    }

    final class SystemBackgroundTime: BackgroundTime {
        func requestTime(_ isUp: @escaping @Sendable () -> Void) {}
        func giveBack() {}
    }
#endif
