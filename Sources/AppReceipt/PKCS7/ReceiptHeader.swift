package import Foundation

/// The attributes of a receipt file without its purchases, for verification and for ``Receipt``.
///
/// Both use the same values, so a verified value is always the displayed value. Reading the header visits every
/// attribute and doesn't copy purchases.
package struct ReceiptHeader: Sendable {
    package private(set) var environment: ReceiptEnvironment?
    package private(set) var isVolumePurchase = false
    package private(set) var appStoreID: Int64?
    package private(set) var bundleID: String?
    /// The encoded bundle identifier, which is an input of the device hash.
    package private(set) var encodedBundleID: ArraySlice<UInt8>?
    package private(set) var applicationVersion: String?
    /// A salt in the device hash.
    package private(set) var opaqueValue: ArraySlice<UInt8>?
    package private(set) var deviceHash: ArraySlice<UInt8>?
    package private(set) var ageRating: String?
    package private(set) var downloadID: Int64?
    package private(set) var originalPurchaseDate: Date?
    package private(set) var originalApplicationVersion: String?
    /// When a receipt of a volume purchase expires; `nil` for other receipts.
    package private(set) var expirationDate: Date?
    private var statedCreationDate: Date?
    private var issueDate: Date?
    private var reader = AttributeReader()

    /// When the receipt was created or, without that date, issued.
    package var creationDate: Date? { statedCreationDate ?? issueDate }

    /// Reads the attributes of a container's content, each known attribute at most once. Offsets in errors are those of
    /// the container's input.
    package init(_ container: CMSSignedData) throws(MalformedReceiptError) {
        do throws(MalformedReceiptError) {
            var header = ReceiptHeader()
            try ReceiptAttribute.forEach(in: BERReader(container.content), "the receipt's attributes") {
                (attribute) throws(MalformedReceiptError) in
                try header.read(attribute)
            }
            self = header
        } catch {
            throw error.relocated(by: container.inputOffset(ofContent:))
        }
    }

    private init() {}

    /// Returns whether the attribute with a number has been read into a property.
    func holds(_ type: Int64) -> Bool { reader.hasRead(type) }

    /// Apple documents 2, 3, 4, 5, 12, 19 and 21 ("Receipt Fields", Receipt Validation Programming Guide); the others
    /// are known from receipts.
    private mutating func read(_ attribute: ReceiptAttribute) throws(MalformedReceiptError) {
        switch attribute.type {
        case 0:
            if let name = try reader.text(attribute, "the environment") {
                (environment, isVolumePurchase) = ReceiptEnvironment.reading(name)
            }
        case 1:
            appStoreID = try reader.auxiliary(attribute) { (reader) throws(MalformedReceiptError) in
                try reader.identifier(attribute, "the app's identifier")
            }
        case 2:
            bundleID = try reader.text(attribute, "the bundle identifier")
            encodedBundleID = bundleID == nil ? nil : try attribute.value()
        case 3:
            // Receipts from systems before 26.5 may have the text "null" for an app without a version.
            let version = try reader.auxiliary(attribute) { (reader) throws(MalformedReceiptError) in
                try reader.text(attribute, "the app's version")
            }
            applicationVersion = version == "null" ? nil : version
        case 4: opaqueValue = try reader.octets(attribute)
        case 5: deviceHash = try reader.octets(attribute)
        case 8: issueDate = try reader.date(attribute, "the date of issue")
        case 10:
            ageRating = try reader.auxiliary(attribute) { (reader) throws(MalformedReceiptError) in
                try reader.text(attribute, "the age rating")
            }
        case 12: statedCreationDate = try reader.date(attribute, "the creation date")
        case 15:
            downloadID = try reader.auxiliary(attribute) { (reader) throws(MalformedReceiptError) in
                try reader.identifier(attribute, "the download's identifier")
            }
        case 18:
            originalPurchaseDate = try reader.auxiliary(attribute) { (reader) throws(MalformedReceiptError) in
                try reader.date(attribute, "the app's original purchase date")
            }
        case 19:
            originalApplicationVersion = try reader.auxiliary(attribute) { (reader) throws(MalformedReceiptError) in
                try reader.text(attribute, "the app's original version")
            }
        case 21: expirationDate = try reader.date(attribute, "the expiration date")
        default: break
        }
    }
}
