extension ChecklistSection {
    static let sheets = ChecklistSection(
        number: 5, title: "Sheets, and StoreKit 26.4 to 27",
        checks: [
            ChecklistCheck(
                "The same refund request twice",
                steps: "Call requestRefund(for:in:) twice",
                expected: "refundDuplicate the second time"),
            ChecklistCheck(
                "An offer code on iOS 27",
                steps: "Call redeemOfferCode(in:), and redeem a code",
                expected: "The call returns the transaction, and there is one delivery"),
            ChecklistCheck(
                "A purchase on the monthly plan",
                steps: "Buy with billingPlan in a storefront that has the plan",
                expected: "A transaction with billing period 1 of 12"),
            ChecklistCheck(
                "The last month of a canceled commitment",
                steps: "Cancel, and wait for the twelfth month",
                expected: "willRenew is false, whatever willAutoRenew is"),
            ChecklistCheck(
                "A monthly plan and a storefront change",
                steps: "Load the product in Germany, move to the United States, and buy",
                expected: "The purchase throws, and nothing is billed"),
            ChecklistCheck(
                "A bundle over a single subscription",
                steps: "Subscribe, then buy a bundle that includes the subscription",
                expected: "Access never ends"),
            ChecklistCheck(
                "A purchase of seats",
                steps: "Build with the 27.3 SDK, buy with seats, then buy with a higher total",
                expected: "Two transactions with one expiration date, each with its own number of seats"),
            ChecklistCheck(
                "The transaction of the bundle's own product",
                steps: "Buy a bundle",
                expected: "StoreEntitlements may list the bundle or not. Its members give access"),
        ])
}
