package import Foundation

/// An HTTP server on this machine with prepared answers: one for each request, the last one for all that follow.
///
/// It serves one connection after another, for tests and demonstrations. One that is down at first has its port already,
/// which no other process gets; connections to it are refused until ``start()``.
package final class LoopbackServer: Sendable {
    package enum Answer: Sendable {
        case body(String, status: Int = 200, headers: [String: String] = [:])
        /// Answers with what the closure makes of the request.
        case respond(@Sendable (Request) -> Data)
        /// Reads the request and never answers.
        case hang
        /// Promises more than it sends, then closes.
        case cutOff(String)
        /// Names a length, and sends nothing after the header.
        case promise(length: Int)
        /// Sends that many bytes without naming a length, and then nothing until the client goes away.
        case endless(bytes: Int)
        case redirect(to: String)
        /// Sends that many bytes, as announced.
        case large(bytes: Int)
        /// Sends these characters as they are, and closes.
        case raw(String)
    }

    package struct Request: Sendable {
        package let path: String
        /// The header fields, by name in lower case.
        package let headers: [String: String]
        package let body: Data
    }

    package struct Failure: Error {
        let call: String
        let code: Int32
    }

    package let port: UInt16
    /// Every request as soon as it has been read.
    package let arrivals: AsyncStream<Request>
    private let service: LoopbackService

    /// - Parameters:
    ///   - port: Where to listen; 0 for any port that is free.
    ///   - isUp: Whether it serves from now on, or only from ``start()`` on.
    package init(_ answers: [Answer], port wanted: UInt16 = 0, isUp: Bool = true) throws {
        let arrival: AsyncStream<Request>.Continuation
        (arrivals, arrival) = AsyncStream.makeStream()
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        // A port may be used again at once, although connections to the server before it are still being closed.
        var reuse: Int32 = wanted == 0 ? 0 : 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound else {
            let code = errno
            close(listener)
            throw Failure(call: "bind", code: code)
        }
        port = UInt16(bigEndian: address.sin_port)
        service = LoopbackService(listener, answers, arrival)
        if isUp { try start() }
    }

    deinit {
        stop()
    }

    package var url: URL { URL(string: "http://127.0.0.1:\(port)/") ?? URL(fileURLWithPath: "/") }

    package var requests: [Request] { service.requests }

    /// Serves from now on. Does nothing when it does already, or did before it was stopped.
    package func start() throws {
        guard try service.listenOnce() else { return }
        Thread.detachNewThread { [service] in service.run() }
    }

    /// Closes every connection; further ones are refused.
    package func stop() {
        service.stop()
    }
}
