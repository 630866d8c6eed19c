import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The events that the queue returns for StoreKit 2's transactions.
@Suite(.bounded) struct StoreKit2QueueTests {
    static let payments = [
        Script(
            "a transaction for a product that is being paid for is held until the answer",
            """
            pay a coins, update 1 → none, update 2:pro → news #1 purchased pro
            paid a 1 → answer #2 purchased coins, release a → none
            """),
        Script(
            "a held transaction is reported when no call awaits the payment any longer",
            """
            pay a coins, pay b coins, update 1 → none, release a → none, release b → news #1 purchased coins
            paid b 1 → answer #1 purchased coins earlier
            """),
        Script(
            "a known entry is reported at once, even while its product is being paid for",
            "update 1 → news #1 purchased coins, pay a coins, update 1:s1 → news #1 purchased coins"),
        Script(
            "a transaction that the customer had before the payment is a preexisting one",
            """
            pay a pro, paid a 1:pro owned 1 → answer #1 purchased pro earlier
            queue, pay a pro, paid a 1:pro owned 2 → answer #1 purchased pro
            """),
        Script(
            "a transaction that was known or finished before the payment is a preexisting one, whatever else is known",
            """
            update 1:pro → news #1 purchased pro, pay a pro, paid a 1:pro → answer #1 purchased pro earlier
            finish #1 → StoreKit finishes 1, finished #1 → removed #1
            pay b pro, paid b 1:pro → answer #2 purchased pro earlier
            """),
        Script(
            "a transaction of another number of consumables is a preexisting one",
            "pay a coins, paid a 1 of 2 → answer #1 purchased coins earlier"),
        Script(
            "a failure leaves when it is finished, without StoreKit",
            "fails a coins → answer #1 failed coins userCancelled, finish #1 → removed #1, finish #1 → none"),
        Script(
            "the answers to two payments for a product are two entries",
            "paid a 1 → answer #1 purchased coins, paid b 2 → answer #2 purchased coins"),
        Script(
            "an approval is the entry that was pending, and another purchase is not",
            """
            waits a coins → answer #1 deferred coins, update 1:pro → news #2 purchased pro
            update 2 → news #1 purchased coins, update 3 → news #3 purchased coins
            finish #1 → StoreKit finishes 2, finished #1 → removed #1, finish #1 → none
            """),
        Script(
            "requests for approval end in the order of their calls",
            """
            waits a coins until 20 → answer #1 deferred coins, waits b pro until 10 → answer #2 deferred pro
            waits c gems until 30 → answer #3 deferred gems, requestsEnd at 9 → none
            requestsEnd at 20 → removed #1 + removed #2, update 1:pro → news #4 purchased pro
            """),
        Script(
            "the answer to a payment is not the approval of an earlier one",
            """
            waits a coins → answer #1 deferred coins, pay b coins, paid b 1 → answer #2 purchased coins
            update 2 → news #1 purchased coins
            """),
        Script(
            "the answer to a payment is not the approval of an earlier one, if it was held",
            """
            waits a coins → answer #1 deferred coins, pay b coins, update 1 → none
            paid b 1 → answer #2 purchased coins, update 2 → news #1 purchased coins
            """),
        Script(
            "an approval that arrives during another payment is recognized when that has ended",
            """
            waits a coins → answer #1 deferred coins, pay b coins, update 1 → none
            paid b 2 → answer #2 purchased coins + news #1 purchased coins
            """),
        Script(
            "a held transaction is reported once, as it was last signed, and the others stay held",
            """
            pay a coins, pay b pro, update 1 → none, update 2:pro → none, update 1:s1 → none
            release a → news #1 purchased coins, update 1:s1 → none, release b → news #2 purchased pro
            """),
        Script(
            "a transaction that is finished while it is held isn't reported",
            """
            update 1 → news #1 purchased coins, forget #1, pay a coins, update 1:s1 → none
            finish #1 → StoreKit finishes 1, finished #1 → none, release a → none
            """),
        Script(
            "an unverified transaction fails once in a process, is never finished, and may be verified later",
            """
            update 1:unverified → news #1 failed coins unverified, finish #1 → removed #1
            read 1:unverified at 0 → none, paid a 1:unverified → answer #2 failed coins unverified
            finish #2 → removed #2, update 1 → news #3 purchased coins
            """),
        Script(
            "an unverified transaction that a call has reported isn't reported again",
            "paid a 1:unverified → answer #1 failed coins unverified, read 1:unverified at 0 → none"),
        Script(
            "an unverified transaction of a product that is being paid for fails once, with the call",
            """
            pay a coins, update 1:unverified → none, paid a 1:unverified → answer #1 failed coins unverified
            update 1:unverified → none
            """),
        Script(
            "an unverified transaction of a product that is being paid for fails once, without the call",
            """
            pay a coins, update 1:unverified → none, release a → news #1 failed coins unverified
            update 1:unverified → none
            """),
    ]

    static let updates = [
        Script(
            "a transaction that arrives twice is one entry, and isn't reported after it is finished",
            """
            update 1 → news #1 purchased coins, update 1 → none, update 1:s1 → news #1 purchased coins
            update 1:s2 → news #1 purchased coins, update 1:s1 → none
            finish #1 → StoreKit finishes 1, update 1:s3 → none, finished #1 → removed #1
            update 1:s4 → none, finish #1 → none
            """),
        Script(
            "a revocation is reported once, and its transaction leaves",
            """
            update 1:pro → news #1 purchased pro, update 1:pro:s1:revoked → removed #1 + revoked ["pro"] #2 purchased pro
            update 1:pro:s1:revoked → none
            """),
        Script(
            "a revocation can be acknowledged",
            "update 1:pro:s1:revoked → revoked [\"pro\"] #1 purchased pro, finish #1 → StoreKit finishes 1"),
        Script(
            "a purchase that wasn't delivered is news again when its acknowledged revocation is reversed",
            """
            update 1 → news #1 purchased coins, update 1:s1:revoked → removed #1 + revoked ["coins"] #2 purchased coins
            finish #2 → StoreKit finishes 1, finished #2 → none
            update 1:s2 → reinstated #0 purchased coins + news #3 purchased coins
            read at 0 → none, read at 20 → none, read at 40 → none
            """),
        Script(
            "a revocation that was reversed can't be acknowledged, and a second one is reported",
            """
            update 1 → news #1 purchased coins, update 1:s1:revoked → removed #1 + revoked ["coins"] #2 purchased coins
            update 1:s2 → reinstated #0 purchased coins + news #3 purchased coins, finish #2 → none
            update 1:s3:revoked → removed #3 + revoked ["coins"] #4 purchased coins
            restore 1:s4 → reinstated #0 purchased coins + rows #5 restored coins + restored, finish #4 → none
            """),
        Script(
            "a revocation that is reversed while StoreKit acknowledges it",
            """
            update 1 → news #1 purchased coins, update 1:s1:revoked → removed #1 + revoked ["coins"] #2 purchased coins
            finish #2 → StoreKit finishes 1, update 1:s2 → reinstated #0 purchased coins + news #3 purchased coins
            finished #2 → none, finish #3 → StoreKit finishes 1, finished #3 → removed #3
            """),
        Script(
            "a revocation that is reversed during a payment",
            """
            update 1 → news #1 purchased coins, update 1:s1:revoked → removed #1 + revoked ["coins"] #2 purchased coins
            finish #2 → StoreKit finishes 1, finished #2 → none, pay a coins
            update 1:s2 → reinstated #0 purchased coins
            fails a coins → answer #3 failed coins userCancelled + news #4 purchased coins
            read at 0 → none, read at 20 → none
            queue, update 1:pro:s1:revoked → revoked ["pro"] #1 purchased pro, pay a pro
            paid a 1:pro:s2 → reinstated #0 purchased pro + answer #2 purchased pro, finish #1 → none
            """),
        Script(
            "a purchase whose revocation is reversed isn't the approval of another one",
            """
            pay a coins, waits a coins → answer #1 deferred coins
            update 1:s1:revoked → revoked ["coins"] #2 purchased coins
            update 1:s2 → reinstated #0 purchased coins + news #3 purchased coins, update 2 → news #1 purchased coins
            """),
        Script(
            "a second revocation while StoreKit acknowledges the first",
            """
            update 1 → news #1 purchased coins, update 1:s1:revoked → removed #1 + revoked ["coins"] #2 purchased coins
            finish #2 → StoreKit finishes 1, update 1:s2 → reinstated #0 purchased coins + news #3 purchased coins
            update 1:s3:revoked → removed #3 + revoked ["coins"] #4 purchased coins
            finished #2 → none, finish #4 → StoreKit finishes 1, finished #4 → none
            update 1:s4 → reinstated #0 purchased coins + news #5 purchased coins
            """),
        Script(
            "a finished purchase isn't news when its revocation is reversed, and a second revocation is",
            """
            update 1 → news #1 purchased coins, finish #1 → StoreKit finishes 1, finished #1 → removed #1
            update 1:s1:revoked → revoked ["coins"] #2 purchased coins, update 1:s2 → reinstated #0 purchased coins
            update 1:s3:revoked → revoked ["coins"] #3 purchased coins
            """),
        Script(
            "what one of Apple's views has sold isn't held for a payment",
            """
            pay a pro, adopt 1:pro → news #1 purchased pro, read at 0 → none, read at 20 → none
            paid a 1:pro → answer #1 purchased pro
            """),
        Script(
            "a list from before a revocation doesn't bring the transaction back",
            """
            update 1:pro → news #1 purchased pro, begin r at 0
            update 1:pro:s1:revoked → removed #1 + revoked ["pro"] #2 purchased pro
            end r 1:pro → none, update 1:pro → none, restore 1:pro → restored, read 1:pro at 20 → none
            """),
        Script(
            "an older signature doesn't bring a revoked transaction back",
            """
            read 1:pro:s1:revoked at 0 → revoked ["pro"] #1 purchased pro
            update 1:pro → none, read 1:pro at 20 → none
            """),
        Script(
            "a transaction that is revoked while it is held isn't reported",
            """
            pay a pro, update 1:pro → none, update 1:pro:s1:revoked → revoked ["pro"] #1 purchased pro
            release a → none
            """),
        Script(
            "an upgraded transaction is reported if the list has it, and is an event as an update",
            "update 1:basic:upgraded → upgraded basic, read 1:basic:upgraded at 0 → news #1 purchased basic"),
        Script(
            "a restored row is the entry of its transaction, and a restore brings finished transactions, too",
            """
            update 1:pro → news #1 purchased pro
            restore 2:basic:b60 1:pro → rows #1 restored pro #2 restored basic + restored
            restore 1:pro → rows #1 restored pro + restored, restore → restored, restore 1:pro:unverified → restored
            finish #1 → StoreKit finishes 1, finished #1 → removed #1
            restore 1:pro → rows #3 restored pro + restored, finish #1 → none
            """),
        Script(
            "a restored row answers no approval, and no list is expected to have it",
            """
            waits a pro → answer #1 deferred pro, restore 1:pro → rows #2 restored pro + restored
            read at 0 → none, read at 20 → none, read at 40 → none
            """),
        Script(
            "a restore for an account returns the purchases of that account",
            """
            restore 1:pro:mine 2:season for mine → rows #1 restored pro + restored
            restore 1:pro:mine 2:season for another → restored
            """),
    ]

    static let lists = [
        Script(
            "a transaction leaves when two lists lack it that were read at least ten seconds apart",
            """
            update 1 → news #1 purchased coins, update 2:pro → news #2 purchased pro
            read 2:pro at 0 → none, read 2:pro at 9 → none, read 2:pro at 10 → unlisted #1
            read 2:pro at 11 → unlisted #1, forget #1, read 2:pro at 12 → none
            finish #1 → StoreKit finishes 1, finished #1 → none, finish #1 → none, update 1 → none
            """),
        Script(
            "a transaction that is listed again, or updated, in between stays, and a clock that was set back proves nothing",
            """
            update 1 → news #1 purchased coins, read at 0 → none, read 1 at 5 → none, read at 20 → none
            update 1:s1 → news #1 purchased coins, read at 40 → none, read at 60 → unlisted #1, read at -100 → none
            """),
        Script(
            "a list that began before the last event of a transaction says nothing about it",
            """
            begin r at 0, update 1 → news #1 purchased coins, end r → none, read at 20 → none
            finish #1 → StoreKit finishes 1, begin s at 30, read at 40 → none
            finished #1 → removed #1, end s 1 → none
            """),
        Script(
            "a transaction that is listed after it was finished is reported, to be finished again",
            """
            update 1 → news #1 purchased coins, finish #1 → StoreKit finishes 1, finished #1 → removed #1
            read 1 at 50 → news #2 purchased coins
            """),
        Script(
            "transactions that leave are reported in the order in which they arrived",
            """
            read 8 7 6 5 4 3 2 1 at 0 → \(batch(8))
            read at 1 → none, read at 11 → unlisted #1 #2 #3 #4 #5 #6 #7 #8
            """),
        Script(
            "a list is one batch, oldest first, and by identifier for purchases at the same time",
            """
            read 3:season:b1 2:pro 1 at 0 → news #1 purchased coins #2 purchased pro #3 purchased season
            read 3:season:b1 2:pro 1 at 1 → none
            """),
        Script(
            "a list from before an update doesn't change the transaction back",
            """
            begin r at 0, update 1 → news #1 purchased coins, update 1:s1 → news #1 purchased coins
            end r 1 → none
            """),
        Script(
            "a restored transaction leaves when lists lack it if a list has had it",
            """
            restore 1:pro → rows #1 restored pro + restored, read 1:pro at 0 → none
            read at 10 → none, read at 20 → unlisted #1
            """),
        Script(
            "lists are expected to have the answer to a payment, not what Apple's views have sold",
            """
            adopt 1:pro → news #1 purchased pro, paid a 2 → answer #2 purchased coins
            read at 0 → none, read at 10 → unlisted #2
            """),
    ]

    private static func batch(_ count: Int) -> String {
        "news " + (1...count).map { "#\($0) purchased coins" }.joined(separator: " ")
    }

    @Test(arguments: payments + updates + lists)
    func `the queue has one entry for a transaction, until it is finished or gone`(script: Script) {
        var queue = StoreKit2QueueScript()
        script.play { queue.perform($0) }
    }

    @Test func `the content of a text that isn't verified isn't used for the verified one`() {
        let memo = DecodedTransactions()
        func transaction(of productID: String, _ error: StoreError?) -> StoreKit2SignedTransaction {
            let payload = """
                {"transactionId":"1","originalTransactionId":"1","bundleId":"a","productId":"\(productID)","quantity":1,\
                "purchaseDate":0,"signedDate":0,"environment":"Production","type":"Consumable"}
                """
            return StoreKit2SignedTransaction(
                version: .init(id: 1, signedDate: .seconds(0), revocationDate: nil, isUpgraded: false),
                productID: productID, purchaseDate: .seconds(0), verificationError: error,
                payload: { Data(payload.utf8) }, jws: { "" }, finish: {})
        }
        #expect(memo.info(of: transaction(of: "pro", .unverified("pro", "invalidSignature"))) == nil)
        expectEqual(memo.info(of: transaction(of: "coins", nil))?.value.facts.productID, "coins")
    }
}
