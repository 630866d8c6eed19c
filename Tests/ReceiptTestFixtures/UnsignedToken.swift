import AppStoreSimulator
import Foundation

/// A token with an invalid signature, which can be decoded but not verified.
package enum UnsignedToken {
    package static func around(_ payload: String, header: String = "{\"alg\":\"ES256\",\"x5c\":[\"AAAA\"]}") -> String {
        "\(SimulatedJWSIssuer.base64URL(Data(header.utf8))).\(SimulatedJWSIssuer.base64URL(Data(payload.utf8))).AAAA"
    }
}
