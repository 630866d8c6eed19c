/// A file that the App Store hosts for a product.
public struct SimulatedHostedContent: Sendable, Hashable {
    /// The identifier of the content, by default that of the product.
    public var contentID: String
    /// The version of the content, such as `1.0`.
    public var contentVersion: String
    /// The size in bytes.
    public var contentLength: Int64

    /// Creates hosted content.
    public init(contentID: String, contentVersion: String = "1.0", contentLength: Int64) {
        self.contentID = contentID
        self.contentVersion = contentVersion
        self.contentLength = contentLength
    }
}
