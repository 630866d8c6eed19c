import AppStoreSimulator

/// A code of `SKError`.
package struct FailureCode: Sendable, Hashable {
    // In the order of the raw values in Apple's SKError.h, 0 to 21.
    private static let names = [
        "unknown", "clientInvalid", "paymentCancelled", "paymentInvalid", "paymentNotAllowed",
        "storeProductNotAvailable",
        "cloudServicePermissionDenied", "cloudServiceNetworkConnectionFailed", "cloudServiceRevoked",
        "privacyAcknowledgementRequired", "unauthorizedRequestData", "invalidOfferIdentifier", "invalidSignature",
        "missingOfferParams", "invalidOfferPrice", "overlayCancelled", "overlayInvalidConfiguration", "overlayTimeout",
        "ineligibleForOffer", "unsupportedPlatform", "overlayPresentedInBackgroundScene",
        "paymentMethodBindingConfigurationRequired",
    ]

    /// The raw value of the code.
    package let number: Int
    /// The name in Swift.
    package let name: String

    /// Parses a number from 0 to 21, or a name. Case doesn't matter.
    /// - Throws: ``CommandFailure`` that contains the argument.
    package init(_ argument: String) throws(CommandFailure) {
        let number = Int(argument) ?? Self.names.firstIndex { $0.lowercased() == argument.lowercased() }
        guard let number, Self.names.indices.contains(number) else {
            throw .usage(
                "--fail takes a code of SKError: 0 to \(Self.names.count - 1), or a name such as paymentNotAllowed, "
                    + "not \(argument.shown)\(argument.suggestion(among: Self.names))")
        }
        self.number = number
        name = Self.names[number]
    }

    /// The error that the simulated App Store reports.
    var error: SimulatedError {
        let known: [SimulatedError] = [
            .unknown, .paymentCancelled, .paymentInvalid, .paymentNotAllowed, .storeProductNotAvailable,
        ]
        return known.first { $0.code == number } ?? SimulatedError(code: number, message: "SKError.\(name)")
    }
}
