import AsyncStoreKit
import Support
import TestHarness
import Testing

@Suite(.bounded) struct EngineCancelledDeliveryTests {
    @Test(arguments: CancelledDelivery.Style.allCases, CancelledDelivery.slices.indices)
    func `nothing is lost when an app is cancelled at random moments over StoreKit 1`(
        style: CancelledDelivery.Style, slice: Int
    ) async throws {
        try await CancelledDelivery.play(slice, style, over: "StoreKit 1") { launch, _ in
            StoreKit1Backend(environment: StoreKit1Environment(launch: launch))
        }
    }

    @Test(arguments: CancelledDelivery.Style.allCases, CancelledDelivery.slices.indices)
    func `nothing is lost when an app is cancelled at random moments over StoreKit 2`(
        style: CancelledDelivery.Style, slice: Int
    ) async throws {
        try await CancelledDelivery.play(slice, style, over: "StoreKit 2") { launch, clock in
            StoreKit2Backend(environment: SystemStoreKit2(launch: launch, clock: clock))
        }
    }
}
