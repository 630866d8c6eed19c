extension ChecklistSection {
    static let firstChecks = ChecklistSection(
        number: 1, title: "Run these ten checks first",
        checks: [
            ChecklistCheck(
                "Views on an old system",
                steps: "Build with Xcode 26, and show each view of AsyncStoreKitUI on iOS 15, 16 or 17",
                expected: "Each view appears, including the buttons for subscriptions, refunds and codes"),
            ChecklistCheck(
                "Printed values on an old system",
                steps: "On the same device, print and dump a DeliveryRequest and a StoreConfiguration with a ledger",
                expected: "The text, and no crash"),
            ChecklistCheck(
                "A view that disappears during a purchase",
                steps: "Buy in .task with a closure that waits for a server, and leave the view",
                expected: "The purchase stays unfinished, and is offered again with the same deliveryKey"),
            ChecklistCheck(
                "A ledger on an Apple TV",
                steps: "Set a DeliveryLedger() on a device, not in the simulator, buy a consumable, and launch again",
                expected: "The file exists, and deliveryLedgerError is nil",
                action: .purchase("coins"), expects: [.delivered, .ledgerWorks]),
            ChecklistCheck(
                "A delivery in the background",
                steps:
                    "Install a delivery that waits for 20 seconds, buy, and go to the home screen. On a Mac, quit the app",
                expected: "Delivered, then finished. The next launch delivers nothing twice",
                action: .purchaseSlowly("coins"), expects: [.delivered, .nothingUnfinished]),
            ChecklistCheck(
                "A delivery while the device is locked",
                steps:
                    "Set the Data Protection entitlement to Complete, with a ledger and a cache, and lock the device during a delivery",
                expected: "The key is in the ledger. After the first unlock, the cache is read",
                action: .purchaseSlowly("coins"), expects: [.delivered, .ledgerWorks]),
            ChecklistCheck(
                "A hosting controller",
                steps:
                    "Show a view with storeModel(_:loading:) in a UIHostingController, start without a network, and return to the app with one",
                expected: "The products appear, and a purchase is confirmed in the window of its button"),
            ChecklistCheck(
                "A return without a usable network path",
                steps: "Switch off mobile data for the app, change a subscription in Settings, and return to the app",
                expected: "entitlements changes"),
            ChecklistCheck(
                "Sheets in a window of SwiftUI, and over another sheet",
                steps:
                    "Request a refund and redeem a code: on a Mac, in the older one of two windows after the newer one has closed; on iOS 27, from a sheet",
                expected: "Each sheet appears in the window that you use"),
            ChecklistCheck(
                "A signed offer on a watch with 32-bit integers",
                steps:
                    "Buy with promotional(id:keyID:nonce:signature:timestamp:) on Apple Watch Series 8 or earlier, then with promotional(id:jws:)",
                expected: "offerUnavailable the first time, a purchase the second time"),
        ])
}
