package import AppStoreSimulator
public import Foundation

/// The App Store on the device.
public enum AppStore: Sendable {
    /// Whether the customer is allowed to make payments.
    public static var canMakePayments: Bool {
        StoreKitSimulation.currentLaunch.canMakePayments
    }

    /// The identifier of the device in the App Store's signed data.
    public static var deviceVerificationID: UUID? {
        StoreKitSimulation.currentLaunch.deviceVerificationID
    }

    /// Synchronizes with the App Store. The customer must sign in: call this function only on the customer's request.
    ///
    /// `SimulatorBehavior.restoreEnding` of the simulator selects the outcome.
    ///
    /// - Throws: ``StoreKitError``
    public static func sync() async throws {
        try await sync(of: StoreKitSimulation.currentLaunch)
    }

    /// Synchronizes one launch with the App Store.
    package static func sync(of launch: SimulatedLaunch) async throws {
        let pending = PendingAnswer<SimulatedAnswer>()
        launch.synchronize { pending.answer($0) }
        try await pending.value.completion()
    }
}

extension SimulatedAnswer {
    /// Returns if the call succeeded, and throws otherwise.
    func completion() throws {
        switch self {
        case .completed, .purchased, .pending: return
        case .userCancelled: throw StoreKitError.userCancelled
        case .failed(let error): throw StoreKitError(error)
        case .abandoned: throw CancellationError()
        }
    }
}
