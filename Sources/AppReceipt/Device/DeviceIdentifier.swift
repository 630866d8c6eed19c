public import Foundation

/// The bytes by which a receipt is tied to a device.
///
/// On iOS, tvOS, watchOS, visionOS and for iPad apps on a Mac they are those of `identifierForVendor`, in Mac apps
/// those of the primary network interface's address.
public struct DeviceIdentifier: Hashable, Sendable {
    /// The bytes as they enter the hash.
    public let bytes: [UInt8]

    /// Takes the bytes as they are.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Takes a vendor identifier.
    public init(_ identifier: UUID) {
        bytes = withUnsafeBytes(of: identifier.uuid, Array.init)
    }

    /// Reads a UUID, a network address of six bytes such as `00:1a:2b:3c:4d:5e`, or Base64; `nil` for anything else.
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

/// The device has not told its identifier yet.
///
/// The vendor identifier is `nil` after a restart until the device has been unlocked once; a Mac has none without a
/// built-in network interface.
public struct DeviceIdentifierError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The missing value, and when it is available.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
