#if !canImport(Darwin)
    import Foundation

    extension LedgerFile {
        /// Writes a file's data to the disk.
        static func synchronize(_ descriptor: Int32) -> Bool { fsync(descriptor) == 0 }

        /// Does nothing: this system has no file protection.
        static func protect(_ url: URL) {}
    }
#endif
