import Foundation

/// The thread of a server and the state that it shares with the ``LoopbackServer``.
// @unchecked because: all mutable state is in `state`, which is accessed only under `lock`.
final class LoopbackService: @unchecked Sendable {
    typealias Answer = LoopbackServer.Answer
    typealias Request = LoopbackServer.Request

    private enum Phase {
        case bound, listening, closed
    }

    private struct State {
        var answers: [Answer]
        var requests: [Request] = []
        var open: [Int32] = []
        var phase = Phase.bound
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

    /// Starts to accept connections, and returns whether this is the first call.
    func listenOnce() throws(LoopbackServer.Failure) -> Bool {
        let failure: LoopbackServer.Failure?
        let begins: Bool
        (begins, failure) = lock.withLock {
            guard state.phase == .bound else { return (false, nil) }
            guard listen(listener, 128) == 0 else {
                return (false, LoopbackServer.Failure(call: "listen", code: errno))
            }
            state.phase = .listening
            return (true, nil)
        }
        if let failure { throw failure }
        return begins
    }

    /// Serves one connection after another. A listening socket is closed only here, so that no other code closes a
    /// descriptor that the system has reused.
    func run() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            serve(client)
        }
        lock.withLock {
            state.phase = .closed
            close(listener)
        }
    }

    func stop() {
        lock.withLock {
            for client in state.open { close(client) }
            state.open = []
            switch state.phase {
            case .bound:
                state.phase = .closed
                close(listener)
            case .listening: shutdown(listener, Int32(SHUT_RDWR))
            case .closed: break
            }
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
        perform(answer, for: request, client)
    }

    private func perform(_ answer: Answer, for request: Request, _ client: Int32) {
        switch answer {
        case .choose(let choose): return perform(choose(request), for: request, client)
        case .body(let text, let status, let headers):
            write(client, head(status, length: text.utf8.count, headers) + text)
        case .respond(let body):
            let body = body(request)
            write(client, Array(head(200, length: body.count).utf8) + body)
        case .raw(let text): write(client, text)
        case .large(let bytes): write(client, head(200, length: bytes) + String(repeating: " ", count: bytes))
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

    private func head(_ status: Int, length: Int, _ headers: [String: String] = [:]) -> String {
        let own = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        return "HTTP/1.1 \(status) Status\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\(own)"
            + "Connection: close\r\n\r\n"
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
            let headers = lines.dropFirst().reduce(into: [String: String]()) { headers, line in
                let parts = line.split(separator: ":", maxSplits: 1)
                guard let name = parts.first, let value = parts.last, parts.count == 2 else { return }
                headers[name.lowercased()] = value.trimmingCharacters(in: .whitespaces)
            }
            let body = received[end.upperBound...]
            if body.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 {
                let path = lines.first?.components(separatedBy: " ").dropFirst().first ?? ""
                return Request(path: path, headers: headers, body: Data(body))
            }
        }
    }

    private func write(_ client: Int32, _ text: String) {
        write(client, Array(text.utf8))
    }

    private func write(_ client: Int32, _ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(Self.noSignal)) }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Prevents that a closed connection ends the test process with SIGPIPE.
    #if canImport(Glibc)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        private static let noSignal = Int32(0x80000)
    #endif
}
