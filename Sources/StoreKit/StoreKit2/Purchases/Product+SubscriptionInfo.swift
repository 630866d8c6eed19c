package import AppStoreSimulator

extension Product {
    /// The terms of an auto-renewable subscription.
    public struct SubscriptionInfo: Hashable, Sendable {
        let subscription: SimulatedSubscription
        let product: SimulatedProduct
        let display: ProductDisplay
        private let reference: LaunchReference

        var launch: SimulatedLaunch { reference.launch }

        init(
            _ subscription: SimulatedSubscription, of product: SimulatedProduct, _ display: ProductDisplay,
            _ launch: SimulatedLaunch
        ) {
            self.subscription = subscription
            self.product = product
            self.display = display
            reference = LaunchReference(launch: launch)
        }

        /// The offer for new subscribers.
        public var introductoryOffer: Product.SubscriptionOffer? {
            subscription.introductoryOffer.map { SubscriptionOffer($0, .introductory, display) }
        }

        /// The offers for current and former subscribers, which the app's server signs.
        public var promotionalOffers: [Product.SubscriptionOffer] {
            subscription.promotionalOffers.map { SubscriptionOffer($0, .promotional, display) }
        }

        /// The offers for former subscribers. For the offers that the customer is eligible for, see
        /// ``RenewalInfo/eligibleWinBackOfferIDs``.
        public var winBackOffers: [Product.SubscriptionOffer] {
            subscription.winBackOffers.map { SubscriptionOffer($0, .winBack, display) }
        }

        /// The identifier of the subscription's group.
        public var subscriptionGroupID: String { subscription.groupID }

        /// The time after which the subscription renews.
        public var subscriptionPeriod: Product.SubscriptionPeriod { SubscriptionPeriod(subscription.period) }

        /// The rank in the group: 1 is the highest level of service.
        public var groupLevel: Int { subscription.groupLevel }

        /// The name of the group that customers see.
        public var groupDisplayName: String { subscription.groupName }

        /// Whether the customer is eligible for the introductory offer. The simulator may repeat the first answer of a
        /// launch.
        public var isEligibleForIntroOffer: Bool {
            get async { Self.isEligibleForIntroOffer(for: subscriptionGroupID, launch: reference.launch) }
        }

        /// Returns whether the customer is eligible for an introductory offer in a group.
        public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
            isEligibleForIntroOffer(for: groupID, launch: StoreKitSimulation.currentLaunch)
        }

        /// Returns whether the customer of one launch is eligible for an introductory offer in a group.
        package static func isEligibleForIntroOffer(for groupID: String, launch: SimulatedLaunch) -> Bool {
            guard !launch.isReadSuppressed else { return false }
            return launch.isEligibleForIntroductoryOffer(inGroup: groupID)
        }

        /// The statuses of the subscriptions in the group.
        ///
        /// - Throws: ``StoreKitError``
        public var status: [Product.SubscriptionInfo.Status] {
            get async throws { try Self.status(for: subscriptionGroupID, launch: reference.launch) }
        }

        /// Returns the statuses of the subscriptions in a group: the customer's own subscription, and a subscription
        /// that the family shares. Empty if the customer never had one.
        ///
        /// - Throws: ``StoreKitError``
        public static func status(for groupID: String) async throws -> [Product.SubscriptionInfo.Status] {
            try status(for: groupID, launch: StoreKitSimulation.currentLaunch)
        }

        /// Returns the statuses of the subscriptions in a group for one launch.
        package static func status(for groupID: String, launch: SimulatedLaunch) throws -> [Status] {
            guard !launch.isReadSuppressed else { return [] }
            do {
                return try launch.statuses(inGroup: groupID).map { Status($0, launch) }
            } catch {
                throw StoreKitError(error)
            }
        }

        /// Returns the status of the subscription that a transaction belongs to; `nil` for other transactions.
        ///
        /// - Throws: ``StoreKitError``
        public static func status(transactionID: UInt64) async throws -> SubscriptionStatus? {
            try status(transactionID: transactionID, launch: StoreKitSimulation.currentLaunch)
        }

        /// Returns the status of the subscription that a transaction belongs to for one launch.
        package static func status(transactionID: UInt64, launch: SimulatedLaunch) throws -> Status? {
            guard !launch.isReadSuppressed else { return nil }
            do {
                return try launch.status(ofTransaction: transactionID).map { Status($0, launch) }
            } catch {
                throw StoreKitError(error)
            }
        }
    }
}

/// The terms of an auto-renewable subscription.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// A length of time in calendar units.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
/// The renewal information of a subscription.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// The state of a subscription.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
/// The status of a subscription.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
