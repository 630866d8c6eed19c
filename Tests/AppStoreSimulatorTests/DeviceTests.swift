import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct DeviceTests {
    private let phone = SimulatedAppStore.stepped()
    private let tablet: SimulatedAppStore

    init() {
        tablet = phone.newDevice()
    }

    /// Updates of a kind that a launch receives.
    private func updates(_ launch: SimulatedLaunch, of kind: SimulatedUpdate.Kind = .transactions) -> OrderLog<String> {
        let log = OrderLog<String>()
        _ = launch.listen(to: kind) { update in
            switch update {
            case .transaction(let transaction): log.append(transaction.record.productID)
            case .status(let status): log.append("\(status.transaction.record.productID) \(status.state)")
            case .storefront(let storefront): log.append(storefront.countryCode)
            case .message(let message): log.append("\(message)")
            case .intent(let product, _): log.append(product.productID)
            case .launchEnded: log.append("ended")
            }
        }
        return log
    }

    private func observedLaunch(of device: SimulatedAppStore) -> (SimulatedLaunch, RecordingObserver) {
        let observer = RecordingObserver.finishing()
        return (device.launch(observer), observer)
    }

    @Test(arguments: [("pro", ["pro"]), ("season", ["season"]), ("monthly", ["monthly"]), ("coins", [])])
    func `a purchase on one device is an update on the others, except a consumable`(
        productID: String, received: [String]
    ) throws {
        let (launch, other) = (phone.launch(), tablet.launch())
        let (here, there) = (updates(launch), updates(other))
        let answers = OrderLog<String>()
        _ = launch.purchase(SimulatedPayment(productID: productID)) { answers.append("\($0)".prefix(9).description) }
        phone.runUntilIdle()
        expectEqual(answers.values, ["purchased"])
        expectEqual(here.values, [])
        expectEqual(there.values, received)
        let next = updates(phone.newDevice().launch())
        phone.runUntilIdle()
        expectEqual(next.values, [productID])
        let number = try #require(launch.transactions(.unfinished).first).number
        expectEqual(other.transactions(.unfinished).map(\.number), [number])
        other.finish(transaction: number)
        #expect(launch.transactions(.unfinished).isEmpty)
        #expect(launch.isCurrent && other.isCurrent)
    }

    @Test func `a device that was off has missed purchases at its next launch`() {
        phone.own("coins", "monthly")
        let launch = phone.launch()
        let here = updates(launch)
        tablet.advance(by: .months(1))
        phone.runUntilIdle()
        expectEqual(here.values, ["monthly"])
        let there = updates(tablet.launch())
        tablet.runUntilIdle()
        expectEqual(there.values, ["monthly"])
    }

    @Test func `a refund, a status, a storefront and a message reach every device`() throws {
        phone.own("monthly")
        let logs = [phone.launch(), tablet.launch()].map { launch in
            [SimulatedUpdate.Kind.transactions, .statuses, .storefronts, .messages].map { updates(launch, of: $0) }
        }
        try tablet.refund("monthly")
        phone.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
        phone.showMessage(.generic)
        phone.runUntilIdle()
        let received = logs.map { $0.map(\.values) }
        expectEqual(received[0], received[1])
        expectEqual(received[0], [["monthly"], ["monthly revoked"], ["DEU"], ["generic"]])
    }

    @Test func `a payment queue reports the payments of its own device, and a restore the others`() {
        let (launch, here) = observedLaunch(of: phone)
        let (other, there) = observedLaunch(of: tablet)
        launch.buy("pro")
        expectEqual(here.states, [.purchasing, .purchased])
        #expect(there.events.isEmpty)
        #expect(launch.receipt != nil)
        #expect(other.receipt == nil)
        other.restoreCompletedTransactions()
        launch.restore()
        expectEqual(there.log, ["updated pro:restored", "removed pro:restored", "restore finished"])
        expectEqual(Array(here.log.suffix(3)), ["updated pro:restored", "removed pro:restored", "restore finished"])
    }

    @Test func `a receipt has the purchases of another device after a refresh`() throws {
        let other = tablet.launch()
        phone.own("pro")
        tablet.own("themes")
        expectEqual(other.isCurrent, false)
        let launch = tablet.launch()
        expectEqual(launch.receiptContent?.transactions.map(\.productID), ["themes"])
        let request = launch.receiptRefreshRequest { _ in }
        request.start()
        tablet.runUntilIdle()
        expectEqual(launch.receiptContent?.transactions.map(\.productID).sorted(), ["pro", "themes"])
    }

    @Test func `an approval through any object reaches the queue of the requesting device`() throws {
        phone.behavior.askToBuyEnabled = true
        let (launch, here) = observedLaunch(of: phone)
        let (_, there) = observedLaunch(of: tablet)
        launch.buy("pro")
        try tablet.approvePurchase(of: "pro")
        tablet.runUntilIdle()
        expectEqual(here.states, [.purchasing, .deferred, .purchased])
        #expect(there.events.isEmpty)
    }

    @Test func `a launch ends the former launch on the same device only`() {
        let (launch, other) = (phone.launch(), tablet.launch())
        let (here, there) = (updates(launch), updates(other))
        let next = tablet.launch()
        expectEqual(there.values, ["ended"])
        expectEqual(here.values, [])
        expectEqual([launch.isCurrent, other.isCurrent, next.isCurrent], [true, false, true])
    }

    @Test func `texts are signed for the device that reads them, and each device has its own clock`() throws {
        let (launch, other) = (phone.launch(), tablet.launch())
        phone.own("pro")
        let again = phone.launch()
        #expect(launch.deviceVerificationID != other.deviceVerificationID)
        let texts = [again, other].compactMap { $0.transactions(.all).first?.text.jws }
        expectEqual(Set(texts).count, 2)
        tablet.deviceClockOffset = 60
        expectEqual([phone.deviceClockOffset, tablet.deviceClockOffset], [0, 60])
    }

    @Test func `clearing the history empties every device`() {
        phone.own("pro")
        tablet.own("themes", "coins")
        phone.showMessage(.billingIssue)
        phone.clearTransactions()
        for launch in [phone.launch(), tablet.launch()] {
            #expect(launch.transactions(.all).isEmpty)
            #expect(launch.receipt == nil)
            let messages = updates(launch, of: .messages)
            phone.runUntilIdle()
            expectEqual(messages.values, [])
        }
        #expect(tablet.allTransactions().isEmpty)
    }

    @Test func `clearing the history discards a renewal that no other device has received`() throws {
        phone.beginSession(.example)
        phone.behavior.timeRate = .oneRenewalEveryTwoSeconds
        phone.own("monthly")
        let renewal = try #require(phone.nextEventDate)
        phone.advance(to: renewal.addingTimeInterval(-0.001))
        // The renewal occurs while the clock is read, so that no delivery announces the renewal.
        while phone.now < renewal {}
        phone.clearTransactions()
        expectEqual(tablet.launch().transactions(.all).count, 0)
    }

    @Test func `devices process payments concurrently`() {
        let devices = [phone, tablet, phone.newDevice()]
        let launches = devices.map { $0.launch() }
        let observers = launches.map { launch in
            let observer = RecordingObserver.finishing()
            launch.add(observer)
            launch.pay(for: "coins", "coins", "coins")
            return observer
        }
        #expect(phone.step())
        tablet.runUntilIdle()
        for observer in observers { expectEqual(observer.states.filter { $0 == .purchased }.count, 3) }
        expectEqual(phone.allTransactions().map(\.isFinished), Array(repeating: true, count: 9))
        expectEqual(phone.pendingEventCount, 0)
    }
}
