/// Tells the calls that wait for an answer from each other, in this process.
package struct CallID: Sendable, Hashable {
    private let serial: UInt64

    private static let last = Locked<UInt64>(0)

    package init() {
        serial = Self.last.withLock { last in
            last &+= 1
            return last
        }
    }
}
