import AppReceipt
import TestHarness
import Testing

@Suite(.bounded) struct BERReaderTests {
    private func read(
        _ bytes: [UInt8], rules: ASN1EncodingRules = .basic, limits: ASN1Limits = ASN1Limits()
    ) throws(MalformedReceiptError) -> BERElement {
        var reader = try BERReader(bytes[...], rules: rules, limits: limits)
        let element = try reader.next()
        try reader.finish("the test")
        return element
    }

    private func failure(_ bytes: [UInt8], rules: ASN1EncodingRules = .basic) -> MalformedReceiptError? {
        do throws(MalformedReceiptError) {
            _ = try read(bytes, rules: rules)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a definite element is a slice of the input and keeps its indices`() throws {
        let input: [UInt8] = [0xAA, 0x04, 0x03, 1, 2, 3]
        var reader = try BERReader(input[1...])
        let element = try reader.next(.octetString, "three bytes")
        expectEqual(element.offset, 1)
        expectEqual(try element.octets("three bytes"), input[3...])
        expectEqual(try element.octets("three bytes").startIndex, 3)
        #expect(reader.isAtEnd)
    }

    @Test func `an indefinite element ends at its own end-of-contents, not at one inside it`() throws {
        let inner: [UInt8] = [0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00]
        let element = try read([0x30, 0x80] + inner + [0x04, 0x02, 0x00, 0x00] + [0x00, 0x00])
        #expect(element.isIndefinite)
        expectEqual(Array(element.content), inner + [0x04, 0x02, 0x00, 0x00])
        var members = try element.members("members")
        var nested = try members.next(.sequence, "nested").members("nested")
        expectEqual(try nested.next(.integer, "five").integer("five"), 5)
        expectEqual(try members.next(.octetString, "zeros").octets("zeros"), [0, 0])
        #expect(members.isAtEnd)
    }

    @Test func `a string in pieces is joined, and one in a single piece is not copied`() throws {
        let pieces = try read([0x24, 0x80, 0x04, 0x02, 1, 2, 0x24, 0x03, 0x04, 0x01, 3, 0x04, 0x00, 0x00, 0x00])
        expectEqual(try pieces.octets("bytes"), [1, 2, 3])
        let single = try read([0x24, 0x80, 0x04, 0x02, 1, 2, 0x00, 0x00])
        expectEqual(try single.octets("bytes").startIndex, 4)
        #expect(throws: MalformedReceiptError.self) { try read([0x24, 0x03, 0x02, 0x01, 0x01]).octets("bytes") }
    }

    @Test(
        arguments: [
            [0x24, 0x06, 0x04, 0x01, 1, 0x04, 0x01, 2], [0x24, 0x80, 0x24, 0x80, 0x04, 0x02, 1, 2, 0, 0, 0, 0],
            [0x24, 0x0A, 0x24, 0x80, 0x04, 0x01, 1, 0, 0, 0x04, 0x01, 2],
            [0x24, 0x80, 0x24, 0x06, 0x04, 0x01, 1, 0x04, 0x01, 2, 0, 0],
            [0x24, 0x08, 0x24, 0x06, 0x24, 0x04, 0x04, 0x02, 1, 2],
            [0x24, 0x80, 0x24, 0x00, 0x04, 0x02, 1, 2, 0x04, 0x00, 0, 0],
        ] as [[UInt8]])
    func `nested pieces are joined, and truncated ones are malformed`(input: [UInt8]) throws {
        expectEqual(try read(input).octets("bytes"), [1, 2])
        for count in input.indices {
            #expect(throws: MalformedReceiptError.self) { try read(Array(input[..<count])).octets("bytes") }
        }
    }

    @Test(
        arguments: [
            ([0x24, 0x03, 0x02, 0x01, 1], .unexpectedElement, 2), ([0x24, 0x02, 0, 0], .unexpectedElement, 2),
            ([0x24, 0x80, 0x24, 0x05, 0x04, 0x01, 1, 0, 0, 0, 0], .unexpectedElement, 7),
            ([0x24, 0x04, 0x24, 0x05, 0x04, 0x00], .truncated, 2),
            ([0x24, 0x04, 0x24, 0x80, 0x04, 0x00], .truncated, 6),
            ([0x24, 0x05, 0x24, 0x80, 0x04, 0x00, 0], .truncated, 7),
            ([0x24, 0x05, 0x24, 0x80, 0x20, 0x00, 0], .invalidEncoding, 4),
            ([0x24, 0x05, 0x24, 0x80, 0x00, 0x01, 0], .invalidEncoding, 4),
            ([0x24, 0x06, 0x24, 0x02, 0x04, 0x01, 1, 2], .truncated, 4),
        ] as [([UInt8], MalformedReceiptError.Code, Int)])
    func `an element that isn't a piece is rejected at its offset`(
        input: [UInt8], code: MalformedReceiptError.Code, offset: Int
    ) throws {
        let element = try read(input)
        let error = #expect(throws: MalformedReceiptError.self) { try element.octets("bytes") }
        expectEqual(error?.code, code)
        expectEqual(error?.offset, offset)
    }

    @Test func `pieces are counted, and so are their levels`() throws {
        let limits = ASN1Limits(maximumDepth: 4, maximumCount: 5)
        func pieces(_ levels: Int, _ count: Int) -> Result<ArraySlice<UInt8>, MalformedReceiptError> {
            var input = Array(repeating: [0x04, 0x00] as [UInt8], count: count).flatMap { $0 }
            for _ in 0..<levels { input = [0x24, UInt8(input.count)] + input }
            return Result { () throws(MalformedReceiptError) in try read(input, limits: limits).octets("bytes") }
        }
        expectEqual(pieces(1, 5), .success([]))
        expectEqual(pieces(3, 3), .success([]))
        expectEqual(pieces(4, 1), .success([]))
        for (levels, count) in [(1, 6), (3, 4), (5, 1)] {
            guard case .failure(let error) = pieces(levels, count) else {
                Issue.record("\(levels) levels of \(count)")
                continue
            }
            expectEqual(error.code, .limitExceeded)
        }
    }

    @Test(
        arguments: [
            ([0x02], 1), ([0x02, 0x05, 0x01], 0), ([0x02, 0x82, 0x01], 3), ([0x30, 0x80, 0x02, 0x01, 0x01], 5),
            ([0x1F, 0x81], 2), ([], 0),
        ] as [([UInt8], Int)])
    func `a truncated input fails with the offset`(input: [UInt8], offset: Int) {
        expectEqual(failure(input)?.code, .truncated)
        expectEqual(failure(input)?.offset, offset)
    }

    @Test(
        arguments: [
            [0x02, 0x81, 0x01, 0x05], [0x02, 0x82, 0x00, 0x01, 0x05], [0x30, 0x80, 0x00, 0x00],
            [0x24, 0x03, 0x04, 0x01, 0x05],
        ] as [[UInt8]])
    func `distinguished rules reject encodings that basic rules allow`(input: [UInt8]) throws {
        _ = try read(input)
        #expect(throws: MalformedReceiptError.self) {
            let element = try read(input, rules: .distinguished)
            _ = try element.octets("bytes")
        }
    }

    @Test(
        arguments: [
            [0x04, 0x80, 0x00, 0x00], [0x02, 0xFF], [0x1F, 0x80, 0x01, 0x00], [0x1F, 0x05, 0x00],
            [0x30, 0x80, 0x00, 0x01, 0x00],
            [0x1F, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x00], [0x00, 0x00], [0x30, 0x80, 0x20, 0x00, 0x00, 0x00],
        ] as [[UInt8]])
    func `an invalid header is rejected under all rules`(input: [UInt8]) {
        #expect(failure(input) != nil)
        #expect(failure(input, rules: .distinguished) != nil)
    }

    @Test func `a length beyond every limit does not overflow`() {
        expectEqual(failure([0x04, 0x88] + Array(repeating: 0xFF, count: 8))?.code, .limitExceeded)
        expectEqual(failure([0x04, 0x84, 0x7F, 0xFF, 0xFF, 0xFF])?.code, .limitExceeded)
        expectEqual(failure([0x04, 0x83, 0x7F, 0xFF, 0xFF])?.code, .truncated)
    }

    @Test func `nesting stops at the limit, definite or not`() {
        let deep = Array(repeating: [0x30, 0x80] as [UInt8], count: 100_000).flatMap { $0 }
        expectEqual(failure(deep)?.code, .limitExceeded)
        var nested: [UInt8] = []
        for _ in 0..<40 { nested = [0x30, UInt8(nested.count)] + nested }
        func descend(_ element: BERElement) throws(MalformedReceiptError) {
            var members = try element.members("a level")
            if !members.isAtEnd { try descend(members.next()) }
        }
        #expect { try descend(read(nested)) } throws: { ($0 as? MalformedReceiptError)?.code == .limitExceeded }
    }

    @Test func `members are counted`() throws {
        let element = try read([0x31, 0x06, 0x05, 0x00, 0x05, 0x00, 0x05, 0x00])
        var seen = 0
        try element.forEachMember("nothing", limit: 3) { _ in seen += 1 }
        expectEqual(seen, 3)
        #expect { try element.forEachMember("nothing", limit: 2) { _ in } } throws: {
            ($0 as? MalformedReceiptError)?.code == .limitExceeded && ($0 as? MalformedReceiptError)?.offset == 6
        }
    }

    @Test func `an optional element is only read if it is present`() throws {
        let input: [UInt8] = [0x02, 0x01, 0x07, 0xA1, 0x00]
        var reader = try BERReader(input[...])
        #expect(try reader.nextIfPresent(.context(1), "one") == nil)
        expectEqual(try reader.nextIfPresent(.integer, "seven")?.integer("seven"), 7)
        #expect(try reader.nextIfPresent(.context(1), "one") != nil)
        #expect(try reader.nextIfPresent(.context(1), "one") == nil)
    }

    @Test func `integers read directly are those read as elements`() throws {
        for count in 0...9 {
            for first in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
                for second in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                    let content = Array(([first, second] + [1, 2, 3, 4, 5, 6, 7]).prefix(count))
                    for available in [content.count, max(content.count - 1, 0)] {
                        let input = [0x02, UInt8(count)] + content.prefix(available)
                        var direct = try BERReader(input[...])
                        var indirect = direct
                        let results = (
                            try? direct.nextInteger("a number"),
                            try? indirect.next(.integer, "a number").integer("a number")
                        )
                        expectEqual(results.0, results.1, "\(input)")
                        if results.0 != nil { #expect(direct.isAtEnd) }
                    }
                }
            }
        }
        var other = try BERReader([0x04, 0x01, 0x05][...])
        #expect(throws: MalformedReceiptError.self) { try other.nextInteger("a number") }
    }

    @Test func `an error has the expectation, the offset and the actual content`() {
        let error = failure([0x30, 0x80, 0x02, 0x05, 0x01])
        expectEqual(
            error?.description.hasPrefix("truncated at byte 2: expected end-of-contents with 5 bytes of content"), true)
    }
}
