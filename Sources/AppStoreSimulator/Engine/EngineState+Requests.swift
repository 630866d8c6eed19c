import Foundation

extension EngineState {
    /// Sends a request, if its launch is current, and gives it an identifier.
    mutating func send(_ request: RequestState, launch number: UInt64) -> UInt64 {
        lastRequest += 1
        if number == launch.number {
            requests[lastRequest] = request
            work.append(.request(lastRequest))
        }
        return lastRequest
    }

    /// Withdraws a request.
    mutating func cancel(_ id: UInt64) {
        guard !behavior.repliesAfterCancel, let request = requests.removeValue(forKey: id) else { return }
        discard(request.handler)
        deliveries.removeAll { delivery in
            if case .request(id, _, _) = delivery { true } else { false }
        }
    }

    /// Answers a request, unless it was withdrawn.
    mutating func answer(_ id: UInt64) {
        guard let request = requests[id] else { return }
        let events: [SimulatedRequest.Event]
        switch request.question {
        case .products(let identifiers): events = productsAnswer(to: identifiers)
        case .receipt(let properties): events = receiptAnswer(to: properties)
        }
        if events.isEmpty {
            requests[id] = nil
            discard(request.handler)
        }
        for event in events {
            deliveries.append(.request(id, event, handler: request.handler))
        }
    }

    private func productsAnswer(to identifiers: Set<String>) -> [SimulatedRequest.Event] {
        if behavior.productRequestsAreNeverAnswered { return [] }
        if let error = behavior.productRequestError { return [.failed(error)] }
        let sorted = identifiers.sorted()
        let answer = SimulatedRequest.Event.products(sorted.compactMap { product($0) }, invalid: sorted.filter { !sells($0) })
        return behavior.productRequestsFailAfterReply ? [answer, .failed(.notConnectedToInternet)] : [answer, .finished]
    }

    private mutating func receiptAnswer(to properties: SimulatedReceiptProperties) -> [SimulatedRequest.Event] {
        if behavior.receiptRefreshesAreNeverAnswered { return [] }
        if let error = behavior.receiptRefreshError { return [.failed(error)] }
        account.receipt.properties = properties
        account.receipt.refresh(at: now)
        return [.finished]
    }
}
