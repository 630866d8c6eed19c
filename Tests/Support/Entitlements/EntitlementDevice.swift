import AppReceipt
import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// A device whose lists and statuses are wrong, and whose reads are late or fail, as a test decides.
package final class EntitlementDevice: Sendable {
    package enum Fault: CaseIterable, Sendable {
        case none
        /// The list is empty, with or without the statuses; lacks some purchases or the newest; or is an older one.
        case empty, emptyWithStatuses, short, withoutNewest, stale
        /// The statuses can't be read, are missing, or say that every subscription has ended.
        case statusesFail, statusesMissing, statusesLie
        /// The read fails, or takes up to 90 seconds.
        case throwing, late

        /// Whether the device says something wrong, so that it can be believed for a while.
        package var isLie: Bool {
            switch self {
            case .short, .withoutNewest, .stale, .statusesLie, .statusesMissing: true
            case .none, .empty, .emptyWithStatuses, .statusesFail, .throwing, .late: false
            }
        }
    }

    private struct State: Sendable {
        var fault = Fault.none
        var random: ScheduleGenerator
        var listings: [[StoreKit2SignedTransaction]] = []
    }

    private let state: Locked<State>

    package init(seed: UInt64) {
        state = Locked(State(random: ScheduleGenerator(seed: seed)))
    }

    package var fault: Fault {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Forgets the older lists, as at a relaunch.
    package func forget() { state.withLock { $0.listings = [] } }

    /// Returns an environment with the faults of this device.
    package func environment(_ base: any StoreKit2Environment) -> any StoreKit2Environment {
        FaultyEnvironment(next: base, device: self)
    }

    fileprivate func statuses(_ whole: [StoreKit2Status]) -> [StoreKit2Status] {
        whole.map { [fault] status in
            guard fault == .statusesLie, status.state == .subscribed else { return status }
            return StoreKit2Status(state: .revoked, transaction: status.transaction, renewal: status.renewal)
        }
    }

    fileprivate func listing(_ whole: [StoreKit2SignedTransaction]) -> [StoreKit2SignedTransaction] {
        state.withLock { state in
            defer { state.listings.append(whole) }
            switch state.fault {
            case .empty, .emptyWithStatuses: return []
            case .short: return whole.filter { _ in state.random.chance(50) }
            case .withoutNewest:
                let newest = whole.max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
                return whole.filter { $0.id != newest?.id }
            case .stale: return state.listings.dropLast(1).last ?? []
            case .none, .statusesFail, .statusesMissing, .statusesLie, .throwing, .late: return whole
            }
        }
    }

    /// Waits, or throws, before a read.
    fileprivate func beginRead(_ clock: any StoreClock) async throws(StoreError) {
        switch fault {
        case .throwing: throw StoreError(.networkError, "The device doesn't answer.")
        case .late:
            let seconds = state.withLock { Double(Int.random(in: 1...90, using: &$0.random)) }
            do {
                try await clock.sleep(for: seconds)
            } catch {
                throw StoreError(.timedOut, "The read was canceled.")
            }
        default: break
        }
    }
}

private struct FaultyEnvironment: RelayEnvironment {
    let next: any StoreKit2Environment
    let device: EntitlementDevice

    func currentEntitlements() async -> [StoreKit2SignedTransaction] {
        device.listing(await next.currentEntitlements())
    }

    func statuses(_ groupID: String) async throws(StoreError) -> [StoreKit2Status] {
        switch device.fault {
        case .statusesFail: throw StoreError(.networkError, "The statuses can't be read.")
        case .statusesMissing, .empty: return []
        default: return device.statuses(try await next.statuses(groupID))
        }
    }
}

/// A backend whose reads of the entitlements are late or fail.
package struct EntitlementDeviceBackend: RelayBackend {
    package let next: any StoreBackend
    private let device: EntitlementDevice

    package init(_ next: any StoreBackend, _ device: EntitlementDevice) {
        (self.next, self.device) = (next, device)
    }

    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        try await device.beginRead(clock)
        return try await next.purchaseHistory(groups: groups)
    }
}
