#if !canImport(Darwin)
    import Foundation

    extension EntitlementFile {
        /// There is no such protection here.
        static var writingOptions: Data.WritingOptions { .atomic }

        /// Nobody backs anything up here without being told what.
        static func leaveOutOfBackups(_ url: URL) throws {}
    }
#endif
