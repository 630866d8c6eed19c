import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DelivererTests {
    typealias State = StoreTransaction.State
    typealias CallStyle = Deliverer.CallStyle

    struct Row: Sendable, Hashable, CustomStringConvertible {
        let state: State
        let style: CallStyle?
        let hasInstalledDelivery: Bool

        var description: String {
            let call = style.map { "answering a call in the style \($0)" } ?? "answering no call"
            return "\(state), \(call), \(hasInstalledDelivery ? "with" : "without") an installed delivery"
        }
    }

    /// The deliverer of each row.
    private static let table: [Row: Deliverer] = {
        var table: [Row: Deliverer] = [:]
        func add(_ state: State, _ style: CallStyle?, _ hasInstalledDelivery: Bool, _ deliverer: Deliverer) {
            table[Row(state: state, style: style, hasInstalledDelivery: hasInstalledDelivery)] = deliverer
        }
        // The transaction answers a call with a closure: only the closure delivers.
        add(.purchased, .closure, false, .closure)
        add(.purchased, .closure, true, .closure)
        add(.restored, .closure, false, .closure)
        add(.restored, .closure, true, .closure)
        // It answers a call without a closure, or none, and a delivery is installed: the installed delivery delivers.
        add(.purchased, .plain, true, .installedDelivery)
        add(.restored, .plain, true, .installedDelivery)
        add(.purchased, nil, true, .installedDelivery)
        add(.restored, nil, true, .installedDelivery)
        // There is neither a closure nor a delivery: the caller delivers, or a subscriber.
        add(.purchased, .plain, false, .caller)
        add(.restored, .plain, false, .caller)
        add(.purchased, nil, false, .subscribers)
        add(.restored, nil, false, .subscribers)
        // The transaction isn't paid: there is nothing to deliver.
        for state in [State.purchasing, .deferred, .failed] {
            for style in [CallStyle.plain, .closure, nil] {
                for hasInstalledDelivery in [false, true] { add(state, style, hasInstalledDelivery, .nobody) }
            }
        }
        return table
    }()

    /// Every combination.
    private static let rows = State.allCases.flatMap { state in
        [CallStyle.plain, .closure, nil].flatMap { style in
            [false, true].map { Row(state: state, style: style, hasInstalledDelivery: $0) }
        }
    }

    @Test func `the table has a row for every combination`() {
        expectEqual(Self.rows.count, 30)
        expectEqual(Set(Self.rows), Set(Self.table.keys))
        expectEqual(CallStyle.allCases.count, 2)
    }

    @Test(arguments: rows) func `a transaction has the deliverer of the table`(row: Row) {
        let deliverer = Deliverer(of: row.state, answering: row.style, hasInstalledDelivery: row.hasInstalledDelivery)
        expectEqual(deliverer, Self.table[row])
    }
}
