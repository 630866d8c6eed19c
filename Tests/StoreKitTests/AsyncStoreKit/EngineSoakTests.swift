import AsyncStoreKit
import Support
import TestHarness
import Testing

@Suite(.bounded) struct EngineSoakTests {
    @Test(arguments: Soak.slices.indices)
    func `the promises hold while 300 calls run at the same time over StoreKit 1`(slice: Int) async throws {
        let broken = try await Soak.play(slice, over: "StoreKit 1") { launch, _ in
            StoreKit1Backend(environment: StoreKit1Environment(launch: launch))
        }
        expectEqual(broken, nil)
    }

    @Test(arguments: Soak.slices.indices)
    func `the promises hold while 300 calls run at the same time over StoreKit 2`(slice: Int) async throws {
        let broken = try await Soak.play(slice, over: "StoreKit 2", saysWhatIsAnswered: true) { launch, clock in
            StoreKit2Backend(environment: SystemStoreKit2(launch: launch, clock: clock))
        }
        expectEqual(broken, nil)
    }
}
