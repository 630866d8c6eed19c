import AppStoreSimulator
import Foundation

extension SimulatedSignedText {
    /// The signed header and payload.
    var signedData: Data {
        Data((jws.lastIndex(of: ".").map { jws[..<$0] } ?? "").utf8)
    }

    /// Returns one of the three parts of the JSON Web Signature, decoded.
    func part(_ index: Int) -> Data {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.indices.contains(index) else { return Data() }
        var text = parts[index].replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: String(text)) ?? Data()
    }
}
