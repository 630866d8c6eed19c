// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Names of fields in a receipt, spelled as the JSON of Apple's `verifyReceipt` spells them.
public enum ReceiptInfoField: String {
    /// The app's bundle identifier.
    case bundle_id
    /// The app's version.
    case application_version
    /// The version of the app that the customer first bought.
    case original_application_version
    /// The creation date of the receipt.
    case creation_date
    /// The expiration date of a receipt from a volume purchase.
    case expiration_date
    /// The purchases, with the fields of ``InApp``.
    case in_app
}
