#if canImport(Darwin)
    import Foundation

    extension LedgerFile {
        /// Writes a file's data to the disk. `fsync` leaves data in the cache of the disk on Apple's platforms.
        static func synchronize(_ descriptor: Int32) -> Bool {
            fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
        }

        /// Lets a store that runs in the background read the file while the device is locked.
        static func protect(_ url: URL) {
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: url.path)
        }
    }
#endif
