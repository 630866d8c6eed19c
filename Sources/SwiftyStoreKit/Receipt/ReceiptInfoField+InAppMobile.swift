// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(iOS) || os(tvOS)
    extension ReceiptInfoField {
        /// Names of fields in a purchase.
        public enum InApp: String {
            /// The number of items.
            case quantity
            /// The identifier of the product.
            case product_id
            /// The transaction's identifier.
            case transaction_id
            /// The identifier of the first transaction of this purchase or subscription.
            case original_transaction_id
            /// The date of the payment.
            case purchase_date
            /// The date of the first transaction.
            case original_purchase_date
            /// The end of a subscription's period.
            case expires_date
            /// The date on which Apple revoked the purchase.
            case cancellation_date
            /// The app's identifier in the App Store.
            case app_item_id
            /// The identifier of the app's revision.
            case version_external_identifier
            /// The identifier of a subscription's period, the same on all devices.
            case web_order_line_item_id
        }
    }
#endif
