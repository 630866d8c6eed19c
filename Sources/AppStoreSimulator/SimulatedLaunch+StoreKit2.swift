package import Foundation

// What StoreKit 2 asks of a launch. A launch that has ended lists nothing, and abandons every call.
extension SimulatedLaunch {
    /// Transactions, newest first; of one product only, if it is named. Returns at once, even if the list is late.
    package func transactions(_ listing: SimulatedListing, of productID: String? = nil) -> [SimulatedSignedTransaction] {
        read([]) { $0.read(listing, of: productID).transactions }
    }

    /// Transactions, newest first; of one product only, if it is named. Returns when the list has arrived, whether or
    /// not the task is cancelled.
    package func listedTransactions(
        _ listing: SimulatedListing, of productID: String? = nil
    ) async -> [SimulatedSignedTransaction] {
        await withCheckedContinuation { reader in
            readTransactions(listing, of: productID) { reader.resume(returning: $0) }
        }
    }

    /// Reads transactions, newest first; of one product only, if it is named. The handler is called once: before this
    /// returns, unless the list is late.
    package func readTransactions(
        _ listing: SimulatedListing, of productID: String? = nil,
        handler: @escaping @Sendable ([SimulatedSignedTransaction]) -> Void
    ) {
        let transactions: [SimulatedSignedTransaction]? = read([]) { engine in
            let (transactions, delay) = engine.read(listing, of: productID)
            guard delay > 0 else { return transactions }
            engine.device.lateListings.append(LateListing(events: delay, transactions: transactions, reader: handler))
            return nil
        }
        if let transactions { handler(transactions) }
    }

    /// The latest transaction of a product that is listed.
    package func latestTransaction(of productID: String) -> SimulatedSignedTransaction? {
        read(nil) { engine in engine.latestRow(of: productID).map { engine.signed($0) } }
    }

    /// How the subscriptions of a group stand: the account's own, then the family's.
    ///
    /// - Throws: ``SimulatorBehavior/statusError``
    package func statuses(inGroup groupID: String) throws(SimulatedError) -> [SimulatedSignedStatus] {
        if let error = store.behavior.statusError { throw error }
        return read([]) { $0.signedStatuses(ofGroup: groupID) }
    }

    /// How the subscription stands that a transaction belongs to.
    ///
    /// - Throws: ``SimulatorBehavior/statusError``
    package func status(ofTransaction number: UInt64) throws(SimulatedError) -> SimulatedSignedStatus? {
        if let error = store.behavior.statusError { throw error }
        return read(nil) { $0.signedStatus(ofTransaction: number) }
    }

    /// How all subscriptions stand, by group.
    package var statusesByGroup: [(groupID: String, statuses: [SimulatedSignedStatus])] {
        read([]) { engine in engine.subscribedGroups.map { ($0, engine.signedStatuses(ofGroup: $0)) } }
    }

    /// Whether the customer may use an introductory offer in a group.
    package func isEligibleForIntroductoryOffer(inGroup groupID: String) -> Bool {
        read(false) { $0.isEligibleForIntroductoryOffer(inGroup: groupID) }
    }

    /// The purchase of the app itself. Reading it may show a dialog; see
    /// ``SimulatorBehavior/appTransactionAsksToSignIn``.
    package var appTransaction: SimulatedSignedAppTransaction {
        store.withEngine { engine in
            if engine.behavior.appTransactionAsksToSignIn { engine.appTransactionSignInCount += 1 }
            return engine.signedAppTransaction()
        }
    }

    /// The device, as signed texts know it.
    package var deviceVerificationID: UUID {
        store.withEngine { $0.device.id }
    }

    /// Buys. The handler is called once, on the thread on which observers are called.
    ///
    /// - Parameter mayContinue: Asked when the account moves to another storefront meanwhile.
    /// - Returns: The call, to cancel it.
    package func purchase(
        _ payment: SimulatedPayment, mayContinue: (@Sendable (SimulatedStorefront) -> Bool)? = nil,
        handler: @escaping @Sendable (SimulatedAnswer) -> Void
    ) -> UInt64 {
        call(handler) { $0.purchase(payment, mayContinue, handler) }
    }

    /// Says that the task of a purchase was cancelled; see ``SimulatorBehavior/cancelledPurchase``.
    package func cancelPurchase(_ call: UInt64) {
        mutate { $0.cancelPurchase(call) }
    }

    /// Finishes a transaction: it is handed over no more. Doing so twice is harmless.
    package func finish(transaction number: UInt64) {
        mutate { $0.finish(number: number) }
    }

    /// Synchronises with the App Store, which ends as ``SimulatorBehavior/restoreEnding`` says. The handler is called once.
    package func synchronise(handler: @escaping @Sendable (SimulatedAnswer) -> Void) {
        _ = call(handler) { engine in
            let call = engine.makeCall(handler)
            engine.enqueue(.sync(call: call))
            return call
        }
    }

    /// Shows the sheet for offer codes. The handler is called once; see
    /// ``SimulatorBehavior/offerCodeSheetReturnsTransaction``.
    package func redeemOfferCode(handler: @escaping @Sendable (SimulatedAnswer) -> Void) {
        _ = call(handler) { $0.presentCodeSheet(handler) }
    }

    /// Has the purchase of the app signed anew, which ends as the refresh of a receipt does. The handler is called once.
    package func refreshAppTransaction(handler: @escaping @Sendable (SimulatedAnswer) -> Void) {
        _ = call(handler) { engine in
            let call = engine.makeCall(handler)
            engine.enqueue(.refresh(call: call))
            return call
        }
    }

    /// Asks for products. The handler is called once, unless the request is cancelled: with those that there are, an error, or `nil`
    /// when the launch ends before.
    package func products(
        for identifiers: Set<String>, handler: @escaping @Sendable (Result<[SimulatedProduct], SimulatedError>?) -> Void
    ) -> SimulatedRequest {
        let isAnswered = Locked(false)
        let answer: @Sendable (Result<[SimulatedProduct], SimulatedError>?) -> Void = { result in
            let isFirst = isAnswered.withLock { isAnswered in
                defer { isAnswered = true }
                return !isAnswered
            }
            if isFirst { handler(result) }
        }
        let request = RequestState(
            question: .products(identifiers),
            handler: { event in
                switch event {
                case .products(let products, _): answer(.success(products))
                case .failed(let error): answer(.failure(error))
                case .finished: break
                }
            },
            endHandler: { answer(nil) })
        let sent = SimulatedRequest(launch: self, request)
        sent.start()
        // What is sent too late is not known to the launch that has begun.
        if !isCurrent { answer(nil) }
        return sent
    }

    /// Listens. The handler is called on the thread on which observers are called, and told when the launch ends.
    ///
    /// - Returns: The listener, for ``stopListening(_:)``.
    package func listen(to kind: SimulatedUpdate.Kind, handler: @escaping @Sendable (SimulatedUpdate) -> Void) -> UInt64 {
        let id = store.mutate { engine in
            engine.device.launch.number == number ? engine.addListener(Listener(kind: kind, handler: handler)) : 0
        }
        if id == 0 { handler(.launchEnded) }
        return id
    }

    /// Stops listening.
    package func stopListening(_ id: UInt64) {
        // Released when the lock is open: what ends with it may call the store.
        let listener = store.withEngine { $0.device.launch.listeners.removeValue(forKey: id) }
        withExtendedLifetime(listener) {}
    }

    private func call(
        _ handler: @Sendable (SimulatedAnswer) -> Void, _ body: (inout EngineState) -> UInt64
    ) -> UInt64 {
        let call = store.mutate { engine in engine.device.launch.number == number ? body(&engine) : 0 }
        if call == 0 { handler(.abandoned) }
        return call
    }

    private func read<Value>(_ none: Value, _ body: (inout EngineState) -> Value) -> Value {
        store.withEngine { engine in engine.device.launch.number == number ? body(&engine) : none }
    }
}
