package import AppStoreSimulator
public import Foundation

/// The App Store on the device.
public enum AppStore: Sendable {
    /// Whether the customer is allowed to pay.
    public static var canMakePayments: Bool {
        StoreKitSimulation.currentLaunch.canMakePayments
    }

    /// The device, as the signed texts of the App Store know it.
    public static var deviceVerificationID: UUID? {
        StoreKitSimulation.currentLaunch.deviceVerificationID
    }

    /// Synchronises with the App Store, for which the customer has to sign in: only to be called by the customer's wish.
    ///
    /// The simulator's `SimulatorBehavior.restoreEnding` says how it ends.
    ///
    /// - Throws: ``StoreKitError``
    public static func sync() async throws {
        try await sync(of: StoreKitSimulation.currentLaunch)
    }

    /// Synchronises one launch with the App Store.
    package static func sync(of launch: SimulatedLaunch) async throws {
        let pending = PendingAnswer<SimulatedAnswer>()
        launch.synchronise { pending.answer($0) }
        try await pending.value.completion()
    }
}

extension SimulatedAnswer {
    /// Returns if the call was done, else throws.
    func completion() throws {
        switch self {
        case .completed, .purchased, .pending: return
        case .userCancelled: throw StoreKitError.userCancelled
        case .failed(let error): throw StoreKitError(error)
        case .abandoned: throw CancellationError()
        }
    }
}
