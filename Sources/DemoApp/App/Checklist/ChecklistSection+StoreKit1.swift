extension ChecklistSection {
    static let storeKit1 = ChecklistSection(
        number: 4, title: "StoreKit 1",
        checks: [
            ChecklistCheck(
                "The receipt on iOS 26",
                steps: "Buy, then call receipt.data()",
                expected: "receipt.verify(using:refreshing:) accepts the receipt"),
            ChecklistCheck(
                "The device identifier of a Mac",
                steps: "Verify a receipt with Wi-Fi switched off, on a Mac with several network interfaces",
                expected: "Accepted"),
            ChecklistCheck(
                "The device identifier of a Mac whose primary interface is an adapter",
                steps: "Verify a receipt that was issued with this interface",
                expected: "Accepted"),
            ChecklistCheck(
                "A promoted purchase at launch",
                steps:
                    "Close the app, and open itms-services://?action=purchaseIntent&bundleId=BUNDLE&productIdentifier=PRODUCT",
                expected: "One StorePurchaseIntent",
                expects: [.intent]),
            ChecklistCheck(
                "The callback API on the oldest system",
                steps: "Call SwiftyStoreKit.purchaseProduct from the main thread and from another one",
                expected: "One completion, on the main thread"),
            ChecklistCheck(
                "Hosted content",
                steps: "Use an app that still has some",
                expected: "Progress up to 1, and files that exist"),
        ])
}
