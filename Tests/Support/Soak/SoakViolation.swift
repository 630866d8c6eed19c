/// The invariants of every run of the soak test.
package enum SoakInvariant: String, Sendable, CaseIterable {
    case callsEndOnce = "1 every call ends exactly once"
    case noOverlap = "2 the store never delivers a purchase twice at the same time"
    case noOverlapWithApp = "2b the store never delivers a purchase while a loop or a caller does"
    case deliveredOnce = "3 a delivered purchase is not delivered again as undelivered"
    case offeredAgain = "4 everything paid and not delivered is offered again"
    case finished = "5 everything delivered is finished at the App Store"
    case deliveredBeforeFinish = "6 nothing is finished before it was delivered"
    case redeliveryIsTold = "7 isRedelivery is true for every purchase that the app received before"
    case noMisuse = "8 the App Store sees no misuse"
    case answersItsCall = "9 a call is answered with the product and the quantity that it asked for"

    /// The number, such as "2b".
    package var number: String { String(rawValue.prefix { $0 != " " }) }
}

/// An invariant that a run broke, and the details.
package struct SoakViolation: Sendable, CustomStringConvertible {
    package let invariant: SoakInvariant
    /// The participants, such as "closure" or "loop". Violations with the same circumstance often have the same cause.
    package let circumstance: String
    package let message: String

    package var description: String { "\(invariant.rawValue) [\(circumstance)]: \(message)" }
}
