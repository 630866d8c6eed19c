#if !canImport(Darwin)
    /// Other systems don't report when an app becomes active or is about to be suspended.
    final class AppLifecycleObservation: Sendable {
        init(_ receive: @escaping @Sendable (AppLifecycleStateMachine.Event) -> Void) {}
    }

    final class SystemBackgroundTime: BackgroundTime {
        func requestTime(_ isUp: @escaping @Sendable () -> Void) {}
        func giveBack() {}
    }
#endif
