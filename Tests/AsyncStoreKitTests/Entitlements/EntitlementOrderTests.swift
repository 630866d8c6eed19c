import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The order of several purchases of a product, and of several subscriptions of a group.
@Suite(.bounded) struct EntitlementOrderTests {
    private static func at(_ day: Double) -> Date { Date(timeIntervalSince1970: 1_767_225_600 + day * 86_400) }

    private static func entitlement(
        _ productID: String, _ state: SubscriptionState, level: Int? = nil, isShared: Bool = false,
        ends day: Double = 30, bought: Double = 0
    ) -> StoreEntitlement {
        var row = PurchaseFacts(
            productID: productID, transactionID: "\(productID) \(bought)", purchaseDate: at(bought),
            expirationDate: at(day), productKind: .autoRenewable)
        row.ownershipType = isShared ? .familyShared : .purchased
        row.subscriptionGroupID = "club"
        var entitlement = StoreEntitlement(
            VerifiedTransaction(row), kind: .autoRenewable, state: state, accessEndDate: at(day), renewal: nil)
        entitlement.level = level
        return entitlement
    }

    /// Every combination of what the order compares.
    private static let all: [StoreEntitlement] = {
        var all: [StoreEntitlement] = []
        for state in [SubscriptionState.subscribed, .inGracePeriod, .inBillingRetryPeriod, .expired, .upgraded] {
            for level in [nil, 1, 2] {
                for isShared in [true, false] {
                    for day in [10.0, 20] {
                        for bought in [0.0, 5] {
                            all.append(
                                entitlement(
                                    "basic", state, level: level, isShared: isShared, ends: day, bought: bought))
                        }
                    }
                }
            }
        }
        return all
    }()

    /// What the order compares, the most important first. The greater one is better.
    private static func key(_ entitlement: StoreEntitlement, _ comparesLevels: Bool) -> [Double] {
        let isEntitled = entitlement.isEntitled
        return [
            isEntitled ? 2 : entitlement.state == .inBillingRetryPeriod ? 1 : 0,
            comparesLevels && isEntitled ? -Double(entitlement.level ?? 0) : 0,
            isEntitled && !entitlement.isFamilyShared ? 1 : 0,
            entitlement.accessEndDate?.timeIntervalSince1970 ?? .infinity,
            entitlement.purchaseDate.timeIntervalSince1970,
        ]
    }

    @Test func `of two transactions, the later purchase is newer, then the later end, then the greater number`() {
        let newestFirst = [("1", 5, 10.0), ("1", 0, 30), ("10", 0, 20), ("9", 0, 20), ("30", 0, nil)].map {
            PurchaseFacts(
                productID: "basic", transactionID: $0, purchaseDate: Self.at($1), expirationDate: $2.map(Self.at))
        }
        for (place, row) in newestFirst.enumerated() {
            for (other, otherRow) in newestFirst.enumerated() {
                expectEqual(row.isNewer(than: otherRow), place < other, "\(place) and \(other)")
            }
        }
    }

    @Test func `of every two subscriptions of a group, the better one is used`() throws {
        expectEqual(Self.all.count, 120)
        for first in Self.all {
            for second in Self.all {
                let comparesLevels = first.level != nil && second.level != nil
                let keys = (Self.key(first, comparesLevels), Self.key(second, comparesLevels))
                let best = try #require(StoreEntitlement.best(ofGroup: [first, second]))
                let isRight = keys.0.lexicographicallyPrecedes(keys.1) ? best == second : best == first
                if !isRight, keys.0 != keys.1 {
                    Issue.record("\(best) of \(first) and \(second)")
                    return
                }
            }
        }
    }

    @Test func `the best of several subscriptions doesn't depend on their order`() {
        for (index, first) in Self.all.enumerated() {
            for second in Self.all[index...] {
                for third in stride(from: 0, to: Self.all.count, by: 7).map({ Self.all[$0] }) {
                    let best = StoreEntitlement.best(ofGroup: [first, second, third])
                    let other = StoreEntitlement.best(ofGroup: [third, second, first])
                    let levels = [first, second, third].allSatisfy { $0.level != nil }
                    guard let best, let other, Self.key(best, levels) == Self.key(other, levels) else {
                        Issue.record("\(first), \(second), \(third)")
                        return
                    }
                }
            }
        }
    }

    private static func status(_ entitlements: [StoreEntitlement]) -> SubscriptionGroupStatus {
        StoreEntitlements(entitlements, basis: .confirmed).status(inGroup: "club")
    }

    @Test func `a family member's higher level is used instead of the customer's lower one`() {
        let status = Self.status([
            Self.entitlement("gold", .subscribed, level: 1, isShared: true, ends: 10),
            Self.entitlement("silver", .subscribed, level: 2, ends: 20),
        ])
        expectEqual(status.productID, "gold")
    }
}
