package import Foundation

// The StoreKit 2 calls of a launch. After its end, a launch returns empty lists and abandons every call.
extension SimulatedLaunch {
    /// Returns transactions, newest first, optionally of one product. Returns immediately, even if the list is late.
    package func transactions(_ listing: SimulatedListing, of productID: String? = nil) -> [SimulatedSignedTransaction]
    {
        read([]) { $0.read(listing, of: productID).transactions }
    }

    /// Waits for a list of transactions, newest first, optionally of one product. Cancellation doesn't end the wait.
    package func listedTransactions(
        _ listing: SimulatedListing, of productID: String? = nil
    ) async -> [SimulatedSignedTransaction] {
        await withCheckedContinuation { reader in
            readTransactions(listing, of: productID) { reader.resume(returning: $0) }
        }
    }

    /// Reads transactions, newest first, optionally of one product. The handler is called once, before this function
    /// returns unless the list is late.
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

    package func latestTransaction(of productID: String) -> SimulatedSignedTransaction? {
        read(nil) { engine in engine.latestRow(of: productID).map { engine.signed($0) } }
    }

    /// Returns the statuses of a group's subscriptions: the account's own subscription, then that of the family.
    ///
    /// - Throws: ``SimulatorBehavior/statusError``
    package func statuses(inGroup groupID: String) throws(SimulatedError) -> [SimulatedSignedStatus] {
        if let error = store.behavior.statusError { throw error }
        return read([]) { $0.signedStatuses(ofGroup: groupID) }
    }

    /// Returns the status of the subscription that a transaction belongs to; `nil` for other transactions.
    ///
    /// - Throws: ``SimulatorBehavior/statusError``
    package func status(ofTransaction number: UInt64) throws(SimulatedError) -> SimulatedSignedStatus? {
        if let error = store.behavior.statusError { throw error }
        return read(nil) { $0.signedStatus(ofTransaction: number) }
    }

    package var statusesByGroup: [(groupID: String, statuses: [SimulatedSignedStatus])] {
        read([]) { engine in engine.subscribedGroups.map { ($0, engine.signedStatuses(ofGroup: $0)) } }
    }

    package func isEligibleForIntroductoryOffer(inGroup groupID: String) -> Bool {
        read(false) { $0.isEligibleForIntroductoryOffer(inGroup: groupID) }
    }

    /// The app transaction. Reading it may show a sign-in dialog; see ``SimulatorBehavior/appTransactionAsksToSignIn``.
    package var appTransaction: SimulatedSignedAppTransaction {
        store.withEngine { engine in
            if engine.behavior.appTransactionAsksToSignIn { engine.appTransactionSignInCount += 1 }
            return engine.signedAppTransaction()
        }
    }

    /// The identifier of the device in signed texts.
    package var deviceVerificationID: UUID {
        store.deviceVerificationID
    }

    /// Starts a purchase. The handler is called once, on the thread of the observers.
    ///
    /// - Parameters:
    ///   - payment: The payment.
    ///   - mayContinue: Decides whether the purchase continues if the storefront changes.
    ///   - handler: Receives the answer.
    /// - Returns: The identifier of the call for ``cancelPurchase(_:)``.
    package func purchase(
        _ payment: SimulatedPayment, mayContinue: (@Sendable (SimulatedStorefront) -> Bool)? = nil,
        handler: @escaping @Sendable (SimulatedAnswer) -> Void
    ) -> UInt64 {
        call(handler) { $0.purchase(payment, mayContinue, handler) }
    }

    /// Reports that the task of a purchase was canceled; see ``SimulatorBehavior/cancelledPurchase``.
    package func cancelPurchase(_ call: UInt64) {
        mutate { $0.cancelPurchase(call) }
    }

    /// Finishes a transaction, which isn't reported again. Finishing a transaction twice has no effect.
    package func finish(transaction number: UInt64) {
        mutate { $0.finish(number: number) }
    }

    /// Synchronizes with the App Store. ``SimulatorBehavior/restoreEnding`` selects the result. The handler is called
    /// once.
    package func synchronize(handler: @escaping @Sendable (SimulatedAnswer) -> Void) {
        _ = call(handler) { engine in
            let call = engine.makeCall(handler)
            engine.enqueue(.sync(call: call))
            return call
        }
    }

    /// Presents the sheet for offer codes. The handler is called once; see
    /// ``SimulatorBehavior/offerCodeSheetReturnsTransaction``.
    package func redeemOfferCode(handler: @escaping @Sendable (SimulatedAnswer) -> Void) {
        _ = call(handler) { $0.presentCodeSheet(handler) }
    }

    /// Signs the app transaction again. The call ends as a receipt refresh does. The handler is called once.
    package func refreshAppTransaction(handler: @escaping @Sendable (SimulatedAnswer) -> Void) {
        _ = call(handler) { engine in
            let call = engine.makeCall(handler)
            engine.enqueue(.refresh(call: call))
            return call
        }
    }

    /// Loads products. Unless the request is canceled, the handler is called once: with the products, an error, or
    /// `nil` if the launch ends first.
    package func products(
        for identifiers: Set<String>, handler: @escaping @Sendable (Result<[SimulatedProduct], SimulatedError>?) -> Void
    ) -> SimulatedRequest {
        let isAnswered = Protected(false)
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
        return sent
    }

    /// Adds a listener. The handler is called on the thread of the observers, and receives the end of the launch.
    ///
    /// - Returns: The identifier of the listener for ``stopListening(_:)``.
    package func listen(to kind: SimulatedUpdate.Kind, handler: @escaping @Sendable (SimulatedUpdate) -> Void) -> UInt64
    {
        let id = store.mutate { engine in
            engine.device.launch.number == number ? engine.addListener(Listener(kind: kind, handler: handler)) : 0
        }
        if id == 0 { handler(.launchEnded) }
        return id
    }

    /// Removes a listener. Does nothing for an unknown listener.
    package func stopListening(_ id: UInt64) {
        // Deallocate the listener after the lock is released, because its deallocation may run code that calls the
        // store.
        let listener = store.withEngine { $0.device.launch.listeners.removeValue(forKey: id) }
        withExtendedLifetime(listener) {}
    }

    /// Adds a listener for each of several kinds of updates, and returns the closure that removes the listeners.
    package func observe(
        _ kinds: [SimulatedUpdate.Kind], handler: @escaping @Sendable (SimulatedUpdate) -> Void
    ) -> @Sendable () -> Void {
        let listeners = kinds.map { listen(to: $0, handler: handler) }
        return { listeners.forEach(self.stopListening) }
    }

    /// Observes the messages for the customer, by the names of their reasons. Returns the closure that ends this.
    package func observeMessages(_ handler: @escaping @Sendable (_ reason: String) -> Void) -> @Sendable () -> Void {
        observe([.messages]) { if case .message(let message) = $0 { handler("\(message)") } }
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
