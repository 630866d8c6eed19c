import AsyncStoreKit
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server of the demo, which answers the requests of `URLSession` without a network. It's down until it's started.
struct DemoServer {
    struct Request {
        /// The number of the attempt, counted from 0.
        let attempt: Int
        let body: Data
    }

    fileprivate struct State {
        var answer: String?
        var requests: [Request] = []
    }

    fileprivate static let states = Locked<[URL: State]>([:])

    /// The address, which no other server has.
    let url: URL

    init() throws(StoreError) {
        guard let url = URL(string: "https://\(UUID().uuidString.lowercased()).example.com/") else {
            throw StoreError(.unknown, "The address of the demo's server isn't valid.")
        }
        self.url = url
    }

    /// Answers the requests from now on.
    func start(answer: String) { Self.states.withLock { $0[url, default: State()].answer = answer } }

    /// The answered requests, in order.
    var requests: [Request] { Self.states.withLock { $0[url]?.requests ?? [] } }

    static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [DemoServerProtocol.self]
        return configuration
    }
}

private final class DemoServerProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let attempt = request.value(forHTTPHeaderField: "Delivery-Attempt").flatMap { Int($0) } ?? 0
        // URLSession on Apple's platforms turns a body into a stream.
        let body = request.httpBody ?? request.httpBodyStream.map(Self.content) ?? Data()
        let answer = DemoServer.states.withLock { [url = request.url] states -> String? in
            guard let url, let answer = states[url]?.answer else { return nil }
            states[url]?.requests.append(DemoServer.Request(attempt: attempt, body: body))
            return answer
        }
        guard let answer, let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
            return
        }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(answer.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}

    private static func content(of stream: InputStream) -> Data {
        stream.open()
        defer { stream.close() }
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
            content += buffer.prefix(count)
        }
        return content
    }
}
