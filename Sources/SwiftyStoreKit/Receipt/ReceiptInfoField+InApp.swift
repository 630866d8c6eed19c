// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !os(iOS) && !os(tvOS)
    extension ReceiptInfoField {
        /// Names of fields in a purchase.
        public enum InApp: String {
            /// How many were bought.
            case quantity
            /// The product bought.
            case product_id
            /// The transaction's identifier.
            case transaction_id
            /// The identifier of the first transaction of this purchase or subscription.
            case original_transaction_id
            /// When the customer was charged.
            case purchase_date
            /// When the first transaction was made.
            case original_purchase_date
            /// When the period of a subscription ends.
            case expires_date
            /// When Apple took the purchase back.
            case cancellation_date
            /// Identifies the revision of the app.
            case version_external_identifier
            /// Identifies a period of a subscription across devices.
            case web_order_line_item_id
        }
    }
#endif
