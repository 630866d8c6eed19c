#if !canImport(Darwin)
    import AppStoreSimulator
    import TestHarness
    import Testing

    // Tasks that start immediately need macOS 26 and iOS 26.
    @Suite(.bounded) struct LateListingTests {
        private let store = SimulatedAppStore.stepped { $0.listingLag = 0 }

        /// Buys a product on another device.
        private func buyElsewhere(_ product: String) throws {
            store.advance(by: 1)
            try store.buyProduct(productID: product)
            store.runUntilIdle()
        }

        @Test func `a late list is read at the time of the call, and arrives after a number of events`() async throws {
            try buyElsewhere("coins")
            let observer = RecordingObserver()
            let launch = store.launch(observer)
            store.runUntilIdle()
            store.setNextListingFault(.late(events: 2), for: .unfinished)
            let arrived = OrderLog<String>()
            let reader = Task.immediate {
                let products = await launch.listedTransactions(.unfinished).map(\.record.productID)
                arrived.append("list of \(products)")
            }
            for product in ["gems", "pro"] {
                #expect(arrived.values.isEmpty)
                try store.buyProduct(productID: product)
                #expect(store.step())
            }
            await reader.value
            expectEqual(arrived.values, ["list of [\"coins\"]"])
            expectEqual(store.releaseListings(), 0)
        }

        @Test func `late lists can be released, and the end of a launch ends them`() async throws {
            try buyElsewhere("pro")
            let launch = store.launch()
            store.behavior.unfinishedListing = .late(events: .max)
            store.behavior.entitlementsListing = .late(events: 1)
            let first = Task.immediate { await launch.listedTransactions(.unfinished).count }
            let second = Task.immediate { await launch.listedTransactions(.currentEntitlements).count }
            await store.waitUntilIdle()
            expectEqual(store.releaseListings(), 2)
            expectEqual(await [first.value, second.value], [1, 1])
            let last = Task.immediate { await launch.listedTransactions(.unfinished).count }
            let next = store.launch()
            expectEqual(await last.value, 0)
            expectEqual(next.transactions(.unfinished).count, 1)
        }
    }
#endif
