import Foundation

extension VerificationRecorder {
    /// The checks that follow once the certificates form a chain, the same for receipts and for signed transactions.
    mutating func checkChain(_ chain: CertificateChain?, _ roots: TrustedRoots, judgedAt date: Date?, isDateKnown: Bool) {
        let trust = check(.trust, after: .chain) { () throws(ReceiptVerificationError) in
            guard let trust = try chain?.trust(roots) else {
                throw ReceiptVerificationError(.chainIncomplete, .trust, "there are no certificates")
            }
            return (trust, trust.detail)
        }
        if isDateKnown {
            let _: Void? = check(.validity, after: .chain) { () throws(ReceiptVerificationError) in
                guard let date else {
                    throw ReceiptVerificationError(.creationDateMissing, .validity, "there is no date to judge the certificates at")
                }
                try chain?.checkValidity(at: date)
                return ((), "at \(date)")
            }
        }
        guard trust?.asksForAppStoreShape ?? true else {
            skip(.constraints, "the signer's certificate is trusted by itself")
            skip(.markers, "the signer's certificate is trusted by itself")
            return
        }
        let _: Void? = check(.constraints, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkConstraints()
            return ((), "authorities and key usage")
        }
        let _: Void? = check(.markers, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkMarkers()
            return ((), "both of Apple's markers")
        }
    }
}

extension VerificationRecorder {
    mutating func checkBundleID(_ named: String?, is expected: String?) {
        guard let expected else {
            skip(.bundleID, "no bundle identifier was given")
            return
        }
        let _: Void? = check(.bundleID, after: .structure) { () throws(ReceiptVerificationError) in
            guard let named else {
                throw ReceiptVerificationError(.bundleIDMissing, .bundleID, "no app is named")
            }
            // Compared by bytes: equality of strings would take differently composed characters for the same.
            guard named.utf8.elementsEqual(expected.utf8) else {
                throw ReceiptVerificationError(.bundleIDMismatch, .bundleID, "it belongs to \(named), not to \(expected)")
            }
            return ((), named)
        }
    }

    mutating func checkEnvironment(_ named: ReceiptEnvironment?, is expected: ReceiptEnvironment?) {
        guard let expected else {
            skip(.environment, named.map { "\($0.rawValue); no environment was given" } ?? "no environment was given")
            return
        }
        let _: Void? = check(.environment, after: .structure) { () throws(ReceiptVerificationError) in
            guard named == expected else {
                let named = named?.rawValue ?? "no environment"
                throw ReceiptVerificationError(.environmentMismatch, .environment, "it comes from \(named), not from \(expected.rawValue)")
            }
            return ((), expected.rawValue)
        }
    }
}

extension CertificateChain.Trust {
    fileprivate var detail: String {
        switch self {
        case .root(let name): name
        case .signer(let name): "\(name), which signed by itself"
        case .localTesting: "a certificate of local testing, which proves nothing"
        }
    }

    fileprivate var asksForAppStoreShape: Bool {
        if case .root = self { true } else { false }
    }
}
