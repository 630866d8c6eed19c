/// An input with the place for its answer.
///
/// Made before anything is awaited: a task that waits has room for everything that its functions have ever had at hand, and
/// there may be very many that wait.
struct Question<Value: Sendable>: Sendable {
    let input: StoreInput
    let answer = Promise<Result<Value, StoreError>>()

    init(_ input: (Reply<Value>) -> StoreInput) {
        self.input = input(Reply(answer))
    }
}

/// A question that may have to wait for its answer, under an ID by which it can be cancelled.
struct Call<Value: Sendable>: Sendable {
    let id: CallID
    let question: Question<Value>
    let cancellation: StoreInput

    init(_ id: CallID, cancellation: StoreInput, _ input: (Reply<Value>) -> StoreInput) {
        self.id = id
        self.cancellation = cancellation
        question = Question(input)
    }
}

extension Call<PurchaseAnswer> {
    /// Puts a payment in line, in the place reserved under this ID if there is one, and waits for what comes of it.
    static func purchase(
        _ id: CallID, _ request: PaymentRequest, timeout: Double?, handling: AnswerHandling
    ) -> Call {
        Call(id, cancellation: .cancelPurchase(id)) { reply in
            .purchase(id, request, PurchaseWaiter(handling: handling, timeout: timeout, reply: reply))
        }
    }

    /// Goes on with a purchase that was begun in the App Store.
    static func purchase(_ promotion: PromotedPayment, handling: AnswerHandling) -> Call {
        let id = CallID()
        return Call(id, cancellation: .cancelPurchase(id)) { reply in
            .continuePromotion(id, promotion, PurchaseWaiter(handling: handling, timeout: nil, reply: reply))
        }
    }
}

extension Call<RestoreAnswer> {
    static func restore(_ username: String?, handling: AnswerHandling) -> Call {
        let id = CallID()
        return Call(id, cancellation: .cancelRestore(id)) { reply in
            .restore(id, applicationUsername: username, RestoreWaiter(handling: handling, reply: reply))
        }
    }
}
