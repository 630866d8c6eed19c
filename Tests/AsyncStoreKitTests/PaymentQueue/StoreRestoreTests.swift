import TestHarness
import Testing

/// A store's calls of `restore`, with the restore's state machine.
@Suite(.bounded) struct StoreRestoreTests {
    /// A closure is delivering transaction 11, and a restore has ended with a row of the same purchase.
    private static let restoredWhileDelivering = """
        buy p pro closure → submit pro, report 11 purchased of pro → p: 11
        restore r → inactivity of r 300, rows 12:pro:paid-11 → inactivity of r 300
        end → stop inactivity of r + inactivity of r 300
        """

    /// A store with an installed delivery that is delivering as many transactions as it can.
    private static let busy = """
        install
        batch 1:purchased 2:purchased 3:purchased 4:purchased → deliver 1 unsolicited + deliver 2 unsolicited + \
        deliver 3 unsolicited + deliver 4 unsolicited
        """

    static let scripts = [
        Script(
            "restored transactions go to the call when the restore ends, and aren't offered before",
            """
            restore r → inactivity of r 300, rows 1 2 → inactivity of r 300
            end → stop inactivity of r + r: 1 and 2, held → returnedToCaller + returnedToCaller, restoreCalls → 0
            """),
        Script(
            "the installed delivery receives all restored purchases together, and the call returns afterwards",
            """
            install, restore r → inactivity of r 300, rows 1 2 → inactivity of r 300
            end → stop inactivity of r + deliver 1 and 2 restored, accept 1 → notice + notice + finish 1 + finish 2 + r: 1 delivered and 2 delivered
            """),
        Script(
            "a restore without purchases is answered at once, with an installed delivery",
            "install, restore r → inactivity of r 300, end → stop inactivity of r + r: nothing"),
        Script(
            "a failed restore fails its call, and the transactions so far are offered",
            """
            restore r → inactivity of r 300, rows 1 → inactivity of r 300
            end failing → stop inactivity of r + r: no network + offer 1
            """),
        Script(
            "a transaction that is finished during the restore isn't treated as unfinished at its end",
            """
            restore r → inactivity of r 300, rows 1 → inactivity of r 300, finish 1 → finish 1
            end → stop inactivity of r + r: 1 delivered, held → none, outstanding → none
            """),
        Script(
            "a canceled call throws, and its transactions are offered, also those that arrive later",
            """
            restore r → inactivity of r 300, rows 1 → inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled + offer 1 + inactivity of r 300
            rows 2 → inactivity of r 300 + offer 2
            cancelRestore r → none, end → stop inactivity of r
            """),
        Script(
            "a call that is canceled during its delivery throws, and the delivery continues",
            """
            install, restore r → inactivity of r 300, rows 1 → inactivity of r 300
            end → stop inactivity of r + deliver 1 restored, cancelRestore r → r: canceled delivery
            accept 1 → notice + finish 1 + offer 1 delivered restored
            """),
        Script(
            "a restore that is canceled while it waits for another delivery offers its other rows, and has no timer",
            """
            buy a closure → submit coins, report 11 purchased → a: 11, restore r → inactivity of r 300
            rows 12:coins:paid-11 13:gems:b → inactivity of r 300
            end → stop inactivity of r + inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled + offer 13
            close 11 → finish 11 + finish 12
            """),
        Script(
            "a purchase during a restore doesn't belong to the restore",
            """
            restore r → inactivity of r 300, report 1 purchased → offer 1
            rows 2 → inactivity of r 300, end → stop inactivity of r + r: 2
            """),
        // A payment for an owned product may be answered as restored.
        Script(
            "a payment that is answered as restored during a restore has its answer at the restore's end",
            """
            buy p pro → submit pro, restore r → inactivity of r 300
            rows 11:pro:a 12:coins:b 13:pro:a → inactivity of r 300
            end → stop inactivity of r + p: 13 + r: 11 and 12
            """),
        Script(
            "a payment has its answer if the restore's own row came before the payment",
            """
            restore r → inactivity of r 300, rows 5:pro:a → inactivity of r 300, buy p pro → submit pro
            rows 11:pro:a → inactivity of r 300, end → stop inactivity of r + p: 11 + r: 5
            """),
        Script(
            "a payment has its answer if the restore's call was canceled",
            """
            buy p pro → submit pro, restore r → inactivity of r 300, rows 11:pro:a → inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled + offer 11 + inactivity of r 300
            rows 12:pro:a → inactivity of r 300
            end → stop inactivity of r + p: 12 older
            """),
        // The purchase isn't delivered twice at once.
        Script(
            "a payment has its answer if the restore's call was canceled, with an installed delivery",
            """
            buy p pro → submit pro, install, restore r → inactivity of r 300, rows 11:pro:a → inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled + deliver 11 unsolicited + inactivity of r 300
            rows 12:pro:a → inactivity of r 300
            end → stop inactivity of r + p: 12 older delivered
            """),
        Script(
            "a purchase that was restored once belongs to the restore, and the payment still waits",
            """
            buy p pro → submit pro, restore r → inactivity of r 300
            rows 11:pro:a 12:pro:b 13:pro 14:pro → inactivity of r 300
            end → stop inactivity of r + settling of p 3 + r: 11 and 12 and 13 and 14, isSubmitted p → yes
            """),
        Script(
            "a payment behind an answered one starts when the restore ends",
            """
            buy p pro → submit pro, buy q gems → silence 30, restore r → inactivity of r 300
            rows 11:pro:a 12:pro:a → inactivity of r 300, end → stop inactivity of r + p: 12 + submit gems + r: 11
            """),
        Script(
            "a payment behind an answered one starts when a canceled restore ends",
            """
            buy p pro → submit pro, buy q gems → silence 30, restore r → inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled + inactivity of r 300
            rows 11:pro:a 12:pro:a → inactivity of r 300 + offer 11, end → stop inactivity of r + p: 12 older + submit gems
            """),
        Script(
            "a transaction that was finished elsewhere isn't delivered when the restore fails",
            """
            install, restore r → inactivity of r 300, rows 1 2:gems → inactivity of r 300, remove 1 → forget 1
            end failing → stop inactivity of r + r: no network + deliver 2 unsolicited
            """),
        Script(
            "the closure of a call delivers its rows, even with an installed delivery",
            """
            install, restore r closure → inactivity of r 300, rows 1 → inactivity of r 300
            end → stop inactivity of r + r: 1, held → delivering
            """),
        Script(
            "a call that accepts partial results receives them with the failure",
            """
            restore r partial → inactivity of r 300, rows 1 → inactivity of r 300
            end failing → stop inactivity of r + r: 1 no network
            """),
        Script(
            "an installed delivery receives partial results, and the call only the failure",
            """
            install, restore r partial → inactivity of r 300, rows 1 → inactivity of r 300
            end failing → stop inactivity of r + r: no network + deliver 1 unsolicited
            """),
        // A restore may bring a purchase that is being delivered, as a transaction of its own.
        Script(
            "a restore that waits for a delivery is answered when the delivery ends, and its timer stops",
            "\(restoredWhileDelivering), close 11 → finish 11 + finish 12 + stop inactivity of r + r: 12 delivered"),
        Script(
            "a purchase is offered if its delivery fails after a restore has stopped waiting for the delivery",
            """
            \(restoredWhileDelivering), inactive r at 300 → r: 12 delivered, close 11 failing → offer 11
            held → offered + offered
            """),
        Script(
            "a restored transaction is finished with the delivery that the restore has stopped waiting for",
            """
            \(restoredWhileDelivering), inactive r at 300 → r: 12 delivered, close 11 → finish 11 + finish 12
            held → none
            """),
        Script(
            "a restore that waits for a delivery gives its row to the installed delivery, and its timer stops",
            """
            \(restoredWhileDelivering), install
            close 11 failing → stop inactivity of r + deliver 12 again restored, accept 1 → notice + finish 12 + finish 11 + r: 12 delivered
            """),
        Script(
            "a restore within a delivery doesn't wait for it, and the purchase is offered if the delivery fails",
            """
            buy p pro closure → submit pro, report 11 purchased of pro → p: 11
            restore r within paid-11 → inactivity of r 300, rows 12:pro:paid-11 → inactivity of r 300
            end → stop inactivity of r + r: 12 delivered, close 11 failing → offer 11
            """),
        Script(
            "a retry that waits for a slot doesn't deliver a purchase of a restore",
            """
            \(busy), delay 1 → warning + fail 1: deliveryPending, retry at 10 → none
            restore r closure → inactivity of r 300, signed 1 → none, end → stop inactivity of r + r: 1
            close 1 failing → offer 1, accept 2 → notice + finish 2 + offer 2 delivered
            """),
        Script(
            "a restore takes a purchase whose first delivery waits for others",
            """
            \(busy), report 11 purchased → none, restore r closure → inactivity of r 300
            signed 11 → none, end → stop inactivity of r + r: 11, accept 1 → notice + finish 1 + offer 1 delivered
            close 11 failing → offer 11
            """),
        Script(
            "a restore claims the entry with which the purchase of a row came back",
            """
            restore r closure → inactivity of r 300, signed 1 → none, remove 1 → forget 1
            report 2 purchased as paid-1 → offer 2, end → stop inactivity of r + r: 2, outstanding → none
            close 2 failing → offer 2
            """),
    ]

    @Test(arguments: scripts) func `a restore answers its call`(script: Script) {
        var store = StoreScript()
        script.play { store.perform($0) }
    }
}
