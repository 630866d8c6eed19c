// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Names of fields in a receipt, spelled as the JSON of Apple's `verifyReceipt` spells them.
public enum ReceiptInfoField: String {
    /// The app's bundle identifier.
    case bundle_id
    /// The app's version.
    case application_version
    /// The version of the app that was first bought.
    case original_application_version
    /// When the receipt was made.
    case creation_date
    /// When a volume purchase's receipt expires.
    case expiration_date
    /// The purchases; their fields are ``InApp``'s.
    case in_app
}
