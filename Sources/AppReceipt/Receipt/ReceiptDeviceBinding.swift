public import Foundation

/// What ties a PKCS#7 receipt to one device: SHA-1 over the device's identifier, the opaque value and the bundle
/// identifier's bytes.
public struct ReceiptDeviceBinding: Hashable, Sendable, Codable {
    /// Attribute 4, a salt.
    public var opaqueValue: Data
    /// Attribute 5, twenty bytes of SHA-1.
    public var hash: Data
    /// The value of attribute 2 as it is encoded, tag and length included.
    public var bundleIDBytes: Data

    /// Creates a binding.
    public init(opaqueValue: Data, hash: Data, bundleIDBytes: Data) {
        self.opaqueValue = opaqueValue
        self.hash = hash
        self.bundleIDBytes = bundleIDBytes
    }
}
