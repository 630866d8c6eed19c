#if canImport(UIKit) && !os(watchOS) && !targetEnvironment(macCatalyst)
    import UIKit

    extension DeviceIdentifier {
        /// What a receipt may be tied to on this device: its vendor identifier.
        /// - Throws: ``DeviceIdentifierError`` after a restart, until the device has been unlocked once.
        public static func candidatesOfThisDevice() async throws(DeviceIdentifierError) -> [DeviceIdentifier] {
            guard let identifier = await UIDevice.current.identifierForVendor else {
                throw DeviceIdentifierError("The vendor identifier is not there before the device has been unlocked once.")
            }
            return [DeviceIdentifier(identifier)]
        }
    }
#endif
