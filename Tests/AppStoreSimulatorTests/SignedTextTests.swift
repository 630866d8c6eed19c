import AppStoreSimulator
import Foundation
import TestHarness
import Testing

/// The payload and the signature of StoreKit 2's signed texts.
@Suite(.bounded) struct SignedTextTests {
    private let store = SimulatedAppStore.stepped { $0.listingLag = 0 }

    private func text(of productID: String) throws -> SimulatedSignedText {
        try store.buyProduct(productID: productID)
        store.runUntilIdle()
        return try #require(store.launch().latestTransaction(of: productID)).text
    }

    @Test func `reading a payload doesn't create the signature, and the signature contains the payload`() throws {
        let text = try text(of: "pro")
        let payload = text.payload
        #expect(!payload.isEmpty && !text.isSigned)
        let jws = text.jws
        #expect(text.isSigned)
        let parts = jws.split(separator: ".")
        expectEqual(parts.count, 3)
        expectEqual(parts.dropFirst().first.map(String.init), SimulatedJWSIssuer.base64URL(payload))
        expectEqual(text.jws, jws, "the signature is made once")
        expectEqual(text.payload, payload)
    }

    @Test func `a signature that isn't valid belongs to the same payload`() throws {
        store.behavior.transactionsAreUnverified = true
        let text = try text(of: "pro")
        let jws = text.jws
        #expect(text.isSigned && jws.contains(".\(SimulatedJWSIssuer.base64URL(text.payload))."))
    }
}

/// The dates of signatures, by which the newest text is found.
extension SignedTextTests {
    private func statusText(_ launch: SimulatedLaunch) throws -> SimulatedSignedText {
        try #require(try launch.statuses(inGroup: "club").first).renewalText
    }

    @Test func `texts with different contents are signed at different milliseconds, and the last is the newest`() throws
    {
        var texts = [try text(of: "pro")]
        let launch = store.launch()
        func read() throws { texts.append(try #require(launch.latestTransaction(of: "pro")).text) }
        try store.refund("pro", percentage: 30)
        try read()
        try store.reverseRefund(of: "pro")
        try read()
        expectEqual(store.allTransactions().last?.refundedPercentage, nil)
        store.advance(by: 0.0005)
        try store.refund("pro", percentage: 60)
        try read()
        let dates = texts.map { Int($0.seal.signedDate.timeIntervalSince1970 * 1000) }
        expectEqual(Set(dates).count, 4)
        expectEqual(dates, dates.sorted())
        try read()
        expectEqual(texts[4].seal.signedDate, texts[3].seal.signedDate, "an unchanged text isn't signed again")
    }

    @Test func `renewal information with different contents is signed at different milliseconds`() throws {
        try store.buyProduct(productID: "monthly")
        let launch = store.launch()
        var texts = [try statusText(launch)]
        for isOn in [false, true, false] {
            if isOn { try store.enableAutoRenew(of: "monthly") } else { try store.disableAutoRenew(of: "monthly") }
            texts.append(try statusText(launch))
        }
        let dates = texts.map { Int($0.seal.signedDate.timeIntervalSince1970 * 1000) }
        expectEqual(Set(dates).count, 4)
        expectEqual(dates, dates.sorted())
        expectEqual(try statusText(launch).seal.signedDate, texts[3].seal.signedDate)
    }

    @Test func `an outdated list has the signatures of its time`() throws {
        _ = try text(of: "pro")
        let launch = store.launch()
        let first = try #require(launch.latestTransaction(of: "pro")).text.seal.signedDate
        try store.refund("pro")
        try store.reverseRefund(of: "pro")
        let newest = try #require(launch.latestTransaction(of: "pro")).text.seal.signedDate
        for changes in [1, 2] {
            store.setNextListingFault(.stale(changes: changes), for: .all)
            let stale = try #require(launch.transactions(.all).first).text
            #expect(stale.seal.signedDate >= first && stale.seal.signedDate < newest)
        }
    }
}
