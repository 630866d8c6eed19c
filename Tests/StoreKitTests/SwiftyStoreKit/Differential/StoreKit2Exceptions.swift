/// What cannot be the same over StoreKit 2: the scenarios with their outcomes there, under the line of Migration.md's table that says so.
enum StoreKit2Exceptions {
    static let lines: [String: [String: String]] = [
        "a transaction": [
            "the transaction handed out is StoreKit's": "false",
            "what another observer finished first is StoreKit's transaction still": "no SKPaymentTransaction",
            "the original of a restored row": "none",
        ],
        "a user name": [
            "buying for a user": "none", "two payments of one product, for different users": "0, 0",
            "a restore that names its user": "none",
        ],
        "hosted content": [
            "hosted content of an atomic purchase": "queue empty", "hosted content of a purchase that is not atomic, started": "",
        ],
        "what is owned already": ["buying what is owned, answered as restored": "bought pro×1 purchased"],
        "a purchase that waits for an approval": [
            "an approval that is refused": ", queue empty", "a deferred transaction at launch, atomically": ", waiting",
        ],
        "a restore": [
            "a restore that fails after a row": "error SKErrorDomain 0", "restored rows after the end, before anybody listens": "…",
            "restored rows after the end, while somebody listens": "",
        ],
        "an error": ["a payment that fails with SKErrorDomain 5": "error SKErrorDomain 3, queue empty"],
    ]

    static var outcomes: [String: String] { lines.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } } }
}
