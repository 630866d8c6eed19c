#if !canImport(Darwin)
    import AsyncStoreKit
    import SwiftyStoreKit
    import Testing

    /// Serialized, because there is one for the whole process.
    @Suite("The process's old store", .serialized)
    struct LegacyStoreTests {
        @Test("it is made once, whoever asks first, and the store underneath is its own")
        func shared() async {
            let legacies = await withTaskGroup(of: LegacyStore.self) { group in
                for _ in 0..<20 { group.addTask { SwiftyStoreKit.legacy } }
                return await group.reduce(into: [LegacyStore]()) { $0.append($1) }
            }
            #expect(legacies.allSatisfy { $0 === legacies.first })
            #expect(SwiftyStoreKit.store === legacies.first?.store)
        }

        @Test("another can take its place")
        func replaced() {
            let legacy = LegacyWorld().launch()
            let before = SwiftyStoreKit.legacy
            SwiftyStoreKit.legacy = legacy
            #expect(SwiftyStoreKit.store === legacy.store)
            SwiftyStoreKit.legacy = before
        }
    }
#endif
