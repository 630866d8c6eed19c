package import Foundation

/// What a receipt says about itself, as far as verification has to know; purchases are passed over unread.
package struct ReceiptClaims: Sendable {
    /// Such as `Production`, `ProductionSandbox` or `Xcode`.
    package private(set) var environment: String?
    package private(set) var bundleID: String?
    /// The bundle identifier's attribute value as it is encoded, which is what the device hash covers.
    package private(set) var encodedBundleID: ArraySlice<UInt8>?
    package private(set) var version: String?
    package private(set) var opaqueValue: ArraySlice<UInt8>?
    package private(set) var deviceHash: ArraySlice<UInt8>?
    package private(set) var creationDate: Date?
    /// When a receipt of a volume purchase ends; other receipts have none.
    package private(set) var expirationDate: Date?

    /// Reads the attributes of a container's content. Offsets in errors are those of the input.
    package init(_ container: CMSSignedData) throws(MalformedReceiptError) {
        do throws(MalformedReceiptError) {
            var seen: Set<Int64> = []
            var claims = ReceiptClaims()
            try ReceiptAttribute.forEach(in: BERReader(container.content), "the receipt's attributes") {
                (attribute) throws(MalformedReceiptError) in
                guard ReceiptClaims.relevant.contains(attribute.type) else { return }
                guard seen.insert(attribute.type).inserted else {
                    throw MalformedReceiptError(
                        .invalidValue, at: attribute.element.offset, expected: "attribute \(attribute.type) once", found: "a repetition")
                }
                try claims.read(attribute)
            }
            self = claims
        } catch {
            throw error.relocated(by: container.inputOffset(ofContent:))
        }
    }

    private init() {}

    private static let relevant: Set<Int64> = [0, 2, 3, 4, 5, 12, 21]

    private mutating func read(_ attribute: ReceiptAttribute) throws(MalformedReceiptError) {
        switch attribute.type {
        case 0: environment = try attribute.wrappedElement("the environment").string("the environment")
        case 2:
            bundleID = try attribute.wrappedElement("the bundle identifier").string("the bundle identifier")
            encodedBundleID = try attribute.value()
        case 3: version = try attribute.wrappedElement("the app's version").string("the app's version")
        case 4: opaqueValue = try attribute.value()
        case 5: deviceHash = try attribute.value()
        case 12: creationDate = try attribute.date("the creation date")
        default: expirationDate = try attribute.date("the expiration date")
        }
    }
}
