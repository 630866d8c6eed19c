#if !canImport(os)
    extension StoreLogSink {
        static func writeToSystem(_ event: StoreLogEvent) {
            lines(from: .warning)(event)
        }
    }
#endif
