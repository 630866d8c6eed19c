#if SWIFT_PACKAGE
    import Foundation

    /// The StoreKit configuration file of the sample app.
    enum DemoConfiguration {
        static var url: URL {
            let scenes = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            return scenes.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
                "Demo.storekit")
        }

        static let xcode: DottedVersion? = nil
    }
#endif
