package import Foundation

/// A local HTTP server with prepared answers: one answer for each request, and the last answer for all further
/// requests.
///
/// The server handles one connection after another, for tests and demonstrations. A server that isn't started has
/// already reserved its port, and refuses connections until ``start()``.
package final class LoopbackServer: Sendable {
    package enum Answer: Sendable {
        case body(String, status: Int = 200, headers: [String: String] = [:])
        /// Answers with what the closure makes of the request.
        case respond(@Sendable (Request) -> Data)
        /// Answers as the closure decides.
        indirect case choose(@Sendable (Request) -> Answer)
        /// Reads the request and never answers.
        case hang
        /// Announces more bytes than it sends, then closes the connection.
        case cutOff(String)
        /// Announces a length, but sends only the header.
        case promise(length: Int)
        /// Sends a number of bytes without announcing a length, and keeps the connection open until the client closes
        /// it.
        case endless(bytes: Int)
        case redirect(to: String)
        /// Sends a number of bytes with their length.
        case large(bytes: Int)
        /// Sends these characters unchanged, and closes the connection.
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
    /// Every request, when it has been read.
    package let arrivals: AsyncStream<Request>
    private let service: LoopbackService

    /// Creates a server.
    /// - Parameters:
    ///   - answers: The answers, in order.
    ///   - wanted: The port; 0 for any free port.
    ///   - isUp: Whether to start the server immediately. Otherwise call ``start()``.
    /// - Throws: ``Failure`` with the failed system call.
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
        // Allow immediate reuse of a port whose former connections are still closing.
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

    /// Starts the server. Does nothing if the server is running or stopped.
    package func start() throws {
        guard try service.listenOnce() else { return }
        Thread.detachNewThread { [service] in service.run() }
    }

    /// Closes every connection, and refuses further connections.
    package func stop() {
        service.stop()
    }
}
