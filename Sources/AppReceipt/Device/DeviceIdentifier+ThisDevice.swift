#if os(macOS) || targetEnvironment(macCatalyst)
    import Foundation
    import IOKit

    extension DeviceIdentifier {
        /// Returns the identifiers that a receipt may be bound to on this Mac: the addresses of its built-in network
        /// interfaces, the primary one first, then those of the primary interface and of `en0`.
        ///
        /// After a repair, or with an adapter, the primary interface may be neither built in nor `en0`. Try all
        /// identifiers.
        ///
        /// - Throws: ``DeviceIdentifierError`` if the device has no identifier.
        public static func candidatesOfThisDevice() async throws(DeviceIdentifierError) -> [DeviceIdentifier] {
            let candidates = candidates(among: networkInterfaces())
            guard !candidates.isEmpty else {
                throw DeviceIdentifierError(
                    "This Mac has no built-in network interface, no primary one and no en0.")
            }
            return candidates
        }

        private static func networkInterfaces() -> [NetworkInterface] {
            guard let matching = IOServiceMatching("IOEthernetInterface") else { return [] }
            var iterator = io_iterator_t()
            // Port 0 is the default port, whose constant has had several names.
            guard IOServiceGetMatchingServices(0, matching, &iterator) == KERN_SUCCESS else { return [] }
            defer { IOObjectRelease(iterator) }
            var interfaces: [NetworkInterface] = []
            while case let service = IOIteratorNext(iterator), service != 0 {
                defer { IOObjectRelease(service) }
                guard let address = address(of: service), address.count == 6 else { continue }
                interfaces.append(
                    NetworkInterface(
                        name: property("BSD Name", of: service) as? String ?? "", address: [UInt8](address),
                        isPrimary: property("IOPrimaryInterface", of: service) as? Bool ?? false,
                        isBuiltIn: property("IOBuiltin", of: service) as? Bool ?? false))
            }
            return interfaces
        }

        /// Returns the address, a property of the controller, which is the interface's parent.
        private static func address(of service: io_object_t) -> Data? {
            var controller = io_object_t()
            guard IORegistryEntryGetParentEntry(service, "IOService", &controller) == KERN_SUCCESS else { return nil }
            defer { IOObjectRelease(controller) }
            return property("IOMACAddress", of: controller) as? Data
        }

        private static func property(_ name: String, of service: io_object_t) -> Any? {
            IORegistryEntryCreateCFProperty(service, name as CFString, kCFAllocatorDefault, 0)?.takeRetainedValue()
        }
    }
#elseif os(watchOS)
    import WatchKit

    extension DeviceIdentifier {
        /// Returns the identifier that a receipt may be bound to on this device: its vendor identifier.
        ///
        /// - Throws: ``DeviceIdentifierError`` after a restart until the device is unlocked for the first time.
        public static func candidatesOfThisDevice() async throws(DeviceIdentifierError) -> [DeviceIdentifier] {
            guard let identifier = await WKInterfaceDevice.current().identifierForVendor else {
                throw DeviceIdentifierError(
                    "The vendor identifier isn't available until the device has been unlocked once.")
            }
            return [DeviceIdentifier(identifier)]
        }
    }
#elseif canImport(UIKit)
    import UIKit

    extension DeviceIdentifier {
        /// Returns the identifier that a receipt may be bound to on this device: its vendor identifier.
        ///
        /// - Throws: ``DeviceIdentifierError`` after a restart until the device is unlocked for the first time.
        public static func candidatesOfThisDevice() async throws(DeviceIdentifierError) -> [DeviceIdentifier] {
            guard let identifier = await UIDevice.current.identifierForVendor else {
                throw DeviceIdentifierError(
                    "The vendor identifier isn't available until the device has been unlocked once.")
            }
            return [DeviceIdentifier(identifier)]
        }
    }
#else
    extension DeviceIdentifier {
        /// Returns an empty list, because the App Store doesn't issue receipts for this platform.
        public static func candidatesOfThisDevice() async throws(DeviceIdentifierError) -> [DeviceIdentifier] {
            []
        }
    }
#endif
