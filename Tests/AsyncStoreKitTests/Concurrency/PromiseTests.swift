import Testing

@testable import AsyncStoreKit

@Suite struct PendingAnswerTests {
    private let answer = Promise<Int>()

    @Test func `an answer that has come waits for whoever asks`() async {
        #expect(!answer.isThere)
        answer.answer(1)
        #expect(answer.isThere)
        #expect(await answer.value() == 1)
    }

    @Test func `whatever comes after the first answer is ignored`() async {
        answer.answer(1)
        answer.answer(2)
        #expect(await answer.value() == 1)
    }

    @Test func `an answer and who waits for it meet, whichever comes first`() async {
        for round in 0..<1_000 {
            let answer = Promise<Int>()
            async let value = answer.value()
            answer.answer(round)
            #expect(await value == round)
        }
    }
}
