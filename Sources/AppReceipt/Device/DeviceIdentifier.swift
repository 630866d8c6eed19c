public import Foundation

/// The bytes that bind a receipt to a device.
///
/// On iOS, tvOS, watchOS and visionOS, and in iPad apps on a Mac, these are the bytes of `identifierForVendor`. In Mac
/// apps, they are the address of the primary network interface.
public struct DeviceIdentifier: Hashable, Sendable {
    /// The bytes in the device hash.
    public let bytes: [UInt8]

    /// Creates an identifier from its bytes.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Creates an identifier from a vendor identifier.
    public init(_ identifier: UUID) {
        bytes = withUnsafeBytes(of: identifier.uuid, Array.init)
    }

    /// Creates an identifier from a UUID, a network address of six bytes such as `00:1a:2b:3c:4d:5e`, or Base64; `nil`
    /// for other strings.
    public init?(_ text: String) {
        if let identifier = UUID(uuidString: text) {
            self.init(identifier)
        } else if let address = DeviceIdentifier.networkAddress(text) {
            self.init(bytes: address)
        } else if let bytes = Base64.decode(text), !bytes.isEmpty {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    private static func networkAddress(_ text: String) -> [UInt8]? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
        let bytes = parts.compactMap { $0.count == 2 && $0.allSatisfy(\.isHexDigit) ? UInt8($0, radix: 16) : nil }
        return bytes.count == 6 && parts.count == 6 ? bytes : nil
    }
}

extension DeviceIdentifier {
    struct NetworkInterface {
        let name: String
        let address: [UInt8]
        let isPrimary: Bool
        let isBuiltIn: Bool
    }

    /// Returns the addresses that a receipt may be bound to, the likeliest first, without duplicates.
    static func candidates(among interfaces: [NetworkInterface]) -> [DeviceIdentifier] {
        let builtIn = interfaces.filter(\.isBuiltIn)
        let ranked =
            builtIn.filter(\.isPrimary) + builtIn + interfaces.filter(\.isPrimary)
            + interfaces.filter { $0.name == "en0" }
        var candidates: [DeviceIdentifier] = []
        for interface in ranked {
            let candidate = DeviceIdentifier(bytes: interface.address)
            if !candidates.contains(candidate) { candidates.append(candidate) }
        }
        return candidates
    }
}

/// The device's identifier isn't available.
///
/// The vendor identifier is unavailable after a restart until the device is unlocked for the first time. A Mac whose
/// network interfaces are all adapters, none of them primary or `en0`, has no identifier.
public struct DeviceIdentifierError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The missing value and when it is available.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
