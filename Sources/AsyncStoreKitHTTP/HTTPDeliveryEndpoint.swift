import AsyncStoreKit
import Foundation

/// Which URLs purchases may be sent to.
enum HTTPDeliveryEndpoint {
    /// - Throws: `StoreError.Code.invalidURL`. The message names only the scheme and the host, because the rest of a
    ///   URL may be secret.
    static func check(_ url: URL, allowsInsecureServer: Bool) throws(StoreError) {
        let scheme = url.scheme?.lowercased() ?? ""
        guard scheme == "https" || scheme == "http" else {
            throw StoreError(.invalidURL, "Purchases are delivered over HTTPS, not over \"\(scheme)\".")
        }
        guard let host = url.host, !host.isEmpty else {
            throw StoreError(.invalidURL, "The delivery URL names no host.")
        }
        guard url.user == nil, url.password == nil else {
            throw StoreError(
                .invalidURL,
                "The delivery URL for \"\(host)\" contains a user name or password. Send them in a header field.")
        }
        guard scheme == "https" || allowsInsecureServer || isLoopback(host) else {
            throw StoreError(
                .invalidURL,
                "Purchases are not delivered to \"\(host)\" over HTTP, because others on the network can read and answer it."
            )
        }
    }

    /// Returns whether a host is this machine: `localhost`, 127.0.0.0/8 (RFC 1122), or ::1 (RFC 4291). Similar names
    /// aren't.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if host == "localhost" || host == "::1" || host == "0:0:0:0:0:0:0:1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && !$0.hasPrefix("+") }
    }
}
