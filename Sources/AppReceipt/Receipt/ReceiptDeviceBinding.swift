public import Foundation

/// The binding of a PKCS#7 receipt to one device: the SHA-1 of the device's identifier, the opaque value and the bundle
/// identifier's bytes.
public struct ReceiptDeviceBinding: Hashable, Sendable, Codable {
    /// Attribute 4, a salt.
    public var opaqueValue: Data
    /// Attribute 5, twenty bytes of SHA-1.
    public var hash: Data
    /// The encoded value of attribute 2, with tag and length.
    public var bundleIDBytes: Data

    /// Creates a binding.
    public init(opaqueValue: Data, hash: Data, bundleIDBytes: Data) {
        self.opaqueValue = opaqueValue
        self.hash = hash
        self.bundleIDBytes = bundleIDBytes
    }
}
