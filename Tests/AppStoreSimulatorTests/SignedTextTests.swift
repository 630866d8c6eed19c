import AppStoreSimulator
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
