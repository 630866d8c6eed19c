import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PromotionExplorationTests {
    @Test
    func `after any inputs, a purchase from the App Store is continued by one call at a time, and submitted once`()
        async
    {
        await explore("PromotionStateMachine", PromotionModel(), depth: 7)
    }
}

/// Two purchases from the App Store, and calls that continue them.
private struct PromotionModel: ExploredModel {
    enum Input {
        case begin(Int, PurchaseIntentPolicy.Decision)
        case take(Int)
        case submit(Int)
        case release(Int)
    }

    private enum Place: Equatable {
        case unknown
        case held
        case taken(CallID)
        case submitted
    }

    private static let ids = [PromotedPayment.ID(), PromotedPayment.ID()]
    private static let product = StoreProduct(
        id: "pro", displayName: "", description: "", price: 1, priceLocale: Locale(identifier: "en_US"))

    private(set) var machine = PromotionStateMachine()
    private var places: [Place] = [.unknown, .unknown]

    var inputs: [Input] {
        places.indices.flatMap { index -> [Input] in
            switch places[index] {
            case .unknown: [.begin(index, .hold), .begin(index, .continue), .take(index)]
            case .held, .submitted: [.take(index)]
            case .taken: [.take(index), .submit(index), .release(index)]
            }
        }
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .begin(let index, let decision):
            let payment = PaymentRequest(productID: "pro", quantity: index + 1)
            machine.paymentPromoted(
                PromotedPayment(
                    id: Self.ids[index], payment: payment, product: Self.product, decision: decision,
                    isContinuedByQueue: decision == .continue))
            places[index] = decision == .hold ? .held : .submitted
        case .take(let index):
            let call = CallID()
            let isClaimed = machine.claim(Self.ids[index], for: call)
            try promise(isClaimed == (places[index] == .held), "the purchase was given to two calls, or to none")
            if isClaimed { places[index] = .taken(call) }
        case .submit(let index):
            guard case .taken(let call) = places[index] else { return }
            machine.submitted(by: call)
            places[index] = .submitted
        case .release(let index):
            guard case .taken(let call) = places[index] else { return }
            machine.release(by: call)
            places[index] = .held
        }
    }

    mutating func conclude() throws(BrokenPromise) {
        for index in places.indices {
            if places[index] == .held { try take(.take(index)) }
            if case .taken = places[index] { try take(.submit(index)) }
            try take(.take(index))
        }
    }
}
