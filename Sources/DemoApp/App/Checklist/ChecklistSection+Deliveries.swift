extension ChecklistSection {
    static let deliveries = ChecklistSection(
        number: 2, title: "Purchases are delivered once, and finished",
        checks: [
            ChecklistCheck(
                "A purchase and an update for the same transaction",
                steps: "Buy a consumable, and watch the log for 20 seconds",
                expected: "One delivery. The log has the repetitions",
                action: .purchase("coins"), expects: [.delivered]),
            ChecklistCheck(
                "A crash before delivery",
                steps: "Stop the app in the debugger inside the delivery closure, and launch it again",
                expected: "The purchase arrives on transactions, once",
                action: .purchaseSlowly("coins"), expects: [.arrivedLater]),
            ChecklistCheck(
                "An empty list of unfinished transactions",
                steps: "Buy a consumable, and switch between apps while the closure runs",
                expected: "One delivery, then finished, and not offered again",
                action: .purchaseSlowly("coins"), expects: [.delivered, .nothingUnfinished]),
            ChecklistCheck(
                "A transaction that is still listed after finish()",
                steps: "Buy a consumable, then bring the app to the foreground several times",
                expected: "Finished again, without a delivery",
                action: .purchase("coins"), expects: [.delivered, .nothingUnfinished]),
            ChecklistCheck(
                "An update while the app launches",
                steps: "Buy on another device, then launch with a loop over transactions",
                expected: "One delivery, whether the loop starts before or after the update",
                expects: [.arrivedLater]),
            ChecklistCheck(
                "Two devices finish the same transaction",
                steps: "Deliver on both devices at the same time",
                expected: "No error, and no third delivery"),
            ChecklistCheck(
                "Two purchases at once",
                steps: "Call purchase for two products in two tasks",
                expected: "The second sheet appears after the first one",
                action: .purchaseBoth("coins", "pro"), expects: [.delivered, .delivered]),
            ChecklistCheck(
                "Ask to Buy",
                steps: "Ask, close the app, approve on the parent's device, and launch",
                expected: "The purchase arrives on transactions",
                action: .purchase("pro"), expects: [.arrivedLater]),
            ChecklistCheck(
                "Ask to Buy without an answer",
                steps: "Ask, and wait for 24 hours with the app open",
                expected: "pendingPurchases doesn't have the request. StoreKit reports nothing"),
            ChecklistCheck(
                "A locked device",
                steps:
                    "In an app with the data protection entitlement NSFileProtectionComplete and a DeliveryLedger, lock the device while an installed delivery runs",
                expected: "deliveryLedgerError is nil, and a relaunch delivers nothing again",
                action: .purchaseSlowly("coins"), expects: [.delivered, .ledgerWorks]),
            ChecklistCheck(
                "A delivery when the app is left at once",
                steps:
                    "Start a delivery of 20 seconds, and leave the app at once; the same after a launch in the background",
                expected: "The delivery ends, and the transaction is finished, before the app is suspended",
                action: .purchaseSlowly("coins"), expects: [.delivered, .nothingUnfinished]),
            ChecklistCheck(
                "An Apple TV",
                steps:
                    "Buy with a DeliveryLedger in its default place, stop the app in the debugger before finish(), and launch it again",
                expected: "Finished, and not delivered again",
                action: .purchase("coins"), expects: [.delivered]),
            ChecklistCheck(
                "A sleeping Mac during a delivery retry",
                steps: "Return .retryLater(after: 600), and let the Mac sleep for 20 minutes",
                expected: "The delivery runs when the Mac wakes"),
        ])
}
