import Foundation

/// An HTTP server on this machine that answers as it is told, one answer for each request, the last one for all that follow.
final class LoopbackServer: Sendable {
    enum Answer: Sendable {
        case body(String, status: Int = 200)
        /// Reads the request and never answers.
        case hang
        /// Promises more than it sends, then closes.
        case cutOff(String)
        /// Names a length, and sends nothing after the header.
        case promise(length: Int)
        /// Sends that many bytes without naming a length, and then nothing until the client goes away.
        case endless(bytes: Int)
        case redirect(to: String)
    }

    struct Request: Sendable {
        let path: String
        let body: Data
    }

    struct Failure: Error {
        let call: String
        let code: Int32
    }

    let port: UInt16
    /// Every request as soon as it has been read.
    let arrivals: AsyncStream<Request>
    private let service: LoopbackService

    init(_ answers: [Answer]) throws {
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
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound, listen(listener, 128) == 0 else {
            let code = errno
            close(listener)
            throw Failure(call: "listen", code: code)
        }
        port = UInt16(bigEndian: address.sin_port)
        let service = LoopbackService(listener, answers, arrival)
        self.service = service
        Thread.detachNewThread { service.run() }
    }

    deinit {
        stop()
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)/") ?? URL(fileURLWithPath: "/") }

    var requests: [Request] { service.requests }

    /// Closes every connection; further ones are refused.
    func stop() {
        service.stop()
    }
}

/// The thread of a server, and what it shares with the test.
// @unchecked because: everything mutable is in `state`, which is only touched under `lock`.
private final class LoopbackService: @unchecked Sendable {
    typealias Answer = LoopbackServer.Answer
    typealias Request = LoopbackServer.Request

    private struct State {
        var answers: [Answer]
        var requests: [Request] = []
        var open: [Int32] = []
        var isListening = true
    }

    private let arrival: AsyncStream<Request>.Continuation
    private let listener: Int32
    private let lock = NSLock()
    private var state: State

    init(_ listener: Int32, _ answers: [Answer], _ arrival: AsyncStream<Request>.Continuation) {
        self.listener = listener
        self.arrival = arrival
        state = State(answers: answers)
    }

    var requests: [Request] { lock.withLock { state.requests } }

    /// Serves one connection after another. The listener is closed here and nowhere else, so that its number cannot be somebody else's by then.
    func run() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            serve(client)
        }
        lock.withLock {
            state.isListening = false
            close(listener)
        }
    }

    func stop() {
        lock.withLock {
            for client in state.open { close(client) }
            state.open = []
            if state.isListening { shutdown(listener, Int32(SHUT_RDWR)) }
        }
        arrival.finish()
    }

    private func serve(_ client: Int32) {
        guard let request = read(client) else {
            close(client)
            return
        }
        let answer = lock.withLock {
            state.requests.append(request)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first ?? .hang
        }
        arrival.yield(request)
        switch answer {
        case .body(let text, let status): write(client, head(status, length: text.utf8.count) + text)
        case .hang:
            lock.withLock { state.open.append(client) }
            return
        case .cutOff(let text): write(client, head(200, length: text.utf8.count + 1_000) + text)
        case .promise(let length): write(client, head(200, length: length))
        case .endless(let bytes):
            write(client, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: " ", count: bytes))
            var byte: UInt8 = 0
            while recv(client, &byte, 1, 0) > 0 {}
        case .redirect(let target):
            write(client, "HTTP/1.1 307 Moved\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        close(client)
    }

    private func head(_ status: Int, length: Int) -> String {
        "HTTP/1.1 \(status) Whatever\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n"
    }

    /// Reads a request with a Content-Length.
    private func read(_ client: Int32) -> Request? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received.append(contentsOf: buffer[..<count])
            guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { continue }
            let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            let length = lines.compactMap { line -> Int? in
                let parts = line.lowercased().components(separatedBy: ": ")
                return parts.first == "content-length" ? parts.last.flatMap { Int($0) } : nil
            }
            let body = received[end.upperBound...]
            if body.count >= length.first ?? 0 {
                return Request(path: lines.first?.components(separatedBy: " ").dropFirst().first ?? "", body: Data(body))
            }
        }
    }

    @discardableResult private func write(_ client: Int32, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(Self.noSignal)) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// A client that goes away must not end the test process with SIGPIPE.
    #if canImport(Glibc)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        private static let noSignal = Int32(0x80000)
    #endif
}
