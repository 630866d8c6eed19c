import Testing

@testable import AsyncStoreKit

@Suite struct MailboxTests {
    private let mailbox = InputQueue<Int>()

    private func takeAll() -> [Int] {
        mailbox.attend()
        var taken: [Int] = []
        while let input = mailbox.next() { taken.append(input) }
        return taken
    }

    @Test func `what is sent is taken in the same order`() {
        for input in 1...5 { mailbox.send(input) }
        #expect(takeAll() == [1, 2, 3, 4, 5])
        #expect(takeAll() == [])
    }

    @Test func `the bell is rung for what is sent while nobody attends`() async {
        mailbox.send(1)
        var rings = mailbox.bell.makeAsyncIterator()
        #expect(await rings.next() != nil)
        #expect(takeAll() == [1])
    }

    @Test func `the bell is not rung for what a sender sees to himself, nor for what is taken at once`() async {
        #expect(mailbox.put(1) == .unattended)
        mailbox.attend()
        #expect(mailbox.put(2) == .attended)
        mailbox.send(3)
        #expect([mailbox.next(), mailbox.next(), mailbox.next(), mailbox.next()] == [1, 2, 3, nil])
        mailbox.close()
        var rings = mailbox.bell.makeAsyncIterator()
        #expect(await rings.next() == nil)
    }

    @Test func `the bell is rung for what is left over, and only then`() async {
        #expect(mailbox.put(1) == .unattended)
        #expect(mailbox.put(2) == .unattended)
        mailbox.attend()
        #expect(mailbox.next() == 1)
        mailbox.leave()
        var rings = mailbox.bell.makeAsyncIterator()
        #expect(await rings.next() != nil)
        #expect(takeAll() == [2])
        mailbox.attend()
        mailbox.leave()
        mailbox.close()
        #expect(await rings.next() == nil)
    }

    @Test func `after it has been taken empty, senders have to see to what they send`() {
        #expect(mailbox.put(1) == .unattended)
        #expect(takeAll() == [1])
        #expect(mailbox.put(2) == .unattended)
    }

    @Test func `closed it refuses, and gives out what it has`() {
        mailbox.send(1)
        mailbox.close()
        #expect(!mailbox.send(2))
        #expect(mailbox.put(3) == .refused)
        #expect(takeAll() == [1])
    }

    @Test func `nothing is lost or left lying, whoever sends while somebody attends`() async {
        let count = 10_000
        let taken = Locked<[Int]>([])
        let attending = Task { [mailbox] in
            for await _ in mailbox.bell {
                mailbox.attend()
                while let input = mailbox.next() { taken.withLock { $0.append(input) } }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask { [mailbox] in
                    for input in stride(from: sender, to: count, by: 8) { mailbox.send(input) }
                }
            }
        }
        mailbox.close()
        await attending.value
        let left = takeAll()
        #expect(Set(taken.withLock { $0 } + left).count == count)
        #expect(taken.withLock { $0.count } + left.count == count)
    }
}
