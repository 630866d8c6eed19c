#if !SWIFT_PACKAGE
    import Foundation

    /// The StoreKit configuration file of the sample app, in the bundle of the tests.
    enum DemoConfiguration {
        static var url: URL {
            get throws {
                guard let url = Bundle(for: BundleMarker.self).url(forResource: "Demo", withExtension: "storekit")
                else {
                    throw SceneControlUnavailable(description: "The bundle of the tests doesn't contain Demo.storekit.")
                }
                return url
            }
        }

        /// The version of Xcode that built the tests.
        static var xcode: DottedVersion? {
            (Bundle(for: BundleMarker.self).infoDictionary?["DTXcode"] as? String).flatMap(DottedVersion.init(dtXcode:))
        }
    }

    private final class BundleMarker {}
#endif
