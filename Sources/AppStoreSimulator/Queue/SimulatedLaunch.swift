/// One run of the app on the simulated device.
public final class SimulatedLaunch: Sendable {}
