import AppStoreSimulator
import AsyncStoreKit
import Foundation

/// The switches of one run, drawn at random from its seed.
struct SoakPlan: Sendable {
    let pacing: SimulatedAppStore.Pacing
    let behavior: SimulatorBehavior
    /// Whether a delivery is installed before the first purchase, or later.
    let installsDelivery: Bool
    let installsLate: Bool
    let reportsAgain: Bool
    let finishesElsewhere: Bool
    /// How many unfinished purchases the launch has.
    let boughtBefore: Int

    /// The product whose payments are never answered.
    static let silentProduct = "silent"
    static let products = ["coins", "gems", "pro", "news", "club"]

    static let catalog = SimulatedCatalog(products: [
        SimulatedProduct(productID: "coins", kind: .consumable, price: 1),
        SimulatedProduct(productID: "gems", kind: .consumable, price: 2),
        SimulatedProduct(productID: "pro", kind: .nonConsumable, price: 3, isFamilyShareable: true),
        SimulatedProduct(productID: "news", kind: .nonConsumable, price: 4),
        SimulatedProduct(
            productID: "club", kind: .autoRenewableSubscription, price: 5,
            subscription: SimulatedSubscription(groupID: "club", period: .init(1, .month))),
        SimulatedProduct(productID: silentProduct, kind: .consumable, price: 6),
    ])

    init(_ random: inout ScheduleGenerator) {
        pacing = random.chance(50) ? .automatic : .manual
        installsDelivery = random.chance(30)
        installsLate = !installsDelivery && random.chance(15)
        reportsAgain = random.chance(50)
        finishesElsewhere = random.chance(30)
        boughtBefore = random.chance(40) ? Int.random(in: 1...8, using: &random) : 0
        behavior = Self.behavior(&random)
    }

    /// The default behavior of a device, without the switches that take time.
    static var calm: SimulatorBehavior {
        var behavior = SimulatorBehavior()
        behavior.signsReceipts = false
        behavior.deliveryThread = .background
        return behavior
    }

    private static func behavior(_ random: inout ScheduleGenerator) -> SimulatorBehavior {
        var behavior = SimulatorBehavior()
        behavior.signsReceipts = false
        behavior.listingLag = random.chance(30) ? 5 : 0
        behavior.deliveryThread = [.background, .background, .any, .caller].randomElement(using: &random) ?? .any
        behavior.varyQueue(using: &random)
        behavior.varyStoreKit2(using: &random)
        behavior.cancelledPurchase = random.pick()
        behavior.deliversUnfinishedAtLaunch = random.chance(70)
        behavior.unfinishedListing = fault(&random)
        behavior.entitlementsListing = fault(&random)
        behavior.listingFaultPercentage = [10, 40, 100].randomElement(using: &random) ?? 100
        return behavior
    }

    /// The fault of a list: none half of the time.
    static func fault(_ random: inout ScheduleGenerator) -> SimulatedListingFault {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .empty
        case 1: .stale(changes: Int.random(in: 1...10, using: &random))
        case 2: .partial
        case 3: .late(events: Int.random(in: 1...6, using: &random))
        default: .none
        }
    }
}
