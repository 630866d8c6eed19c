#if !canImport(Darwin)
    import Foundation

    extension LedgerFile {
        /// Has the disk write what it was given.
        static func synchronize(_ descriptor: Int32) -> Bool { fsync(descriptor) == 0 }

        /// Files have no such protection here.
        static func protect(_ url: URL) {}
    }
#endif
