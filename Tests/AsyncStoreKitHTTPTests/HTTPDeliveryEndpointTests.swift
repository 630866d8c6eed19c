import AsyncStoreKit
import AsyncStoreKitHTTP
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct HTTPDeliveryEndpointTests {
    private func failure(_ text: String, _ change: (inout HTTPDeliveryOptions) -> Void = { _ in }) throws -> StoreError?
    {
        let url = try #require(URL(string: text))
        var options = HTTPDeliveryOptions()
        change(&options)
        do throws(StoreError) {
            _ = try HTTPPurchaseDelivery(url: url, options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "https://example.com/deliver", "HTTPS://example.com", "https://example.com:8443/a?b=c", "http://localhost/",
        "http://LOCALHOST:8080/x",
        "http://127.0.0.1:8080/", "http://127.255.0.3/", "http://[::1]:8080/", "https://192.168.0.1/",
    ])
    func `HTTPS is accepted, and HTTP for this machine`(url: String) throws {
        expectEqual(try failure(url), nil)
    }

    @Test(arguments: [
        "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/", "http://128.0.0.1/",
        "http://127.0.0.256/",
        "http://127.0.0/", "http://[::2]/", "http://10.0.0.1/", "http://0.0.0.0/",
    ])
    func `HTTP for another machine is refused unless it is allowed`(url: String) throws {
        expectEqual(try failure(url)?.code, .invalidURL)
        expectEqual(try failure(url) { $0.allowsInsecureServer = true }, nil)
    }

    @Test(arguments: [
        "ftp://example.com/", "file:///etc/passwd", "example.com/deliver", "/deliver", "https:///deliver",
        "https:deliver",
        "data:text/plain,a", "https://ann@example.com/", "https://ann:hunter2@example.com/",
        "http://:hunter2@localhost/",
    ])
    func `a URL that isn't a server's address or contains a password is always refused`(url: String) throws {
        let error = try #require(try failure(url) { $0.allowsInsecureServer = true })
        expectEqual(error.code, .invalidURL)
        #expect(!error.message.contains("hunter2") && !error.message.contains("passwd"))
    }

    @Test func `the error for a refused URL names the host, and nothing after it`() throws {
        let error = try #require(try failure("http://example.com/path?secret=hunter2"))
        #expect(error.message.contains("\"example.com\""))
        #expect(!error.message.contains("hunter2") && !error.message.contains("path"))
    }
}
