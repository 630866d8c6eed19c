#if !canImport(os)
    extension StoreLogSink {
        static func writeError(_ event: StoreLogEvent) {
            lines(from: .error)(event)
        }
    }
#endif
