import AppStoreSimulator
public import Foundation

// Subscriptions with several seats.
extension Transaction {
    /// The seats of a transaction.
    public struct MultiSeatInfo: Hashable, Sendable {
        /// Who invites the members of a group.
        public struct InvitationManagement: RawRepresentable, Hashable, Sendable {
            /// Apple invites the members.
            public static let apple = InvitationManagement(rawValue: "APPLE")
            /// The app invites the members.
            public static let developer = InvitationManagement(rawValue: "DEVELOPER")

            /// The type of the raw value.
            public typealias RawValue = String

            /// The raw value.
            public let rawValue: String

            /// Creates a value from any raw value, even one without a constant.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        /// The seats that have the same price.
        public struct PriceTier: Hashable, Sendable {
            /// The price of a seat.
            public let price: Decimal
            /// The number of seats.
            public let quantity: Int
        }

        /// Who invites the members of the group. In the simulated App Store, Apple invites the members.
        public let invitationManagement: Transaction.MultiSeatInfo.InvitationManagement
        /// The prices of the seats.
        public let priceTiers: [Transaction.MultiSeatInfo.PriceTier]
        /// The number of revoked seats. The simulated App Store refunds all seats of a transaction or none.
        public let revokedSeatQuantity: Int?
    }

    /// The seats of the transaction; `nil` for a purchase without seats.
    public var multiSeatInfo: Transaction.MultiSeatInfo? {
        guard record.isMultiSeat else { return nil }
        return MultiSeatInfo(
            invitationManagement: .apple,
            priceTiers: [MultiSeatInfo.PriceTier(price: record.price, quantity: record.quantity)],
            revokedSeatQuantity: nil)
    }

    /// The reason that several transactions represent a period.
    public struct AdditionalTransactionReason: RawRepresentable, Hashable, Sendable {
        /// The customer added seats during the period.
        public static let seatAddition = AdditionalTransactionReason(rawValue: "SEAT_ADDITION")

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The reason that several transactions represent the period; `nil` for the only transaction of a period.
    public var additionalTransactionReason: Transaction.AdditionalTransactionReason? {
        record.hasAddedSeats ? .seatAddition : nil
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The seats of the next period.
    public struct MultiSeatInfo: Hashable, Sendable {
        /// The prices of the seats.
        public let renewalPriceTiers: [Transaction.MultiSeatInfo.PriceTier]
    }

    /// The seats of the next period; `nil` for a renewal without seats.
    public var multiSeatInfo: Product.SubscriptionInfo.RenewalInfo.MultiSeatInfo? {
        renewal.seats.map { seats in
            let tier = Transaction.MultiSeatInfo.PriceTier(price: renewal.renewalPrice ?? 0, quantity: seats)
            return MultiSeatInfo(renewalPriceTiers: [tier])
        }
    }

    /// The number of seats of the next period; `nil` for a renewal without seats.
    public var renewalQuantity: Int? { renewal.seats }
}
