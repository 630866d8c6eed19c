public import Foundation

/// Verifies App Store receipts on the device or on a server, without asking anybody.
///
/// A receipt is believed when its signature belongs to its content, the signer's certificate leads to a trusted root through a chain of the
/// App Store's shape, all certificates were valid when the receipt was made, and it was issued for this app, version and device.
/// Verification is a pure function of its input: it may be used from several tasks at once, takes time in proportion to the receipt's
/// size, and never traps, whatever the bytes.
public struct ReceiptVerification: Sendable, Hashable {
    /// The bundle identifier that the receipt has to name; `nil` not to ask.
    ///
    /// Compare with a constant in the code, not with the bundle's information property list, which is as easily replaced as the receipt.
    public var bundleID: String?

    /// The version that the receipt has to name; `nil` not to ask, which is right where a receipt may be older than the app.
    public var version: String?

    /// The store from which the receipt has to come; `nil` not to ask, which is right where TestFlight and review use the same code.
    public var environment: ReceiptEnvironment?

    /// The device for which the receipt has to have been issued; `nil` not to ask, as on a server.
    public var device: DeviceIdentifier?

    /// The date at which the receipt of a volume purchase must not have ended; `nil` not to ask.
    public var date: Date?

    /// The certificates that are trusted; Apple's root unless said otherwise.
    public var trustAnchors: [ReceiptTrustAnchor]

    /// Asks for what is not `nil`, and for signature and chain in any case.
    public init(
        bundleID: String?, version: String? = nil, environment: ReceiptEnvironment? = nil, device: DeviceIdentifier? = nil,
        date: Date? = nil, trustAnchors: [ReceiptTrustAnchor] = [.appStore]
    ) {
        self.bundleID = bundleID
        self.version = version
        self.environment = environment
        self.device = device
        self.date = date
        self.trustAnchors = trustAnchors
    }

    /// Verifies a receipt file and throws the first thing that is wrong with it.
    public func verify(_ receipt: Data) throws(ReceiptVerificationError) {
        let report = report(on: receipt)
        if let failure = report.failure { throw failure }
    }

    /// Verifies a receipt file and says what came of every check.
    public func report(on receipt: Data) -> ReceiptVerificationReport {
        report(reading: Array(receipt)[...])
    }

    package func report(reading bytes: ArraySlice<UInt8>) -> ReceiptVerificationReport {
        do throws(MalformedReceiptError) {
            return report(on: try CMSSignedData(bytes))
        } catch {
            return ReceiptVerification.report(on: error)
        }
    }

    /// The report on something that cannot be read.
    package static func report(on malformation: MalformedReceiptError) -> ReceiptVerificationReport {
        var recorder = VerificationRecorder()
        let _: Void? = recorder.check(.structure) { () throws(ReceiptVerificationError) in
            throw ReceiptVerificationError(malformation, .structure)
        }
        return recorder.report(ReceiptCheck.allCases)
    }
}
