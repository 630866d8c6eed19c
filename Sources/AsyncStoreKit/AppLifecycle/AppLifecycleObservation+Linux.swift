#if !canImport(Darwin)
    /// Elsewhere nothing tells a process that it is in front, or that it is about to be suspended, and nobody has to be asked for time.
    final class AppLifecycleObservation: Sendable {
        init(_ receive: @escaping @Sendable (AppLifecycleStateMachine.Event) -> Void) {}
    }

    final class SystemBackgroundTime: BackgroundTime {
        func take(_ isUp: @escaping @Sendable () -> Void) {}
        func giveBack() {}
    }
#endif
