/// The offer under which a period of a subscription was bought.
public enum ReceiptOffer: Hashable, Sendable, Codable {
    /// The free trial.
    case freeTrial
    /// The introductory price.
    case introductory
    /// A promotional offer, by its identifier in App Store Connect.
    case promotional(identifier: String)
    /// An offer code, by its reference name in App Store Connect.
    case offerCode(referenceName: String)
}
