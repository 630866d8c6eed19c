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

        /// The offers for present and former subscribers, which the app's server signs.
        public var promotionalOffers: [Product.SubscriptionOffer] {
            subscription.promotionalOffers.map { SubscriptionOffer($0, .promotional, display) }
        }

        /// The offers for former subscribers. ``RenewalInfo/eligibleWinBackOfferIDs`` says which ones the customer may use.
        public var winBackOffers: [Product.SubscriptionOffer] {
            subscription.winBackOffers.map { SubscriptionOffer($0, .winBack, display) }
        }

        /// The identifier of the group in which the subscription competes.
        public var subscriptionGroupID: String { subscription.groupID }

        /// The time after which the subscription renews.
        public var subscriptionPeriod: Product.SubscriptionPeriod { SubscriptionPeriod(subscription.period) }

        /// The rank in the group: 1 is the highest level of service.
        public var groupLevel: Int { subscription.groupLevel }

        /// The name of the group that customers see.
        public var groupDisplayName: String { subscription.groupName }

        /// Whether the customer may use the introductory offer. The first answer may be the only one of a process.
        public var isEligibleForIntroOffer: Bool {
            get async { Self.isEligibleForIntroOffer(for: subscriptionGroupID, launch: reference.launch) }
        }

        /// Whether the customer may use an introductory offer in a group.
        public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
            isEligibleForIntroOffer(for: groupID, launch: StoreKitSimulation.currentLaunch)
        }

        /// Whether the customer of one launch may use an introductory offer in a group.
        package static func isEligibleForIntroOffer(for groupID: String, launch: SimulatedLaunch) -> Bool {
            guard !launch.readsNothing else { return false }
            return launch.isEligibleForIntroductoryOffer(inGroup: groupID)
        }

        /// How the subscriptions of the group stand.
        ///
        /// - Throws: ``StoreKitError``
        public var status: [Product.SubscriptionInfo.Status] {
            get async throws { try Self.status(for: subscriptionGroupID, launch: reference.launch) }
        }

        /// How the subscriptions of a group stand: the customer's own, and one that the family shares. Empty if there never was one.
        ///
        /// - Throws: ``StoreKitError``
        public static func status(for groupID: String) async throws -> [Product.SubscriptionInfo.Status] {
            try status(for: groupID, launch: StoreKitSimulation.currentLaunch)
        }

        /// How the subscriptions of a group stand, as one launch reads it.
        package static func status(for groupID: String, launch: SimulatedLaunch) throws -> [Status] {
            guard !launch.readsNothing else { return [] }
            do {
                return try launch.statuses(inGroup: groupID).map { Status($0, launch) }
            } catch {
                throw StoreKitError(error)
            }
        }

        /// How the subscription stands that a transaction belongs to; `nil` if it belongs to none.
        ///
        /// - Throws: ``StoreKitError``
        public static func status(transactionID: UInt64) async throws -> SubscriptionStatus? {
            try status(transactionID: transactionID, launch: StoreKitSimulation.currentLaunch)
        }

        /// How the subscription stands that a transaction belongs to, as one launch reads it.
        package static func status(transactionID: UInt64, launch: SimulatedLaunch) throws -> Status? {
            guard !launch.readsNothing else { return nil }
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
/// How a subscription continues.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// How a subscription stands, in a word.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
/// How a subscription stands.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
