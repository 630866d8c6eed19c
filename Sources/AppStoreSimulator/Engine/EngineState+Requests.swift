import Foundation

typealias RequestHandler = @Sendable (SimulatedRequestEvent) -> Void

/// A request that was sent and hasn't completed.
struct RequestState {
    /// The subject of a request.
    enum Question {
        /// Products by identifier.
        case products(Set<String>)
        /// A new receipt.
        case receipt(SimulatedReceiptProperties)
    }

    let question: Question
    let handler: RequestHandler
    /// Called if a newer launch begins before the request has ended.
    var endHandler: (@Sendable () -> Void)?
}

extension EngineState {
    /// Sends a request if its launch is current, and returns an identifier for the request.
    mutating func send(_ request: RequestState, launch number: UInt64) -> UInt64 {
        lastRequest += 1
        if number == device.launch.number {
            device.requests[lastRequest] = request
            enqueue(.request(lastRequest))
        }
        return lastRequest
    }

    /// Cancels a request.
    mutating func cancel(_ id: UInt64) {
        guard !behavior.repliesAfterCancel, let request = device.requests.removeValue(forKey: id) else { return }
        discard(request.handler)
        deliveries.removeAll { item in
            if case .request(id, _, _) = item.delivery { true } else { false }
        }
    }

    /// Responds to a request, unless it was canceled.
    mutating func respond(to id: UInt64) {
        guard let request = device.requests[id] else { return }
        let events: [SimulatedRequestEvent]
        switch request.question {
        case .products(let identifiers): events = productsResponse(to: identifiers)
        case .receipt(let properties): events = receiptResponse(to: properties)
        }
        // A request with an end handler is kept, so that the end of the launch calls the handler.
        if events.isEmpty, request.endHandler == nil {
            device.requests[id] = nil
            discard(request.handler)
        }
        for event in events {
            deliver(.request(id, event, handler: request.handler))
        }
    }

    /// The error of calls that need a connection while the device is offline; `nil` while it's online.
    var offlineError: SimulatedError? {
        behavior.isOffline ? .notConnectedToInternet : nil
    }

    private func productsResponse(to identifiers: Set<String>) -> [SimulatedRequestEvent] {
        if let catalogProblem { return [.failed(SimulatedError(catalogProblem))] }
        if behavior.productRequestsAreNeverAnswered { return [] }
        if let error = behavior.productRequestError ?? offlineError { return [.failed(error)] }
        let sorted = identifiers.sorted()
        let response = SimulatedRequestEvent.products(
            sorted.compactMap { product($0) }, invalid: sorted.filter { !sells($0) })
        return behavior.productRequestsFailAfterReply
            ? [response, .failed(.notConnectedToInternet)] : [response, .finished]
    }

    private mutating func receiptResponse(to properties: SimulatedReceiptProperties) -> [SimulatedRequestEvent] {
        if behavior.receiptRefreshesAreNeverAnswered { return [] }
        if let error = behavior.receiptRefreshError ?? offlineError { return [.failed(error)] }
        device.receipt.properties = properties
        device.receipt.refresh(at: now)
        return [.finished]
    }
}
