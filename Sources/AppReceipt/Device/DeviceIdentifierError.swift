/// The device has not told its identifier yet.
///
/// The vendor identifier is `nil` after a restart until the device has been unlocked once; a Mac has none without a built-in
/// network interface.
public struct DeviceIdentifierError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is missing, and when it will be there.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
